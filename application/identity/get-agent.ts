import type { Agent } from '../../domain/identity/agent.ts';
import type { CallContext } from '../../domain/identity/caller.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

export interface AgentView {
  readonly agent: Agent;
  /** Whether the caller governs or is this agent; a stranger sees what is needed to name it, no more. */
  readonly own: boolean;
}

export class GetAgent {
  constructor(private readonly agents: AgentReads) {}

  async execute({ caller }: CallContext, input: { readonly agentId: Uuid }): Promise<AgentView> {
    const agent = await this.agents.find(input.agentId);
    if (!agent) throw notFound('agent');
    return { agent, own: caller.role === 'platform' || caller.orgId === agent.orgId };
  }
}
