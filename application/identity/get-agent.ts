import type { AgentProfile } from '../../domain/identity/agent.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { PerformanceReads } from '../../domain/reputation/performance-reads.port.ts';
import { standingOf, type Standing } from '../../domain/reputation/reputation.ts';
import type { AgentProfiles } from './agent-profiles.ts';

export interface FoundAgent {
  readonly agent: AgentProfile;
  /**
   * Whether the caller is this agent or governs it. Any other caller sees only what is needed to
   * name it.
   */
  readonly own: boolean;
  /** Null for other callers, and for a caller that may not read reputations. */
  readonly reputation: Standing | null;
}

export class GetAgent {
  constructor(
    private readonly agents: AgentReads,
    private readonly profiles: AgentProfiles,
    private readonly performance: PerformanceReads,
  ) {}

  async execute({ caller }: CallContext, input: { readonly agentId: Uuid }): Promise<FoundAgent> {
    const found = await this.agents.find(input.agentId);
    if (!found) throw notFound('agent');
    const [agent] = (await this.profiles.of([found])) as readonly [AgentProfile];
    const own = caller.role === 'platform' || caller.orgId === agent.orgId;
    return {
      agent,
      own,
      reputation:
        own && caller.allowed.has('reputation:read')
          ? standingOf(await this.performance.verdicts(agent.id))
          : null,
    };
  }
}
