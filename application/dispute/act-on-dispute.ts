import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Dispute } from '../../domain/dispute/dispute.ts';
import type { DisputeChange } from '../../domain/dispute/moves.ts';
import { noOpenDispute } from '../../domain/dispute/refusals.ts';
import type { Action } from '../../domain/record/actions.ts';
import type { ActOnRecord } from '../record/act-on-record.ts';
import type { LockedRecord } from '../record/locked-record.ts';
import type { PresentRecord } from '../record/present-record.ts';
import { verifiedDispute } from './verified-dispute.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

/** The frame of every action on an open dispute. */
export class ActOnDispute {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly present: PresentRecord,
  ) {}

  /** @param decide gives the change of the dispute, whose row is written here. */
  byCaller(
    context: CallContext,
    recordId: Uuid,
    action: Action,
    decide: (held: LockedRecord, dispute: Dispute) => Promise<DisputeChange>,
  ): Promise<DisputeResult> {
    return this.actOnRecord.byCaller(
      context,
      recordId,
      async (held) => {
        const { stores, record, chain } = held;
        if (!record.state.disputed) throw noOpenDispute(record.state, action);
        const change = await decide(held, await verifiedDispute(stores, record.state, chain));
        await stores.disputes.update(change.dispute);
        return change;
      },
      ({ change, entry }) =>
        this.present.dispute(change.dispute as Dispute, change.after, entry, context.caller),
    );
  }
}
