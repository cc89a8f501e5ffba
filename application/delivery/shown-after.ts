import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ShownWebhook } from './webhook-view.ts';

/** What a call that changed a subscription answers with. It wakes the worker, which goes on by what stands there now. */
export const shownAfter = async (
  stores: Stores,
  subscription: Subscription,
  at: string,
): Promise<ShownWebhook> => {
  await stores.webhooks.wake(subscription.id);
  const reader = await stores.webhooks.lockReader(subscription.id);
  if (!reader) throw new Error(`the webhook ${subscription.id} has no reader`);
  return { subscription, reader, at };
};
