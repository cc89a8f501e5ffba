import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { assertClaimable } from '../../domain/record/claimed-gates.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { ClaimedGateResult } from '../../domain/record/record-statement.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ActOnRecord } from './act-on-record.ts';
import { childrenOfPeer } from '../sharing/children-of-peer.ts';
import type { Children } from './children.ts';
import { pendingCompletion } from './verified-completion.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordResult } from './results.ts';

export interface VerdictInput {
  readonly recordId: Uuid;
  readonly verdict: 'accept' | 'reject';
  readonly completionId: Uuid;
  readonly reason?: string;
  /** The results of the gates by the principal's own evaluation; only in the encrypted mode. */
  readonly gateResults?: readonly (Omit<ClaimedGateResult, 'detail'> &
    Partial<ClaimedGateResult>)[];
}

/** The principal accepts or rejects the latest completion, or overrides its own rejection. */
export class RenderVerdict {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly children: Children,
    private readonly present: PresentRecord,
  ) {}

  async execute(context: CallContext, input: VerdictInput): Promise<RecordResult> {
    return this.actOnRecord.byCaller(
      context,
      input.recordId,
      async ({ stores, record, recordType, chain, acting }) => {
        const transition = record.transitionFor(
          'render-verdict',
          acting,
          input.verdict === 'accept' ? ['FULFILLED', 'REMEDIATED'] : ['FAILED'],
        );
        if (transition.guards.includes('children_not_terminal'))
          await this.assertChildrenEnded(stores, record, chain);
        record.assertLatest(input.completionId);
        const gateResults = input.gateResults?.map(({ gateId, outcome, detail = null }) => ({
          gateId,
          outcome,
          detail,
        }));
        if (gateResults) assertClaimable(recordType.manifest, gateResults);
        const change = record.renderVerdict(
          transition,
          await pendingCompletion(stores, record),
          {
            verdict: input.verdict,
            reason: input.reason ?? null,
            by: actorOf(context.caller),
            gateResults,
          },
          chain.at,
        );
        await stores.completions.update(change.completion as Completion);
        return change;
      },
      ({ change, entry }) => this.present.record(change.after, entry, context.caller),
    );
  }

  private async assertChildrenEnded(
    stores: Stores,
    record: NotaryRecord,
    chain: OpenChain,
  ): Promise<void> {
    if (record.state.cascadeRule !== 'none')
      record.assertChildrenEnded(
        record.state.federation?.role === 'home'
          ? await childrenOfPeer(stores, record.state)
          : await this.children.of(stores, record.state, chain),
      );
  }
}
