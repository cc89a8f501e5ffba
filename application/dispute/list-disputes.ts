import type { CallContext } from '../call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type {
  DisputeFilter,
  DisputeReads,
  ListedDispute,
} from '../../domain/dispute/dispute-store.port.ts';
import { readerOf } from '../identity/own-org.ts';
import type { ActOnRecord } from '../record/act-on-record.ts';

/** The disputes on the records that a caller may read. Evidence comes without its content. */
export class ListDisputes {
  constructor(
    private readonly reads: DisputeReads,
    private readonly actOnRecord: ActOnRecord,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly filter: Omit<DisputeFilter, 'reader'>; readonly slice: SliceRequest },
  ): Promise<Slice<ListedDispute>> {
    const filter = { ...input.filter, reader: readerOf(context.caller) };
    const seen = await this.reads.list(filter, input.slice);
    return (await this.settleDue(context, seen.rows)) ? this.reads.list(filter, input.slice) : seen;
  }

  /** A deadline that passed has taken effect in what is shown. */
  private async settleDue(
    { requestId }: CallContext,
    rows: readonly ListedDispute[],
  ): Promise<boolean> {
    const now = this.clock.now().toISOString();
    const due = rows.filter(({ phaseDeadline }) => phaseDeadline !== null && now >= phaseDeadline);
    for (const { recordId } of due)
      await this.actOnRecord.settleDue(recordId, requestId).catch(keepAsItIs);
    return due.length > 0;
  }
}

/** A row that was edited behind the service cannot move on; it is shown as it stands, and the rest of the page with it. */
const keepAsItIs = (error: unknown): void => {
  if (!(error instanceof NotaryError) || error.entry.kind !== 'conflict') throw error;
};
