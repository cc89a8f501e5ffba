import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { escalate, type TierSeconds } from '../../domain/dispute/moves.ts';
import type { ActOnDispute } from './act-on-dispute.ts';
import type { DisputeResult } from './results.ts';

/** Either party takes the dispute to the next tier before its time. */
export class EscalateDispute {
  constructor(
    private readonly actOnDispute: ActOnDispute,
    private readonly tiers: TierSeconds,
  ) {}

  execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly reason?: string | null },
  ): Promise<DisputeResult> {
    return this.actOnDispute.byCaller(
      context,
      input.recordId,
      'escalate-dispute',
      async ({ record, chain }, dispute) =>
        escalate(record.state, dispute, input.reason ?? null, this.tiers, chain.at, chain.at),
    );
  }
}
