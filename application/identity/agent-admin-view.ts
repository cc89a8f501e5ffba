import { Type } from 'typebox';
import type { AgentProfile } from '../../domain/identity/agent.ts';
import type { Guide, NextStep } from '../call/guide.ts';
import type { ViewOf } from '../call/view-of.ts';
import { readAgent } from './agent-steps.ts';
import { ChangedAgentSchema, ownAgentView } from './agent-view.ts';
import { LIST_KEYS } from './changed-api-key-view.ts';
import type { ReactivatedAgent } from './reactivate-agent.ts';

/** An agent that was let in again. */
export const ReactivatedAgentSchema = Type.Object({
  ...ChangedAgentSchema.properties,
  wasDeactivated: Type.Boolean({ description: 'False: it was active, and nothing changed' }),
});

/** Also in the examples of the answers, like the three below. */
export const CREATED = 'Mint a key for the agent.';
export const DEACTIVATED =
  'Nothing of the agent opens any more. Read the records that it is a party of, and act for its side where they go on.';
export const REACTIVATED = 'Mint a new key for the agent: those that it had stay revoked.';
export const MINT_KEY: NextStep = {
  action: 'mint-key',
  operation: 'mintApiKey',
  input: {},
  description: 'Mint a key for the agent',
};

export const createdAgentView = (
  agent: AgentProfile,
  guide: Guide,
): ViewOf<typeof ChangedAgentSchema> => ({
  ...ownAgentView(agent),
  suggestion: CREATED,
  nextSteps: guide.steps(MINT_KEY, readAgent(agent.id)),
});

export const deactivatedAgentView = (
  agent: AgentProfile,
  guide: Guide,
): ViewOf<typeof ChangedAgentSchema> => ({
  ...ownAgentView(agent),
  suggestion: DEACTIVATED,
  nextSteps: guide.steps(
    {
      action: 'reactivate',
      operation: 'reactivateAgent',
      input: { agentId: agent.id },
      description: 'Let the agent in again',
    },
    LIST_KEYS,
  ),
});

export const reactivatedAgentView = (
  { agent, wasDeactivated }: ReactivatedAgent,
  guide: Guide,
): ViewOf<typeof ReactivatedAgentSchema> => ({
  ...ownAgentView(agent),
  wasDeactivated,
  suggestion: wasDeactivated ? REACTIVATED : 'The agent was active already.',
  nextSteps: guide.steps(MINT_KEY, readAgent(agent.id)),
});
