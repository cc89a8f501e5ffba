import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice } from '../../domain/kernel/page.ts';
import type { ApplyDeadlines } from './apply-deadlines.ts';

/** Lets every deadline that has passed take effect before a listing shows the records that it concerns. */
export class UpToDateSlices {
  constructor(
    private readonly deadlines: ApplyDeadlines,
    private readonly clock: Clock,
  ) {}

  /**
   * @param read reads the slice; it runs again where something took effect.
   * @param dueOf the record of a row, where a deadline of it has passed; else null.
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

/** Nothing takes effect on a row that was edited behind the service; it is shown as it stands, and the rest of the page with it. */
const keepAsItIs = (error: unknown): void => {
  if (!(error instanceof NotaryError) || error.entry.kind !== 'conflict') throw error;
};
