import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { DisputeReads } from '../../domain/dispute/dispute-store.port.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { FindRecord } from './find-record.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordResult } from './results.ts';

/** Reads a record as a caller sees it: with its newest statement and what to do next. */
export class ReadRecord {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly chains: ChainReads,
    private readonly disputes: DisputeReads,
    private readonly present: PresentRecord,
  ) {}

  async read(context: CallContext, recordId: Uuid): Promise<RecordResult> {
    const record = await this.findRecord.findWhole(context, recordId);
    const dispute =
      record.openDisputeId === null ? null : await this.disputes.head(record.openDisputeId);
    return this.present.record(
      record,
      await this.chains.newest(recordChain(record.id)),
      context.caller,
      dispute,
    );
  }
}
