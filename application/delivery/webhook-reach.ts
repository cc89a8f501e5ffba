import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import { missingScope } from '../call/access.ts';

type Owned = Pick<
  Subscription,
  'orgId' | 'ownerType' | 'ownerId' | 'platformAgentId' | 'push' | 'managedBy'
>;

/** What of a subscription is reached. A push configuration is no webhook; its deliveries and its DLQ are like those of one. */
type Part = 'webhook' | 'deliveries';

/** @throws NOT_FOUND, or WEBHOOK_NOT_OWNED for an operator who did not create it. */
export function assertReach<T extends Owned>(
  caller: Caller,
  subscription: T | null,
  part: Part = 'webhook',
): asserts subscription is T {
  if (!subscription || (part === 'webhook' && subscription.push)) throw notFound('webhook');
  if (caller.role === 'platform') {
    if (isOperators(caller, subscription)) return;
    throw new NotaryError(
      'WEBHOOK_NOT_OWNED',
      'A platform key reaches only the webhooks that its agent created.',
      { allowedActors: ['admin'] },
    );
  }
  if (caller.role === 'admin' && caller.orgId === subscription.orgId) return;
  if (isOwner(caller, subscription)) return;
  throw notFound('webhook');
}

/** DLQ entries are retried and discarded by the owner, and by whoever manages webhooks. @throws INSUFFICIENT_SCOPE */
export const assertManages = (caller: Caller, subscription: Owned): void => {
  if (caller.allowed.has('webhooks:manage')) return;
  const { platformAgentId } = subscription;
  if (isOwner(caller, subscription)) return;
  if (platformAgentId !== null && platformAgentId === caller.agentId) return;
  throw missingScope(['webhooks:manage'], caller.role);
};

/** One that files manage was made by no operator: the files change it, and of those of the platform any operator pauses it. */
const isOperators = (
  caller: Caller,
  {
    platformAgentId,
    ownerType,
    managedBy,
  }: Pick<Owned, 'platformAgentId' | 'ownerType' | 'managedBy'>,
): boolean =>
  managedBy !== null
    ? caller.isProvisioning === true || ownerType === 'platform'
    : platformAgentId !== null && platformAgentId === caller.agentId;

const isOwner = (
  caller: Caller,
  { ownerType, ownerId }: Pick<Owned, 'ownerType' | 'ownerId'>,
): boolean => ownerType === 'agent' && caller.role === 'agent' && ownerId === caller.agentId;
