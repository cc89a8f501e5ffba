import type { CallContext } from '../call/call-context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { mayRead } from '../../domain/record/sides.ts';
import type { ActOnRecord } from './act-on-record.ts';

/** Reads one record for a caller; a deadline that passed has taken effect in what it gives. */
export class FindRecord {
  constructor(
    private readonly reads: RecordReads,
    private readonly actOnRecord: ActOnRecord,
  ) {}

  /** @throws NOT_FOUND where it is missing, or not the caller's to read: both answer alike. */
  async find(context: CallContext, recordId: Uuid): Promise<RecordState> {
    const found = await this.reads.find(recordId);
    if (!found || !mayRead(context.caller, found.record)) throw notFound('record');
    if (!new NotaryRecord(found.record).isDue(found.now)) return found.record;
    await this.actOnRecord.settleDue(recordId, context.requestId);
    return (await this.reads.find(recordId))?.record ?? found.record;
  }
}
