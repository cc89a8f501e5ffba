import type { CallContext } from '../call/call-context.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type {
  DisputeFilter,
  DisputeReads,
  ListedDispute,
} from '../../domain/dispute/dispute-store.port.ts';
import { readerOf } from '../identity/own-org.ts';
import type { UpToDateSlices } from '../record/up-to-date-slices.ts';

/** The disputes on the records that a caller may read. Evidence comes without its content. */
export class ListDisputes {
  constructor(
    private readonly reads: DisputeReads,
    private readonly deadlines: UpToDateSlices,
  ) {}

  async execute(
    context: CallContext,
    { slice, ...filters }: Omit<DisputeFilter, 'reader'> & { readonly slice: SliceRequest },
  ): Promise<Slice<ListedDispute>> {
    const filter = { ...filters, reader: readerOf(context.caller) };
    if (filters.status !== undefined || filters.phase !== undefined || filters.tier !== undefined)
      await this.deadlines.settlePhases(context.requestId, filter.reader);
    return this.deadlines.read(
      context.requestId,
      () => this.reads.list(filter, slice),
      ({ recordId, phaseDeadline }, now) =>
        phaseDeadline !== null && now.toISOString() >= phaseDeadline ? recordId : null,
    );
  }
}
