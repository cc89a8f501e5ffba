import type { IdSource } from '../../domain/kernel/ids.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { EvaluatePending } from './evaluate-pending.ts';

/** A submission evaluates its completion itself, within milliseconds; one that waits longer was left by a crash, ms. */
const LEFT_BEHIND = 5_000;
const BATCH = 100;

/** Lets the gates decide on completions whose own call died between its two transactions. */
export class FinishEvaluations {
  constructor(
    private readonly reads: RecordReads,
    private readonly actOnRecord: ActOnRecord,
    private readonly evaluatePending: EvaluatePending,
    private readonly ids: IdSource,
    private readonly log: Log,
  ) {}

  async isNeeded(): Promise<boolean> {
    return (await this.reads.unevaluated(LEFT_BEHIND, 1)).length > 0;
  }

  /** It does not disturb whoever evaluates a completion meanwhile, and one that cannot be evaluated holds up no others. */
  async execute(): Promise<void> {
    const failed = new Set<string>();
    for (;;) {
      const left = (await this.reads.unevaluated(LEFT_BEHIND, BATCH + failed.size)).filter(
        (id) => !failed.has(id),
      );
      for (const recordId of left) {
        await this.finish(recordId).catch((error: unknown) => {
          failed.add(recordId);
          this.log.error({ recordId, err: error }, 'a completion could not be evaluated');
        });
      }
      if (left.length < BATCH) return;
    }
  }

  private finish(recordId: string): Promise<void> {
    return this.actOnRecord.bySystem(recordId, this.ids.next(), (held) =>
      this.evaluatePending.finish(held),
    );
  }
}
