import type { Agent } from '../../domain/identity/agent.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { PlatformAct } from '../sealing/seal-platform.ts';

/** The agent of the system org that owns platform keys. */
export const operatorAgent = (id: Uuid, orgId: Uuid, createdAt: string): Agent => ({
  id,
  orgId,
  name: 'operator',
  displayName: 'Platform operator',
  capabilities: [],
  deactivatedAt: null,
  deactivationReason: null,
  absences: [],
  managedBy: null,
  createdAt,
  version: 1,
});

/** What its creation seals and tells. */
export const operatorCreated = (agent: Agent): PlatformAct => ({
  entryType: 'AGENT_CREATED',
  orgId: agent.orgId,
  rows: { [agent.id]: agent.version },
  members: { agentId: agent.id, name: agent.name },
  event: 'agent.created',
  agentId: agent.id,
});
