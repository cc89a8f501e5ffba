import { IDS, LATER, pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { pageOf } from '../call/schemas.ts';
import {
  CreateAgentInput,
  DeactivateAgentInput,
  ListAgentsInput,
  ReactivateAgentInput,
} from './agent-admin-inputs.ts';
import {
  CREATED,
  DEACTIVATED,
  MINT_KEY,
  REACTIVATED,
  ReactivatedAgentSchema,
  createdAgentView,
  deactivatedAgentView,
  reactivatedAgentView,
} from './agent-admin-view.ts';
import { AGENT } from './agent-examples.ts';
import { ChangedAgentSchema, OwnAgentSchema, ownAgentView } from './agent-view.ts';
import { LIST_KEYS } from './changed-api-key-view.ts';
import { CreateAgent } from './create-agent.ts';
import { DeactivateAgent } from './deactivate-agent.ts';
import { ListAgents } from './list-agents.ts';
import { ReactivateAgent } from './reactivate-agent.ts';

export const createAgent = operation({
  id: 'createAgent',
  words: { summary: 'Create an agent of an org', group: 'Administration' },
  effect: 'write',
  access: () => ({ scope: 'admin:keys' }),
  input: CreateAgentInput,
  output: ChangedAgentSchema,
  examples: {
    reporter: {
      name: 'reporter',
      orgId: IDS.org,
      displayName: 'Reporter',
      capabilities: ['report.weekly'],
    },
  },
  result: {
    description: 'The agent',
    example: { ...AGENT, suggestion: CREATED, nextSteps: [MINT_KEY] },
  },
  problems: ['UNPROCESSABLE'],
  useCase: CreateAgent,
  view: (agent, guide) => ({ view: createdAgentView(agent, guide) }),
});

export const listAgents = listing({
  id: 'listAgents',
  words: { summary: 'List agents, newest first', group: 'Administration' },
  access: () => ({ scope: 'admin:keys' }),
  input: ListAgentsInput,
  output: pageOf(OwnAgentSchema),
  result: { description: 'A page of agents', example: pageExample(AGENT) },
  problems: ['NOT_FOUND'],
  useCase: ListAgents,
  concerns: ({ rows }) => ({ orgs: rows.map(({ orgId }) => orgId) }),
  view: (slice, guide) => pageView(slice, guide, ownAgentView),
});

export const deactivateAgent = operation({
  id: 'deactivateAgent',
  words: {
    summary: 'Shut an agent out',
    description:
      'Every credential of the agent is refused from now on (403 ACCOUNT_DEACTIVATED) and its keys are revoked; on other nodes within a second. It cannot be named as a party any more; on records that it is a party of, admins of its org act for it. Refused where nobody of the org could administer it afterwards. Doing it twice changes nothing.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => ({ scope: 'admin:keys' }),
  input: DeactivateAgentInput,
  output: ChangedAgentSchema,
  examples: { left: { agentId: AGENT.id, reason: 'The machine was retired.' } },
  result: {
    description: 'The agent',
    example: {
      ...AGENT,
      deactivatedAt: LATER,
      deactivationReason: 'The machine was retired.',
      suggestion: DEACTIVATED,
      nextSteps: [LIST_KEYS],
    },
  },
  problems: ['FORBIDDEN', 'PROVISIONING_MANAGED'],
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: DeactivateAgent,
  view: (agent, guide) => ({ view: deactivatedAgentView(agent, guide) }),
});

export const reactivateAgent = operation({
  id: 'reactivateAgent',
  words: {
    summary: 'Let a deactivated agent in again',
    description:
      'For platform keys. The keys that it had stay revoked. Doing it twice changes nothing.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => ({ scope: 'admin:keys', roles: ['platform'] }),
  input: ReactivateAgentInput,
  output: ReactivatedAgentSchema,
  result: {
    description: 'The agent',
    example: {
      ...AGENT,
      wasDeactivated: true,
      suggestion: REACTIVATED,
      nextSteps: [MINT_KEY],
    },
  },
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: ReactivateAgent,
  view: (reactivated, guide) => ({ view: reactivatedAgentView(reactivated, guide) }),
});
