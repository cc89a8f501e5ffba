import type { Agent } from '../../domain/identity/agent.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import {
  createAgent,
  deactivateAgent,
  reactivateAgent,
} from '../identity/agent-admin-operations.ts';
import { declareCapabilities } from '../identity/agent-operations.ts';
import { assertFixed, sameList } from './assert-fixed.ts';
import { PRUNED, type Change, type KindApplier } from './kind-applier.ts';
import type { Item } from './load-documents.ts';
import type { PerformOperation } from './perform-operation.ts';
import type { ProvisionedRow } from '../ports/provisioned-rows.port.ts';
import type { Scene } from './scene.ts';

/** Agents: their capabilities change, and one that was pruned comes back with its file. */
export class AgentApplier implements KindApplier<'agents'> {
  readonly members = { '/orgId': '/org', '/types': '/capabilities' };

  constructor(
    private readonly operations: PerformOperation,
    private readonly agents: AgentReads,
  ) {}

  async change(item: Item<'agents'>, scene: Scene): Promise<Change | null> {
    const orgId = await scene.orgId(item.orgSlug);
    const row = scene.find(item);
    if (!row) return { outcome: 'created', apply: () => this.create(item, orgId, scene) };
    const agent = await this.agents.find(row.id);
    if (!agent) throw notFound('agent');
    const { name, displayName = name, capabilities = [] } = item.document;
    assertFixed(
      [
        ['/name', agent.name === name],
        ['/displayName', agent.displayName === displayName],
      ],
      'Write the earlier one, or give the document another key for another agent.',
    );
    const types = [...new Set(capabilities)];
    const differs = !sameList(agent.capabilities, types);
    if (!differs && agent.deactivatedAt === null) return null;
    return { outcome: 'updated', apply: () => this.update(agent, types, scene) };
  }

  async prune(row: ProvisionedRow, scene: Scene): Promise<Change | null> {
    const agent = await this.agents.find(row.id);
    if (!agent || agent.deactivatedAt !== null) return null;
    return {
      outcome: 'updated',
      apply: async () => {
        const input = { agentId: row.id, reason: PRUNED };
        await this.operations.perform(deactivateAgent, scene.context(), input);
        return null;
      },
    };
  }

  private async create(item: Item<'agents'>, orgId: Uuid | null, scene: Scene): Promise<null> {
    const { org: _org, key: _key, ...members } = item.document;
    const context = scene.context((stores, result) =>
      scene.record(stores, (result as Agent).id, item),
    );
    const input = { ...members, orgId: orgId! };
    const agent = await this.operations.perform(createAgent, context, input);
    scene.committed(agent.id, item);
    return null;
  }

  private async update(agent: Agent, types: string[], scene: Scene): Promise<null> {
    const context = scene.context();
    if (agent.deactivatedAt !== null)
      await this.operations.perform(reactivateAgent, context, { agentId: agent.id });
    await this.operations.perform(declareCapabilities, context, { agentId: agent.id, types });
    return null;
  }
}
