import { Type } from 'typebox';
import { MAX_TYPE_NAME, TYPE_NAME_PATTERN } from '../../../domain/record-type/manifest.ts';
import { route, type Route } from '../../http/route.ts';
import { AGENT, IDS, pageExample } from '../examples.ts';
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
    examples: { reporter: { name: 'reporter', orgId: IDS.org, displayName: 'Reporter', capabilities: ['report.weekly'] } },
    answers: { 201: { description: 'The agent', schema: CreatedAgentSchema, example: { ...AGENT, suggestion: 'Mint a key for the agent.', nextSteps: [{ action: 'mint-key', method: 'POST', href: '/v1/admin/api-keys', description: 'Mint a key for the agent' }] }, headers: { Location: 'Path of the agent' } } },
    problems: ['UNPROCESSABLE'],
    execute: (context, { body }) => useCases.createAgent.execute(context, body),
    present: (agent, view) => ({
      status: 201,
      headers: { Location: `/v1/agents/${agent.id}` },
      body: { ...presentAgent(agent), suggestion: 'Mint a key for the agent.', nextSteps: stepsTo(view, ['mint-key', 'mintApiKey', 'Mint a key for the agent'], ['view', 'getAgent', 'Read the agent', { agentId: agent.id }]) },
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/admin/agents',
    operationId: 'listAgents',
    summary: 'List agents, newest first',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    query: Type.Object({ orgId: Type.Optional(Uuid), name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })), deactivated: Type.Optional(Type.Boolean()) }),
    paged: true,
    answers: { 200: { description: 'A page of agents', schema: pageOf(OwnAgentSchema), example: pageExample(AGENT) } },
    problems: ['NOT_FOUND'],
    execute: (context, { query, slice }) => useCases.listAgents.execute(context, { filter: query, slice }),
    present: (slice, view) => presentPage(slice, view, presentAgent),
  }),
];

const CreateAgentBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    orgId: Uuid,
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    capabilities: Type.Optional(Type.Array(Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME }), { maxItems: 1000, description: 'Names of record types that the agent performs; empty: any' })),
  },
  { additionalProperties: false },
);

const CreatedAgentSchema = Type.Object({ ...OwnAgentSchema.properties, ...GUIDANCE });
