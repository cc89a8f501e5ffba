import { Type } from 'typebox';
import { MAX_TYPE_NAME, TYPE_NAME_PATTERN } from '../../../domain/record-type/manifest.ts';
import { route, type Route } from '../../http/route.ts';
import { AGENT, IDS, LATER, pageExample } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, Uuid, pageOf } from '../wire.ts';
import { OwnAgentSchema, presentAgent } from './agents.ts';

export const adminAgentRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/agents',
    operationId: 'createAgent',
    summary: 'Create an agent of an org',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    body: CreateAgentBody,
    examples: {
      reporter: {
        name: 'reporter',
        orgId: IDS.org,
        displayName: 'Reporter',
        capabilities: ['report.weekly'],
      },
    },
    answers: {
      201: {
        description: 'The agent',
        schema: CreatedAgentSchema,
        example: {
          ...AGENT,
          suggestion: 'Mint a key for the agent.',
          nextSteps: [
            {
              action: 'mint-key',
              method: 'POST',
              href: '/v1/admin/api-keys',
              description: 'Mint a key for the agent',
            },
          ],
        },
        headers: { Location: 'Path of the agent' },
      },
    },
    problems: ['UNPROCESSABLE'],
    execute: (context, { body }) => useCases.createAgent.execute(context, body),
    present: (agent, view) => ({
      status: 201,
      headers: { Location: `/v1/agents/${agent.id}` },
      body: {
        ...presentAgent(agent),
        suggestion: 'Mint a key for the agent.',
        nextSteps: stepsTo(
          view,
          ['mint-key', 'mintApiKey', 'Mint a key for the agent'],
          ['view', 'getAgent', 'Read the agent', { agentId: agent.id }],
        ),
      },
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/admin/agents',
    operationId: 'listAgents',
    summary: 'List agents, newest first',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    query: Type.Object({
      orgId: Type.Optional(Uuid),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      deactivated: Type.Optional(Type.Boolean()),
    }),
    paged: true,
    answers: {
      200: {
        description: 'A page of agents',
        schema: pageOf(OwnAgentSchema),
        example: pageExample(AGENT),
      },
    },
    problems: ['NOT_FOUND'],
    execute: (context, { query, slice }) =>
      useCases.listAgents.execute(context, { filter: query, slice }),
    present: (slice, view) => presentPage(slice, view, presentAgent),
  }),
  route({
    method: 'POST',
    path: '/v1/admin/agents/{id}/deactivate',
    operationId: 'deactivateAgent',
    summary: 'Shut an agent out',
    description:
      'Every credential of the agent is refused from now on (403 ACCOUNT_DEACTIVATED) and its keys are revoked; on other nodes within a second. It cannot be named as a party any more; on records that it is a party of, admins of its org act for it. Refused where nobody of the org could administer it afterwards. Doing it twice changes nothing.',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    params: Type.Object({ id: Uuid }),
    body: DeactivateBody,
    bodyOptional: true,
    examples: { left: { reason: 'The machine was retired.' } },
    answers: {
      200: {
        description: 'The agent',
        schema: CreatedAgentSchema,
        example: {
          ...AGENT,
          deactivatedAt: LATER,
          deactivationReason: 'The machine was retired.',
          suggestion: DEACTIVATED,
          nextSteps: [
            {
              action: 'list-keys',
              method: 'GET',
              href: '/v1/admin/api-keys',
              description: 'List the keys that are left',
            },
          ],
        },
      },
    },
    problems: ['FORBIDDEN', 'PROVISIONING_MANAGED'],
    execute: (context, { params, body }) =>
      useCases.deactivateAgent.execute(context, { agentId: params.id, ...body }),
    present: (agent, view) => ({
      status: 200,
      body: {
        ...presentAgent(agent),
        suggestion: DEACTIVATED,
        nextSteps: stepsTo(
          view,
          ['reactivate', 'reactivateAgent', 'Let the agent in again', { id: agent.id }],
          ['list-keys', 'listApiKeys', 'List the keys that are left'],
        ),
      },
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/admin/agents/{id}/reactivate',
    operationId: 'reactivateAgent',
    summary: 'Let a deactivated agent in again',
    description:
      'For platform keys. The keys that it had stay revoked. Doing it twice changes nothing.',
    tag: 'Administration',
    access: { scope: 'admin:keys', roles: ['platform'] },
    params: Type.Object({ id: Uuid }),
    answers: {
      200: {
        description: 'The agent',
        schema: ReactivatedAgentSchema,
        example: {
          ...AGENT,
          wasDeactivated: true,
          suggestion: REACTIVATED,
          nextSteps: [
            {
              action: 'mint-key',
              method: 'POST',
              href: '/v1/admin/api-keys',
              description: 'Mint a key for the agent',
            },
          ],
        },
      },
    },
    execute: (context, { params }) =>
      useCases.reactivateAgent.execute(context, { agentId: params.id }),
    present: ({ agent, wasDeactivated }, view) => ({
      status: 200,
      body: {
        ...presentAgent(agent),
        wasDeactivated,
        suggestion: wasDeactivated ? REACTIVATED : 'The agent was active already.',
        nextSteps: stepsTo(
          view,
          ['mint-key', 'mintApiKey', 'Mint a key for the agent'],
          ['view', 'getAgent', 'Read the agent', { agentId: agent.id }],
        ),
      },
    }),
  }),
];

const DEACTIVATED =
  'Nothing of the agent opens any more. Read the records that it is a party of, and act for its side where they go on.';
const REACTIVATED = 'Mint a new key for the agent: those that it had stay revoked.';

const DeactivateBody = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 2000 })) },
  { additionalProperties: false },
);

const CreateAgentBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    orgId: Uuid,
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    capabilities: Type.Optional(
      Type.Array(Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME }), {
        maxItems: 1000,
        description: 'Names of record types that the agent performs; empty: any',
      }),
    ),
  },
  { additionalProperties: false },
);

const CreatedAgentSchema = Type.Object({ ...OwnAgentSchema.properties, ...GUIDANCE });
const ReactivatedAgentSchema = Type.Object({
  ...CreatedAgentSchema.properties,
  wasDeactivated: Type.Boolean({ description: 'False: it was active, and nothing changed' }),
});
