import type { CallContext } from '../call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { escalate, type TierSeconds } from '../../domain/dispute/moves.ts';
import type { ActOnDispute } from './act-on-dispute.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

/** Either party takes the dispute to the next tier before its time. */
export class EscalateDispute {
  constructor(
    private readonly actOnDispute: ActOnDispute,
    private readonly tiers: TierSeconds,
  ) {}

  /** @param input `toTier` is the tier that was meant by somebody who may have seen an older state. */
  execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly reason?: string | null; readonly toTier?: number },
  ): Promise<DisputeResult> {
    return this.actOnDispute.byCaller(
      context,
      input.recordId,
      'escalate-dispute',
      async ({ record, chain }, dispute) => {
        const { reason = null, toTier } = input;
        const change = escalate(record.state, dispute, reason, this.tiers, chain.at, chain.at);
        if (toTier !== undefined && toTier !== change.dispute.tier)
          throw crossed(dispute.tier, toTier);
        return change;
      },
    );
  }
}

/** Two escalations that cross lead one tier up, not two. */
const crossed = (tier: number, toTier: number): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The dispute is on tier ${tier} by now, and the escalation to tier ${toTier} was meant before that.`,
    { reason: 'dispute_escalated', suggestion: 'Read the dispute again, and decide by its tier.' },
  );
