import { Type } from 'typebox';
import { MAX_TYPE_NAME, TYPE_NAME_PATTERN } from '../../domain/record-type/manifest.ts';
import { IDS } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { Uuid } from '../call/schemas.ts';
import { REFERENCE_BODY } from '../record/examples.ts';
import { ReferenceInput } from '../record/inputs.ts';
import { AddAgentReference } from './add-agent-reference.ts';
import { AGENT, AGENT_REFERENCE } from './agent-examples.ts';
import {
  AddedAgentReferenceSchema,
  REFERENCE_IS_SHOWN,
  addedAgentReferenceView,
} from './agent-reference-view.ts';
import { readAgent } from './agent-steps.ts';
import { AgentSchema, ChangedAgentSchema, agentView, ownAgentView } from './agent-view.ts';
import { DeclareCapabilities } from './declare-capabilities.ts';
import { GetAgent } from './get-agent.ts';

export const getAgent = operation({
  id: 'getAgent',
  words: {
    summary: 'Read an agent',
    description:
      'An agent of another org shows what is needed to name it and to verify it: id, orgId, name, displayName, capabilities, signingKeys, encryptionKeyJwk. The summary reputation is there for credentials that hold reputation:read.',
    group: 'Agents',
  },
  effect: 'read',
  access: () => ({ scope: 'agents:read' }),
  input: Type.Object({ agentId: Uuid }, { additionalProperties: false }),
  output: AgentSchema,
  result: { description: 'The agent', example: AGENT },
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: GetAgent,
  concerns: ({ agent }) => ({ orgs: [agent.orgId] }),
  view: (found) => ({ view: agentView(found) }),
});

const READ_AGENT = 'Read the agent; whoever proposes a record to it is held to this list.';

export const declareCapabilities = operation({
  id: 'declareCapabilities',
  words: {
    summary: 'Declare the record types that an agent performs',
    description:
      'Replaces the whole list; an empty one means any type. Names are checked for their form, not looked up. For the agent itself, and for admins of its org. The same list again writes nothing.',
    group: 'Agents',
  },
  effect: 'write',
  access: () => ({ scope: 'agents:write' }),
  input: Type.Object(
    {
      agentId: Uuid,
      types: Type.Array(Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME }), {
        maxItems: 1000,
        description: 'Names of record types; empty: any',
      }),
    },
    { additionalProperties: false },
  ),
  output: ChangedAgentSchema,
  examples: { reporter: { agentId: IDS.performer, types: ['report.weekly'] } },
  result: {
    description: 'The agent',
    example: { ...AGENT, suggestion: READ_AGENT, nextSteps: [readAgent(IDS.performer)] },
  },
  problems: ['FORBIDDEN', 'PROVISIONING_MANAGED'],
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: DeclareCapabilities,
  view: (agent, guide) => ({
    view: {
      ...ownAgentView(agent),
      suggestion: READ_AGENT,
      nextSteps: guide.steps(readAgent(agent.id)),
    },
  }),
});

const ADDED = {
  ...AGENT_REFERENCE,
  suggestion: REFERENCE_IS_SHOWN,
  nextSteps: [readAgent(IDS.performer)],
};

export const addAgentReference = operation({
  id: 'addAgentReference',
  words: {
    summary: 'Attach an external reference to an agent',
    description:
      'For the agent itself, and for admins of its org; at most 32 on an agent. The same kind and uri again adds nothing and answers what is there. What the URI leads to is neither fetched nor checked.',
    group: 'Agents',
  },
  effect: 'write',
  access: () => ({ scope: 'agents:write' }),
  input: Type.Object(
    { agentId: Uuid, ...ReferenceInput.properties },
    { additionalProperties: false },
  ),
  output: AddedAgentReferenceSchema,
  examples: {
    card: { agentId: IDS.performer, ...REFERENCE_BODY },
    bare: { agentId: IDS.performer, kind: 'homepage', uri: 'https://reporter.example/' },
  },
  result: {
    description: 'The reference, sealed',
    example: ADDED,
    found: {
      description: 'The reference that was there; nothing was written',
      example: ADDED,
    },
  },
  problems: ['FORBIDDEN', 'UNPROCESSABLE'],
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: AddAgentReference,
  view: ({ reference, added }, guide) => ({
    view: addedAgentReferenceView(reference, guide),
    isNew: added,
  }),
});
