import type { Static } from 'typebox';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { Agent, AgentProfile } from '../../domain/identity/agent.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { CreateAgentInput } from './agent-admin-inputs.ts';
import { newProfile } from './agent-profiles.ts';
import { managedByOf } from '../call/managed-rows.ts';

/** Adds an agent to an org. */
export class CreateAgent {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    input: Static<typeof CreateAgentInput>,
  ): Promise<AgentProfile> {
    const { caller } = context;
    return this.idempotent.run(context, async (stores) => {
      const org =
        caller.role === 'platform' || caller.orgId === input.orgId
          ? await stores.orgs.find(input.orgId)
          : null;
      if (!org)
        throw new NotaryError('UNPROCESSABLE', `There is no org ${input.orgId}.`, {
          errors: [{ path: '/orgId', keyword: 'org', message: 'there is no such org' }],
          suggestion: 'Name an org that the key governs.',
        });
      const agent: Agent = {
        id: this.ids.next(),
        orgId: org.id,
        name: input.name,
        displayName: input.displayName ?? input.name,
        capabilities: [...new Set(input.capabilities ?? [])],
        deactivatedAt: null,
        deactivationReason: null,
        absences: [],
        managedBy: managedByOf(caller),
        createdAt: this.clock.now().toISOString(),
        version: 1,
      };
      await stores.agents.insert(agent);
      const members = {
        agentId: agent.id,
        name: agent.name,
        capabilities: [...agent.capabilities],
      };
      await this.sealPlatform.seal(
        stores,
        { actor: actorOf(caller), requestId: context.requestId },
        {
          entryType: 'AGENT_CREATED',
          orgId: org.id,
          rows: { [agent.id]: agent.version },
          members,
          event: 'agent.created',
          agentId: agent.id,
        },
      );
      return newProfile(agent);
    });
  }
}
