import { actorOf, type CallContext } from '../../domain/identity/caller.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { ActOnRecord } from './act-on-record.ts';
import { pendingCompletion } from './evaluate-pending.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordView } from './views.ts';

export interface VerdictInput {
  readonly recordId: Uuid;
  readonly verdict: 'accept' | 'reject';
  readonly completionId: Uuid;
  readonly reason?: string;
  readonly ifVersions?: readonly number[];
}

/** The principal accepts or rejects the latest completion, or overrides its own rejection. */
export class RenderVerdict {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly present: PresentRecord,
  ) {}

  async execute(context: CallContext, input: VerdictInput): Promise<RecordView> {
    return this.actOnRecord.execute(
      context,
      input.recordId,
      input.ifVersions,
      async ({ stores, record, chain, acting }) => {
        const row = record.rowFor('render-verdict', acting, 'dedicated', input.verdict === 'accept' ? ['FULFILLED', 'REMEDIATED'] : ['FAILED']);
        record.assertLatest(input.completionId);
        const change = record.renderVerdict(row, await pendingCompletion(stores, record), { verdict: input.verdict, reason: input.reason ?? null, by: actorOf(context.caller) }, chain.at);
        await stores.completions.update(change.completion as Completion);
        return change;
      },
      ({ change, entry }) => this.present.record(change.after, entry, context.caller),
    );
  }
}
