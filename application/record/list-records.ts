import type { Caller, CallContext } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { RecordFilter, RecordReads } from '../../domain/record/record-store.port.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordView } from './views.ts';

export class ListRecords {
  constructor(
    private readonly reads: RecordReads,
    private readonly present: PresentRecord,
  ) {}

  /** Rows carry no signed statement: a listing reads no chain. */
  async execute(context: CallContext, input: { readonly filter: Omit<RecordFilter, 'reader'>; readonly slice: SliceRequest }): Promise<Slice<RecordView>> {
    const slice = await this.reads.list({ ...input.filter, reader: readerOf(context.caller) }, input.slice);
    return { ...slice, rows: slice.rows.map((record) => this.present.record(record, null, context.caller)) };
  }
}

const readerOf = (caller: Caller): RecordFilter['reader'] => {
  if (caller.role === 'platform') return null;
  if (caller.role === 'admin' && caller.orgId) return { orgId: caller.orgId };
  if (caller.agentId) return { agentId: caller.agentId };
  throw new NotaryError('FORBIDDEN', 'The credential belongs to no agent and no org, so there are no records to list.');
};
