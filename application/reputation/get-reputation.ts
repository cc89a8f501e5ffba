import type { CallContext } from '../call/call-context.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { PerformanceReads } from '../../domain/reputation/performance-reads.port.ts';
import { standingOf, type Standing, type Tally } from '../../domain/reputation/reputation.ts';

export interface Reputation extends Tally, Standing {
  readonly agentId: Uuid;
  readonly byType: readonly (Tally & Standing & { readonly type: string })[];
  readonly since: string | null;
}

/** What is known of any agent's work for others. Everybody may read it, since those who hire an agent are usually of another org. */
export class GetReputation {
  constructor(
    private readonly agents: AgentReads,
    private readonly performance: PerformanceReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    _context: CallContext,
    { agentId }: { readonly agentId: Uuid },
  ): Promise<Reputation> {
    if (!(await this.agents.find(agentId))) throw notFound('agent');
    const { overall, byType, since } = await this.performance.tally(
      agentId,
      this.clock.now().toISOString(),
    );
    return {
      agentId,
      ...standingOf(overall),
      ...overall,
      byType: byType.map((tally) => ({ ...standingOf(tally), ...tally })),
      since,
    };
  }
}
