import { Type } from 'typebox';
import { route, type Route } from '../../http/route.ts';
import { AGENT, REFERENCE_BODY, AGENT_REFERENCE } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Actor, GUIDANCE, Timestamp, Uuid, nullable, orNull } from '../wire.ts';
import { REFERENCE_TARGET, ReferenceBody, ReferenceDigest } from './record-schemas.ts';

/** What an agent points at outside of the service. */
export const agentReferenceRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/agents/{agentId}/references',
    operationId: 'addAgentReference',
    summary: 'Attach an external reference to an agent',
    description:
      'For the agent itself, and for admins of its org; at most 32 on an agent. The same kind and uri again adds nothing and answers what is there. What the URI leads to is neither fetched nor checked.',
    tag: 'Agents',
    access: { scope: 'agents:write' },
    params: Type.Object({ agentId: Uuid }),
    body: ReferenceBody,
    examples: {
      card: REFERENCE_BODY,
      bare: { kind: 'homepage', uri: 'https://reporter.example/' },
    },
    answers: {
      201: { description: 'The reference, sealed', schema: AddedSchema, example: ADDED },
      200: {
        description: 'The reference that was there; nothing was written',
        schema: AddedSchema,
        example: ADDED,
      },
    },
    problems: ['FORBIDDEN', 'UNPROCESSABLE'],
    execute: (context, { params, body: { kind, uri, digest, label } }) =>
      useCases.addAgentReference.execute(context, {
        agentId: params.agentId,
        target: { kind, uri, digest: digest ?? null, label: label ?? null },
      }),
    present: ({ reference, added }, view) => ({
      status: added ? 201 : 200,
      body: {
        ...reference,
        suggestion: SHOWN,
        nextSteps: stepsTo(view, [
          'view',
          'getAgent',
          'Read the agent',
          { agentId: reference.agentId },
        ]),
      },
    }),
  }),
];

const SHOWN = 'The reference is shown with the agent, to the agent and its org.';

export const AgentReferenceSchema = Type.Object({
  id: Uuid,
  agentId: Uuid,
  ...REFERENCE_TARGET,
  digest: orNull(ReferenceDigest),
  label: nullable(Type.String()),
  addedBy: Actor,
  addedAt: Timestamp,
});

const AddedSchema = Type.Object({ ...AgentReferenceSchema.properties, ...GUIDANCE });

const ADDED = {
  ...AGENT_REFERENCE,
  suggestion: SHOWN,
  nextSteps: [
    {
      action: 'view',
      method: 'GET',
      href: `/v1/agents/${AGENT.id}`,
      description: 'Read the agent',
    },
  ],
};
