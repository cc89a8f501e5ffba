import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice } from '../../domain/kernel/page.ts';
import type { RecordFilter, RecordReads } from '../../domain/record/record-store.port.ts';
import type { ApplyDeadlines, DeadlineCause } from './apply-deadlines.ts';

/** Phases that one call ends before it lists. A worker ends them every second, so they are few. */
const MAX_PHASES = 200;

/** Reads slices of listings in which every passed deadline has taken effect. */
export class UpToDateSlices {
  constructor(
    private readonly deadlines: ApplyDeadlines,
    private readonly clock: Clock,
    private readonly records: Pick<RecordReads, 'duePhases'>,
  ) {}

  /**
   * Before a filter by what the end of a phase of a dispute decides. An expiry is a matter of the time alone, and so the
   * filter can judge it; here the gates, or the tier, decide.
   */
  async settlePhases(cause: DeadlineCause, reader: RecordFilter['reader']): Promise<void> {
    for (const recordId of await this.records.duePhases(reader, MAX_PHASES))
      await this.deadlines.to(recordId, cause).catch(keepAsItIs);
  }

  /**
   * @param read reads the slice; it runs again where something took effect.
   * @param dueOf gives the record of a row if one of its deadlines has passed, else null.
   */
  async read<T>(
    cause: DeadlineCause,
    read: () => Promise<Slice<T>>,
    dueOf: (row: T, now: Date) => Uuid | null,
  ): Promise<Slice<T>> {
    const seen = await read();
    const now = this.clock.now();
    const due = seen.rows.flatMap((row) => dueOf(row, now) ?? []);
    for (const recordId of due) await this.deadlines.to(recordId, cause).catch(keepAsItIs);
    return due.length > 0 ? read() : seen;
  }
}

/** No deadline takes effect on a row that was edited behind the service. The page shows that row as it is, with the others. */
export const keepAsItIs = (error: unknown): void => {
  if (!(error instanceof NotaryError) || error.entry.kind !== 'conflict') throw error;
};
