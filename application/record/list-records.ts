import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import type { RecordFilter, RecordReads } from '../../domain/record/record-store.port.ts';
import { readerIn } from '../call/own-org.ts';
import type { UpToDateSlices } from './up-to-date-slices.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordResult } from './results.ts';

interface ListRecordsInput extends Omit<RecordFilter, 'reader' | 'sort'> {
  readonly sort?: RecordFilter['sort'];
  readonly orgId?: Uuid;
  readonly slice: SliceRequest;
}

export class ListRecords {
  constructor(
    private readonly reads: RecordReads,
    private readonly deadlines: UpToDateSlices,
    private readonly present: PresentRecord,
  ) {}

  /** Rows carry no signed statement, because a listing reads no chain. */
  async execute(
    context: CallContext,
    { slice: wanted, sort = '-createdAt', orgId, ...filters }: ListRecordsInput,
  ): Promise<Slice<RecordResult>> {
    const filter = { ...filters, sort, reader: readerIn(context.caller, orgId) };
    const { status, statuses = status === undefined ? undefined : [status] } = filters;
    if (filters.disputed !== undefined || statuses?.some((one) => TERMINAL.has(one)))
      await this.deadlines.settlePhases(context, filter.reader);
    const slice = await this.deadlines.read(
      context,
      () => this.reads.list(filter, wanted),
      // The database has judged the status, by a clock that may be ahead of this node's.
      (record, now) =>
        new NotaryRecord(record).isDue(now) || !(statuses?.includes(record.status) ?? true)
          ? record.id
          : null,
    );
    return {
      ...slice,
      rows: slice.rows.map((record) => this.present.record(record, null, context.caller)),
    };
  }
}
