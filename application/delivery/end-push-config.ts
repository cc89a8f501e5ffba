import { gapBegun, type Mark, type Subscription } from '../../domain/delivery/subscription.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { Origin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { buryWaiting } from './bury-waiting.ts';
import { sealWebhook } from './webhook-acts.ts';

/** Deletes a push configuration that is locked, and what it keeps secret. @param mark when. */
export const endPushConfig = async (
  { sealPlatform, ids }: { readonly sealPlatform: SealPlatform; readonly ids: IdSource },
  stores: Stores,
  origin: Origin,
  before: Subscription,
  mark: Mark,
): Promise<void> => {
  const after: Subscription = {
    ...before,
    secret: null,
    gaps: gapBegun(before.gaps, 'inactive', mark),
    deletedAt: mark.at,
    version: before.version + 1,
  };
  await stores.webhooks.update(after);
  // A worker that holds it has committed what is under way, or sees that it was deleted.
  await stores.webhooks.lockReader(after.id);
  await buryWaiting(stores, ids, after, mark.at);
  await stores.webhooks.wake(after.id);
  await sealWebhook(sealPlatform, stores, origin, 'deleted', after);
};
