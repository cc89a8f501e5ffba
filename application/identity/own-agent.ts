import type { Agent } from '../../domain/identity/agent.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/**
 * Locks and returns the agent that a call changes. An agent may change itself, an admin the agents
 * of its org, and the platform any agent.
 *
 * @param what the call changes, in the words of the refusal.
 */
export const lockOwnAgent = async (
  stores: Stores,
  caller: Caller,
  agentId: Uuid,
  what: string,
): Promise<Agent> => {
  const agent = await stores.agents.lock(agentId);
  if (!agent || (caller.role !== 'platform' && caller.orgId !== agent.orgId))
    throw notFound('agent');
  if (caller.role === 'agent' && caller.agentId !== agent.id) {
    throw new NotaryError(
      'FORBIDDEN',
      `An agent may change only its own ${what}. Changing those of another agent takes a key with the role admin, and this one has the role agent.`,
      { allowedActors: ['admin', 'platform'] },
    );
  }
  return agent;
};

/** A deactivated agent cannot act, so it cannot publish keys to act with. */
export const assertActive = (agent: Agent): void => {
  if (agent.deactivatedAt !== null) {
    throw new NotaryError(
      'UNPROCESSABLE',
      `The agent was deactivated at ${agent.deactivatedAt} and takes no new key.`,
      { suggestion: 'Ask a platform operator to reactivate the agent.' },
    );
  }
};
