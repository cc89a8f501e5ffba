import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

export type PushOwner = Pick<Subscription, 'orgId' | 'ownerType' | 'ownerId' | 'platformAgentId'>;

/**
 * Whose the push configurations are that a caller makes at a record that it may read: those of an agent key the agent's,
 * those of an admin key the org's.
 *
 * @throws FORBIDDEN for an operator, who is no party.
 */
export const pushOwnerOf = ({ role, orgId, agentId }: Caller): PushOwner => {
  if (orgId !== null && role === 'admin')
    return { orgId, ownerType: 'org', ownerId: orgId, platformAgentId: null };
  if (orgId !== null && role === 'agent' && agentId !== null)
    return { orgId, ownerType: 'agent', ownerId: agentId, platformAgentId: null };
  throw new NotaryError(
    'FORBIDDEN',
    'Push configurations are made by the parties of a task, and by the admins of their orgs.',
    {
      allowedActors: ['agent', 'admin'],
      suggestion: 'Use a key of a party, or a webhook, which may belong to the org that it names.',
    },
  );
};
