import { gapBegun, isActive, type Mark } from '../../domain/delivery/subscription.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { buryWaiting } from './bury-waiting.ts';
import type { LaneParts } from './lane-parts.ts';
import { sealWebhook } from './webhook-acts.ts';

/** Makes a subscription inactive that its receiver gave up, or that failed for days. @param mark when. */
export const deactivate = async (
  { ids, sealPlatform }: Pick<LaneParts, 'ids' | 'sealPlatform'>,
  stores: Stores,
  id: Uuid,
  reason: 'gone' | 'no_success',
  mark: Mark,
  jobId: Uuid,
): Promise<void> => {
  const before = await stores.webhooks.lock(id);
  if (!before || !isActive(before)) return;
  const after = {
    ...before,
    gaps: gapBegun(before.gaps, 'inactive', mark),
    version: before.version + 1,
  };
  await stores.webhooks.update(after);
  await buryWaiting(stores, ids, after, mark.at);
  await sealWebhook(sealPlatform, stores, systemOrigin(jobId), 'updated', after, {
    isActive: false,
    reason,
  });
};
