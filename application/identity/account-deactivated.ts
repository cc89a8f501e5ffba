import type { Agent } from '../../domain/identity/agent.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** The answer to every credential of a deactivated agent, whatever kind of credential it is. */
export const accountDeactivated = (
  owner: Pick<Agent, 'id' | 'deactivatedAt'>,
  cause?: unknown,
): NotaryError =>
  new NotaryError(
    'ACCOUNT_DEACTIVATED',
    `The agent ${owner.id} was deactivated at ${owner.deactivatedAt}.`,
    {},
    { cause },
  );
