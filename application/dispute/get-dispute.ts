import type { CallContext } from '../call/call-context.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { DisputeReads } from '../../domain/dispute/dispute-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { PresentRecord } from '../record/present-record.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

/** Reads one dispute: the newest of a record, or any by its id. Every passed deadline has taken effect in the answer. */
export class GetDispute {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly disputes: DisputeReads,
    private readonly chains: ChainReads,
    private readonly present: PresentRecord,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid } | { readonly disputeId: Uuid },
  ): Promise<DisputeResult> {
    const record =
      'recordId' in input
        ? await this.findRecord.find(context, input.recordId)
        : await this.recordOf(context, input.disputeId);
    const dispute =
      'recordId' in input
        ? await this.disputes.newestOf(record.id)
        : await this.disputes.find(input.disputeId);
    if (!dispute) throw notFound('dispute');
    return this.present.dispute(
      dispute,
      record,
      await this.chains.newest(recordChain(record.id)),
      context.caller,
    );
  }

  /** A dispute that the caller may not read is answered like one that does not exist. */
  private async recordOf(context: CallContext, disputeId: Uuid): Promise<RecordState> {
    const dispute = await this.disputes.find(disputeId);
    if (!dispute) throw notFound('dispute');
    return this.findRecord.find(context, dispute.recordId).catch((error: unknown) => {
      throw error instanceof NotaryError && error.code === 'NOT_FOUND'
        ? notFound('dispute')
        : error;
    });
  }
}
