import type { IdSource } from '../../domain/kernel/ids.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { ApplyDeadlines } from './apply-deadlines.ts';

const BATCH = 100;

/**
 * Makes every passed deadline take effect, each record in a transaction of its own. The next run finds what a crash
 * left, and a record that somebody acts on meanwhile is decided under its lock.
 */
export class SweepDeadlines {
  constructor(
    private readonly reads: RecordReads,
    private readonly deadlines: ApplyDeadlines,
    private readonly ids: IdSource,
    private readonly log: Log,
  ) {}

  async isNeeded(): Promise<boolean> {
    return (await this.reads.due(1)).length > 0;
  }

  /** @returns how many records were looked at. */
  async execute(): Promise<number> {
    let seen = 0;
    const failed = new Set<string>();
    for (;;) {
      const due = (await this.reads.due(BATCH + failed.size)).filter((id) => !failed.has(id));
      for (const recordId of due) {
        // A record on which nothing can take effect, say because its row was edited, must not hold up the others.
        await this.deadlines
          .to(recordId, { requestId: this.ids.next() })
          .catch((error: unknown) => {
            failed.add(recordId);
            this.log.error({ recordId, err: error }, 'a deadline could not take effect');
          });
      }
      seen += due.length;
      if (due.length < BATCH) return seen;
    }
  }
}
