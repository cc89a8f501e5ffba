import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type {
  DisputeFilter,
  DisputeReads,
  ListedDispute,
} from '../../domain/dispute/dispute-store.port.ts';
import { readerIn } from '../call/own-org.ts';
import type { UpToDateSlices } from '../record/up-to-date-slices.ts';

interface ListDisputesInput extends Omit<DisputeFilter, 'reader'> {
  readonly orgId?: Uuid;
  readonly slice: SliceRequest;
}

/** The disputes on the records that a caller may read. Evidence comes without its content. */
export class ListDisputes {
  constructor(
    private readonly reads: DisputeReads,
    private readonly deadlines: UpToDateSlices,
  ) {}

  async execute(
    context: CallContext,
    { slice, orgId, ...filters }: ListDisputesInput,
  ): Promise<Slice<ListedDispute>> {
    const filter = { ...filters, reader: readerIn(context.caller, orgId) };
    if (filters.status !== undefined || filters.phase !== undefined || filters.tier !== undefined)
      await this.deadlines.settlePhases(context, filter.reader);
    return this.deadlines.read(
      context,
      () => this.reads.list(filter, slice),
      ({ recordId, phaseDeadline }, now) =>
        phaseDeadline !== null && now.toISOString() >= phaseDeadline ? recordId : null,
    );
  }
}
