import type { CallContext } from '../call/call-context.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import type {
  HistoryFilter,
  PerformanceReads,
  PerformedRecord,
} from '../../domain/reputation/performance-reads.port.ts';
import { readerOf } from '../call/own-org.ts';
import type { UpToDateSlices } from '../record/up-to-date-slices.ts';

/** Lists the records that an agent performed, as far as the caller may read them. */
export class ListHistory {
  constructor(
    private readonly agents: AgentReads,
    private readonly performance: PerformanceReads,
    private readonly deadlines: UpToDateSlices,
  ) {}

  async execute(
    context: CallContext,
    { slice, ...filters }: Omit<HistoryFilter, 'reader'> & { readonly slice: SliceRequest },
  ): Promise<Slice<PerformedRecord>> {
    if (!(await this.agents.find(filters.agentId))) throw notFound('agent');
    const filter = { ...filters, reader: readerOf(context.caller) };
    return this.deadlines.read(
      context,
      () => this.performance.history(filter, slice),
      ({ recordId, status, expiresAt }, now) =>
        expiresAt !== null && !TERMINAL.has(status) && now.toISOString() >= expiresAt
          ? recordId
          : null,
    );
  }
}
