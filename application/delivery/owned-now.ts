import { asOwned, type Subscription } from '../../domain/delivery/subscription.ts';
import type { Agent } from '../../domain/identity/agent.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/**
 * A subscription with the times in which its owner was deactivated. What goes to the platform is owned by the operator who
 * asked for it; an org is never.
 */
export const ownedNow = async (
  agents: { find(id: Uuid): Promise<Agent | null> },
  subscription: Subscription,
): Promise<Subscription> => {
  const { ownerType, ownerId, platformAgentId } = subscription;
  const owner = { agent: ownerId, org: null, platform: platformAgentId }[ownerType];
  return owner === null ? subscription : asOwned(subscription, await agents.find(owner));
};
