import type { Static } from 'typebox';
import type { AgentProfile } from '../../domain/identity/agent.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Paged } from '../call/operation.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import type { Slice } from '../../domain/kernel/page.ts';
import type { ListAgentsInput } from './agent-admin-inputs.ts';
import type { AgentProfiles } from './agent-profiles.ts';
import { ownOrg } from '../call/own-org.ts';

type Input = Paged<Static<typeof ListAgentsInput>>;

export class ListAgents {
  constructor(
    private readonly agents: AgentReads,
    private readonly profiles: AgentProfiles,
  ) {}

  async execute(
    { caller }: CallContext,
    { slice, ...filter }: Input,
  ): Promise<Slice<AgentProfile>> {
    const page = await this.agents.list({ ...filter, ...ownOrg(caller, filter.orgId) }, slice);
    return { ...page, rows: await this.profiles.of(page.rows) };
  }
}
