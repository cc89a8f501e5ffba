import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import {
  MAX_ABSENCES,
  type Absence,
  type Agent,
  type AgentProfile,
} from '../../domain/identity/agent.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ChangeNotice } from '../ports/change-notice.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { profileOf } from './agent-profiles.ts';
import type { RevokeKeys } from './revoke-keys.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

export interface ReactivatedAgent {
  readonly agent: AgentProfile;
  /** False where the agent was already active and nothing changed. */
  readonly wasDeactivated: boolean;
}

/**
 * Reactivates an agent. Its old keys stay revoked: new ones must be minted, or old ones brought
 * back one by one.
 */
export class ReactivateAgent {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly revokeKeys: RevokeKeys,
    private readonly notice: ChangeNotice,
    private readonly events: EventReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly agentId: Uuid },
  ): Promise<ReactivatedAgent> {
    // A crash may have left some keys active, and the reactivation must not make them valid again.
    await this.revokeKeys.revokeAllOf(context, input.agentId);
    const newest = await this.events.settled();
    const result = await this.idempotent.run(context, (stores) =>
      this.reactivate(stores, context, input.agentId, newest),
    );
    this.notice.changed('agent', input.agentId);
    return result;
  }

  private async reactivate(
    stores: Stores,
    context: CallContext,
    agentId: Uuid,
    through: number,
  ): Promise<ReactivatedAgent> {
    const agent = await stores.agents.lock(agentId);
    if (!agent) throw notFound('agent');
    assertUnmanaged(context.caller, agent, 'agent');
    if (agent.deactivatedAt === null)
      return { agent: await profileOf(stores, agent), wasDeactivated: false };
    const end = { to: this.clock.now().toISOString(), through };
    const last = agent.absences.at(-1);
    // An agent that was imported as deactivated has no absence that lasts.
    const absences: readonly Absence[] =
      last?.to === null
        ? [...agent.absences.slice(0, -1), { ...last, ...end }]
        : [...agent.absences, { from: agent.deactivatedAt, after: 0, ...end }];
    const active: Agent = {
      ...agent,
      deactivatedAt: null,
      deactivationReason: null,
      absences: absences.slice(-MAX_ABSENCES),
      version: agent.version + 1,
    };
    await stores.agents.update(active);
    await this.sealPlatform.seal(
      stores,
      { actor: actorOf(context.caller), requestId: context.requestId },
      {
        entryType: 'AGENT_REACTIVATED',
        orgId: agent.orgId,
        rows: { [agent.id]: active.version },
        members: { agentId: agent.id, deactivatedAt: agent.deactivatedAt },
        event: 'agent.reactivated',
        agentId: agent.id,
      },
    );
    return { agent: await profileOf(stores, active), wasDeactivated: true };
  }
}
