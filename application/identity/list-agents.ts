import type { AgentProfile } from '../../domain/identity/agent.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { AgentProfiles } from './agent-profiles.ts';
import { ownOrg } from './own-org.ts';

export interface ListAgentsInput {
  readonly filter: {
    readonly orgId?: Uuid;
    readonly name?: string;
    readonly deactivated?: boolean;
  };
  readonly slice: SliceRequest;
}

export class ListAgents {
  constructor(
    private readonly agents: AgentReads,
    private readonly profiles: AgentProfiles,
  ) {}

  async execute({ caller }: CallContext, input: ListAgentsInput): Promise<Slice<AgentProfile>> {
    const page = await this.agents.list(
      { ...input.filter, ...ownOrg(caller, input.filter.orgId) },
      input.slice,
    );
    return { ...page, rows: await this.profiles.of(page.rows) };
  }
}
