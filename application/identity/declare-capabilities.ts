import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Agent, AgentProfile } from '../../domain/identity/agent.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { profileOf } from './agent-profiles.ts';
import { lockOwnAgent } from './own-agent.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

/**
 * Replaces the list of record types that an agent performs. An empty list means any type. The same
 * list again changes nothing.
 */
export class DeclareCapabilities {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly notice: ChangeNotice,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly agentId: Uuid; readonly types: readonly string[] },
  ): Promise<AgentProfile> {
    const agent = await this.idempotent.run(context, async (stores) =>
      profileOf(
        stores,
        await this.change(stores, context, input.agentId, [...new Set(input.types)]),
      ),
    );
    this.notice.changed('agent', agent.id);
    return agent;
  }

  private async change(
    stores: Stores,
    context: CallContext,
    agentId: Uuid,
    capabilities: readonly string[],
  ): Promise<Agent> {
    const { caller } = context;
    const agent = await lockOwnAgent(stores, caller, agentId, 'capabilities');
    assertUnmanaged(caller, agent, 'agent');
    if (JSON.stringify(agent.capabilities) === JSON.stringify(capabilities)) return agent;
    const changed: Agent = { ...agent, capabilities, version: agent.version + 1 };
    await stores.agents.update(changed);
    const members = {
      agentId: agent.id,
      capabilities: [...capabilities],
      previousCapabilities: [...agent.capabilities],
    };
    await this.sealPlatform.seal(
      stores,
      { actor: actorOf(caller), requestId: context.requestId },
      {
        entryType: 'AGENT_CAPABILITIES_CHANGED',
        orgId: agent.orgId,
        rows: { [agent.id]: changed.version },
        members,
        event: 'agent.capabilities_changed',
        agentId: agent.id,
      },
    );
    return changed;
  }
}
