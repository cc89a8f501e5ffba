import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice } from '../../domain/kernel/page.ts';
import type { ApplyDeadlines } from './apply-deadlines.ts';

/** Reads slices of listings in which every passed deadline has taken effect. */
export class UpToDateSlices {
  constructor(
    private readonly deadlines: ApplyDeadlines,
    private readonly clock: Clock,
  ) {}

  /**
   * @param read reads the slice; it runs again where something took effect.
   * @param dueOf gives the record of a row if one of its deadlines has passed, else null.
   */
  async read<T>(
    requestId: string,
    read: () => Promise<Slice<T>>,
    dueOf: (row: T, now: Date) => Uuid | null,
  ): Promise<Slice<T>> {
    const seen = await read();
    const now = this.clock.now();
    const due = seen.rows.flatMap((row) => dueOf(row, now) ?? []);
    for (const recordId of due) await this.deadlines.to(recordId, requestId).catch(keepAsItIs);
    return due.length > 0 ? read() : seen;
  }
}

/** No deadline takes effect on a row that was edited behind the service. The page shows that row as it is, with the others. */
const keepAsItIs = (error: unknown): void => {
  if (!(error instanceof NotaryError) || error.entry.kind !== 'conflict') throw error;
};
