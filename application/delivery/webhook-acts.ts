import type { Subscription } from '../../domain/delivery/subscription.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { sha256, toHex } from '../../domain/kernel/digest.ts';
import type { Origin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

type Act =
  'created' | 'updated' | 'deleted' | 'secret_rotated' | 'circuit_opened' | 'circuit_closed';

const ENTRIES = {
  created: { entryType: 'WEBHOOK_CREATED', event: 'webhook.created' },
  updated: { entryType: 'WEBHOOK_UPDATED', event: 'webhook.updated' },
  deleted: { entryType: 'WEBHOOK_DELETED', event: 'webhook.deleted' },
  secret_rotated: { entryType: 'WEBHOOK_SECRET_ROTATED', event: 'webhook.updated' },
  circuit_opened: { entryType: 'WEBHOOK_UPDATED', event: 'webhook.circuit_opened' },
  circuit_closed: { entryType: 'WEBHOOK_UPDATED', event: 'webhook.circuit_closed' },
} as const;

/** Seals an act on a subscription. `change` says what was done, where the act does not. */
export const sealWebhook = async (
  sealPlatform: SealPlatform,
  stores: Stores,
  origin: Origin,
  act: Act,
  subscription: Subscription,
  change: JsonObject = {},
): Promise<void> => {
  await sealPlatform.seal(stores, origin, {
    ...ENTRIES[act],
    orgId: subscription.orgId,
    rows: { [subscription.id]: subscription.version },
    members: { ...membersOf(subscription), ...change },
    eventData: { webhookId: subscription.id, ...change },
  });
};

/** The URL may hold what only its receiver should know, so the chain, which auditors get, has its hash. */
const membersOf = (subscription: Subscription): JsonObject => ({
  subscriptionId: subscription.id,
  ownerType: subscription.ownerType,
  ownerId: subscription.ownerId,
  urlHash: toHex(sha256(new TextEncoder().encode(subscription.url))),
  eventTypes: [...subscription.eventTypes],
  recordTypes: [...subscription.recordTypes],
  format: subscription.format,
  signingAlg: subscription.scheme,
  ...(subscription.push && subscription.recordId
    ? { recordId: subscription.recordId, configId: subscription.push.configId }
    : {}),
});
