import { Type } from 'typebox';
import type { AgentProfile } from '../../../domain/identity/agent.ts';
import { MAX_TYPE_NAME, TYPE_NAME_PATTERN } from '../../../domain/record-type/manifest.ts';
import { route, type Route } from '../../http/route.ts';
import { AGENT } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, Timestamp, Uuid, nullable, oneOf, orNull } from '../wire.ts';
import {
  EncryptionJwkSchema,
  SigningKeySchema,
  presentEncryptionJwk,
  presentSigningKey,
} from './agent-key-presenter.ts';
import { StandingSchema } from '../../../application/reputation/reputation-view.ts';
import { AgentReferenceSchema } from './agent-references.ts';

export const agentRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/agents/{agentId}',
    operationId: 'getAgent',
    summary: 'Read an agent',
    description:
      'An agent of another org shows what is needed to name it and to verify it: id, orgId, name, displayName, capabilities, signingKeys, encryptionKeyJwk. The summary reputation is there for credentials that hold reputation:read.',
    tag: 'Agents',
    access: { scope: 'agents:read' },
    params: Type.Object({ agentId: Uuid }),
    answers: { 200: { description: 'The agent', schema: AgentSchema, example: AGENT } },
    execute: (context, { params }) => useCases.getAgent.execute(context, params),
    present: ({ agent, own, reputation }) => ({
      status: 200,
      body: own
        ? { ...presentAgent(agent), ...(reputation ? { reputation } : {}) }
        : presentForeignAgent(agent),
    }),
  }),
  route({
    method: 'PUT',
    path: '/v1/agents/{agentId}/capabilities',
    operationId: 'declareCapabilities',
    summary: 'Declare the record types that an agent performs',
    description:
      'Replaces the whole list; an empty one means any type. Names are checked for their form, not looked up. For the agent itself, and for admins of its org. The same list again writes nothing.',
    tag: 'Agents',
    access: { scope: 'agents:write' },
    params: Type.Object({ agentId: Uuid }),
    body: CapabilitiesBody,
    examples: { reporter: { types: ['report.weekly'] } },
    answers: {
      200: {
        description: 'The agent',
        schema: ChangedAgentSchema,
        example: {
          ...AGENT,
          suggestion: READ_AGENT,
          nextSteps: [
            {
              action: 'view',
              method: 'GET',
              href: `/v1/agents/${AGENT.id}`,
              description: 'Read the agent',
            },
          ],
        },
      },
    },
    problems: ['FORBIDDEN', 'PROVISIONING_MANAGED'],
    execute: (context, { params, body }) =>
      useCases.declareCapabilities.execute(context, { agentId: params.agentId, types: body.types }),
    present: (agent, view) => ({
      status: 200,
      body: {
        ...presentAgent(agent),
        suggestion: READ_AGENT,
        nextSteps: stepsTo(view, ['view', 'getAgent', 'Read the agent', { agentId: agent.id }]),
      },
    }),
  }),
];

const READ_AGENT = 'Read the agent; whoever proposes a record to it is held to this list.';

const FOREIGN_MEMBERS = {
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  displayName: Type.String(),
  capabilities: Type.Array(Type.String(), { description: 'Names of record types; empty: any' }),
  signingKeys: Type.Array(SigningKeySchema, { description: 'Oldest first, revoked ones included' }),
  encryptionKeyJwk: orNull(EncryptionJwkSchema),
};

const OWN_MEMBERS = {
  references: Type.Array(AgentReferenceSchema),
  deactivatedAt: nullable(Timestamp),
  deactivationReason: nullable(Type.String()),
  managedBy: nullable(oneOf(['provisioning'])),
  createdAt: Timestamp,
};

export const AgentSchema = Type.Object({
  ...FOREIGN_MEMBERS,
  ...Type.Partial(Type.Object({ ...OWN_MEMBERS, reputation: StandingSchema })).properties,
});
export const OwnAgentSchema = Type.Object({ ...FOREIGN_MEMBERS, ...OWN_MEMBERS });

const CapabilitiesBody = Type.Object(
  {
    types: Type.Array(Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME }), {
      maxItems: 1000,
      description: 'Names of record types; empty: any',
    }),
  },
  { additionalProperties: false },
);

const ChangedAgentSchema = Type.Object({ ...OwnAgentSchema.properties, ...GUIDANCE });

const presentForeignAgent = (agent: AgentProfile): object => ({
  id: agent.id,
  orgId: agent.orgId,
  name: agent.name,
  displayName: agent.displayName,
  capabilities: agent.capabilities,
  signingKeys: agent.signingKeys.map(presentSigningKey),
  encryptionKeyJwk: agent.encryptionKey && presentEncryptionJwk(agent.encryptionKey),
});

export const presentAgent = (agent: AgentProfile): object => ({
  ...presentForeignAgent(agent),
  references: agent.references,
  deactivatedAt: agent.deactivatedAt,
  deactivationReason: agent.deactivationReason,
  managedBy: agent.managedBy,
  createdAt: agent.createdAt,
});
