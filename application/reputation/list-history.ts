import type { CallContext } from '../call/call-context.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import type {
  HistoryFilter,
  PerformanceReads,
  PerformedRecord,
} from '../../domain/reputation/performance-reads.port.ts';
import { readerOf } from '../identity/own-org.ts';
import type { ActOnRecord } from '../record/act-on-record.ts';

/** The records that an agent performed, as far as the caller may read them. */
export class ListHistory {
  constructor(
    private readonly agents: AgentReads,
    private readonly performance: PerformanceReads,
    private readonly actOnRecord: ActOnRecord,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly filter: Omit<HistoryFilter, 'reader'>; readonly slice: SliceRequest },
  ): Promise<Slice<PerformedRecord>> {
    if (!(await this.agents.find(input.filter.agentId))) throw notFound('agent');
    const filter = { ...input.filter, reader: readerOf(context.caller) };
    const seen = await this.performance.history(filter, input.slice);
    return (await this.settleDue(context, seen.rows))
      ? this.performance.history(filter, input.slice)
      : seen;
  }

  /** A deadline that passed has taken effect in what is shown. */
  private async settleDue(
    { requestId }: CallContext,
    rows: readonly PerformedRecord[],
  ): Promise<boolean> {
    const now = this.clock.now().toISOString();
    const due = rows.filter(
      ({ status, expiresAt }) => expiresAt !== null && !TERMINAL.has(status) && now >= expiresAt,
    );
    for (const { recordId } of due) await this.actOnRecord.settleDue(recordId, requestId);
    return due.length > 0;
  }
}
