import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { withdraw } from '../../domain/dispute/moves.ts';
import type { ActOnDispute } from './act-on-dispute.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

/** The party that opened a dispute gives it up; it still counts towards the limit of disputes. */
export class WithdrawDispute {
  constructor(private readonly actOnDispute: ActOnDispute) {}

  execute(context: CallContext, input: { readonly recordId: Uuid }): Promise<DisputeResult> {
    return this.actOnDispute.byCaller(
      context,
      input.recordId,
      'withdraw-dispute',
      async ({ record, chain }, dispute) =>
        withdraw(record.state, dispute, context.caller, actorOf(context.caller), chain.at),
    );
  }
}
