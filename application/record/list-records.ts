import type { CallContext } from '../call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { RecordFilter, RecordReads } from '../../domain/record/record-store.port.ts';
import { readerOf } from '../identity/own-org.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { PresentRecord } from './present-record.ts';
import type { RecordResult } from './results.ts';

export class ListRecords {
  constructor(
    private readonly reads: RecordReads,
    private readonly actOnRecord: ActOnRecord,
    private readonly clock: Clock,
    private readonly present: PresentRecord,
  ) {}

  /** Rows carry no signed statement: a listing reads no chain. */
  async execute(
    context: CallContext,
    input: { readonly filter: Omit<RecordFilter, 'reader'>; readonly slice: SliceRequest },
  ): Promise<Slice<RecordResult>> {
    const filter = { ...input.filter, reader: readerOf(context.caller) };
    const seen = await this.reads.list(filter, input.slice);
    const slice = (await this.settleDue(context, seen.rows))
      ? await this.reads.list(filter, input.slice)
      : seen;
    return {
      ...slice,
      rows: slice.rows.map((record) => this.present.record(record, null, context.caller)),
    };
  }

  /** A deadline that passed has taken effect in what is shown. */
  private async settleDue(
    { requestId }: CallContext,
    rows: readonly RecordState[],
  ): Promise<boolean> {
    const now = this.clock.now();
    const due = rows.filter((record) => new NotaryRecord(record).isDue(now));
    for (const record of due)
      await this.actOnRecord.settleDue(record.id, requestId).catch(keepAsItIs);
    return due.length > 0;
  }
}

/** A row that was edited behind the service cannot expire; it is shown as it stands, and the rest of the page with it. */
const keepAsItIs = (error: unknown): void => {
  if (!(error instanceof NotaryError) || error.entry.kind !== 'conflict') throw error;
};
