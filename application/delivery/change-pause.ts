import {
  assertRoomForGap,
  gapBegun,
  gapEnded,
  isPaused,
  type Mark,
} from '../../domain/delivery/subscription.ts';
import type { CallContext } from '../call/call-context.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { shownAfter } from './shown-after.ts';
import { assertNotDeleted } from './update-webhook.ts';
import { sealWebhook } from './webhook-acts.ts';
import { assertReach } from './webhook-reach.ts';
import type { ShownWebhook } from './webhook-view.ts';

/** Begins a pause or ends it; where it is so already, nothing changes. @param mark when. */
export const changePause = async (
  sealPlatform: SealPlatform,
  stores: Stores,
  context: CallContext,
  webhookId: string,
  paused: boolean,
  mark: Mark,
): Promise<ShownWebhook> => {
  const before = await stores.webhooks.lock(webhookId);
  assertReach(context.caller, before);
  assertNotDeleted(before);
  if (isPaused(before) === paused) return shownAfter(stores, before, mark.at);
  if (paused) assertRoomForGap(before);
  const after = {
    ...before,
    gaps: paused ? gapBegun(before.gaps, 'paused', mark) : gapEnded(before.gaps, 'paused', mark),
    version: before.version + 1,
  };
  await stores.webhooks.update(after);
  const change = { isPaused: paused };
  await sealWebhook(sealPlatform, stores, originOf(context), 'updated', after, change);
  return shownAfter(stores, after, mark.at);
};
