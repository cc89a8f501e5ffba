import type { CallContext } from '../call/call-context.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Agent } from '../../domain/identity/agent.ts';
import type { RecordFilter } from '../../domain/record/record-store.port.ts';
import type { PerformanceReads } from '../../domain/reputation/performance-reads.port.ts';
import { standingOf, type Standing, type Tally } from '../../domain/reputation/reputation.ts';
import { readerOf } from '../call/own-org.ts';

export interface Reputation extends Tally, Standing {
  readonly agentId: Uuid;
  readonly byType: readonly (Tally & Standing & { readonly type: string })[];
  readonly since: string | null;
}

/**
 * What is known of an agent's work for others. The agent, the admins of its org and the platform read all of it. Other
 * agents of its org read the totals, and by type what they are party to. Another org reads of its own dealings with the
 * agent alone: the names of types, counts and times of a third org are no business of it.
 */
export class GetReputation {
  constructor(
    private readonly agents: AgentReads,
    private readonly performance: PerformanceReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    { caller }: CallContext,
    { agentId }: { readonly agentId: Uuid },
  ): Promise<Reputation> {
    const agent = await this.agents.find(agentId);
    if (!agent) throw notFound('agent');
    const now = this.clock.now().toISOString();
    const reader = readerOf(caller);
    const isWhole = readsAllOf(agent, reader);
    const { byType, ...own } = await this.performance.tally(agentId, now, isWhole ? null : reader);
    const { overall, since } =
      !isWhole && caller.orgId === agent.orgId
        ? await this.performance.tally(agentId, now, null)
        : own;
    return {
      agentId,
      ...standingOf(overall),
      ...overall,
      byType: byType.map((tally) => ({ ...standingOf(tally), ...tally })),
      since,
    };
  }
}

const readsAllOf = (agent: Agent, reader: RecordFilter['reader']): boolean => {
  if (reader === null) return true;
  return 'orgId' in reader ? reader.orgId === agent.orgId : reader.agentId === agent.id;
};
