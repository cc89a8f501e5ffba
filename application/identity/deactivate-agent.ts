import type { Static } from 'typebox';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { MAX_ABSENCES, type Agent, type AgentProfile } from '../../domain/identity/agent.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { assertAdminAccessRemains } from './admin-access.ts';
import type { DeactivateAgentInput } from './agent-admin-inputs.ts';
import { profileOf } from './agent-profiles.ts';
import type { RevokeKeys } from './revoke-keys.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

type Input = Static<typeof DeactivateAgentInput>;

/**
 * Deactivates an agent. Every credential of the agent is refused from the commit on, and its keys
 * are revoked. Its records stay as they are, and admins of its org act for its side. Deactivating
 * it again changes nothing.
 */
export class DeactivateAgent {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly revokeKeys: RevokeKeys,
    private readonly notice: ChangeNotice,
    private readonly events: EventReads,
    private readonly clock: Clock,
  ) {}

  async execute(context: CallContext, input: Input): Promise<AgentProfile> {
    const newest = await this.events.settled();
    const agent = await this.idempotent.run(context, async (stores) =>
      profileOf(stores, await this.deactivate(stores, context, input, newest)),
    );
    this.notice.changed('agent', agent.id);
    // The agent is already locked out. If it has many keys, the rest are revoked in further units
    // of work.
    await this.revokeKeys.revokeAllOf(context, agent.id);
    this.notice.changed('api-key', agent.id);
    return agent;
  }

  private async deactivate(
    stores: Stores,
    context: CallContext,
    input: Input,
    after: number,
  ): Promise<Agent> {
    const { caller } = context;
    const agent = await stores.agents.lock(input.agentId);
    if (!agent || (caller.role !== 'platform' && caller.orgId !== agent.orgId))
      throw notFound('agent');
    assertUnmanaged(caller, agent, 'agent');
    if (agent.deactivatedAt !== null) return agent;
    const now = this.clock.now();
    await assertAdminAccessRemains(stores, { ownerId: agent.id }, now);
    const reason = input.reason ?? null;
    const absence = { from: now.toISOString(), to: null, after, through: null };
    const deactivated: Agent = {
      ...agent,
      deactivatedAt: now.toISOString(),
      deactivationReason: reason,
      absences: [...agent.absences, absence].slice(-MAX_ABSENCES),
      version: agent.version + 1,
    };
    await stores.agents.update(deactivated);
    await this.sealPlatform.seal(
      stores,
      { actor: actorOf(caller), requestId: context.requestId },
      {
        entryType: 'AGENT_DEACTIVATED',
        orgId: agent.orgId,
        rows: { [agent.id]: deactivated.version },
        members: { agentId: agent.id, reason },
        event: 'agent.deactivated',
        agentId: agent.id,
      },
    );
    await this.revokeKeys.revokeSomeOf(stores, context, agent.id, now.toISOString());
    return deactivated;
  }
}
