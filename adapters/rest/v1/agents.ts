import { Type } from 'typebox';
import type { Agent } from '../../../domain/identity/agent.ts';
import { route, type Route } from '../../http/route.ts';
import { AGENT } from '../examples.ts';
import type { RestUseCases } from '../use-cases.ts';
import { JsonObjectSchema, Timestamp, Uuid, nullable, oneOf, orNull } from '../wire.ts';

export const agentRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/agents/{agentId}',
    operationId: 'getAgent',
    summary: 'Read an agent',
    description: 'An agent of another org shows what is needed to name it and to verify it: id, orgId, name, displayName, capabilities, signingKeys, encryptionKeyJwk.',
    tag: 'Agents',
    access: { scope: 'agents:read' },
    params: Type.Object({ agentId: Uuid }),
    answers: { 200: { description: 'The agent', schema: AgentSchema, example: AGENT } },
    execute: (context, { params }) => useCases.getAgent.execute(context, params),
    present: ({ agent, own }) => ({ status: 200, body: own ? presentAgent(agent) : presentForeignAgent(agent) }),
  }),
];

const FOREIGN_MEMBERS = {
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  displayName: Type.String(),
  capabilities: Type.Array(Type.String(), { description: 'Names of record types; empty: any' }),
  signingKeys: Type.Array(JsonObjectSchema),
  encryptionKeyJwk: orNull(JsonObjectSchema),
};

const OWN_MEMBERS = {
  references: Type.Array(JsonObjectSchema),
  deactivatedAt: nullable(Timestamp),
  deactivationReason: nullable(Type.String()),
  managedBy: nullable(oneOf(['provisioning'])),
  createdAt: Timestamp,
};

export const AgentSchema = Type.Object({ ...FOREIGN_MEMBERS, ...Type.Partial(Type.Object(OWN_MEMBERS)).properties });
export const OwnAgentSchema = Type.Object({ ...FOREIGN_MEMBERS, ...OWN_MEMBERS });

/** Registering keys and references comes with later releases; until then there are none. */
const presentForeignAgent = (agent: Agent): object => ({
  id: agent.id,
  orgId: agent.orgId,
  name: agent.name,
  displayName: agent.displayName,
  capabilities: agent.capabilities,
  signingKeys: [],
  encryptionKeyJwk: null,
});

export const presentAgent = (agent: Agent): object => ({
  ...presentForeignAgent(agent),
  references: [],
  deactivatedAt: agent.deactivatedAt,
  deactivationReason: agent.deactivationReason,
  managedBy: agent.managedBy,
  createdAt: agent.createdAt,
});
