import type { Circuit } from '../../../domain/delivery/circuit.ts';
import type { DeadLetter, Delivery } from '../../../domain/delivery/delivery.ts';
import type { Gap, PushConfig, Subscription } from '../../../domain/delivery/subscription.ts';
import {
  BOOLEAN,
  BYTES,
  HEX,
  INSTANT,
  INTEGER,
  json,
  nullable,
  oneOf,
  TEXT,
  UUID,
} from '../tables/codec.ts';
import { column, derived, group, written } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';
import { table } from '../tables/tables.ts';
import { versionedById } from '../tables/versioned.ts';

const LASTS = (kind: Gap['kind']) => (of: { readonly gaps: readonly Gap[] }) =>
  of.gaps.some((gap) => gap.kind === kind && gap.to === null);

export const SUBSCRIPTIONS = sealedTable(
  'webhook_subscriptions',
  {
    id: column('id', UUID),
    orgId: column('org_id', UUID),
    ownerType: column('owner_type', oneOf<Subscription['ownerType']>()),
    ownerId: column('owner_id', UUID),
    platformAgentId: column('platform_agent_id', nullable(UUID)),
    url: column('url', TEXT),
    eventTypes: column('event_types', json<readonly string[]>()),
    recordTypes: column('record_types', json<readonly string[]>()),
    format: column('format', oneOf<Subscription['format']>()),
    scheme: column('scheme', oneOf<Subscription['scheme']>()),
    secret: column('secret', nullable(BYTES)),
    previousSecret: column('previous_secret', nullable(BYTES)),
    previousSecretUntil: column('previous_secret_until', nullable(INSTANT)),
    managedBy: column('managed_by', nullable(oneOf<NonNullable<Subscription['managedBy']>>())),
    recordId: column('record_id', nullable(UUID)),
    push: column('push', nullable(json<PushConfig>())),
    startsAfter: column('starts_after', INTEGER),
    gaps: column('gaps', json<readonly Gap[]>()),
    // For the indexes: what the gaps say.
    isInactive: derived('is_inactive', BOOLEAN, LASTS('inactive')),
    isPaused: derived('is_paused', BOOLEAN, LASTS('paused')),
    deletedAt: column('deleted_at', nullable(INSTANT)),
    createdAt: column('created_at', INSTANT),
    version: column('row_version', INTEGER),
  },
  versionedById,
);

/** What the worker writes of a subscription. The lease is not read back. */
export const READERS = table('webhook_readers', {
  subscriptionId: column('subscription_id', UUID),
  position: column('position', INTEGER),
  eventSequence: column('event_sequence', INTEGER),
  circuit: group({
    state: column('circuit_state', oneOf<Circuit['state']>()),
    consecutiveFailures: column('consecutive_failures', INTEGER),
    openedAt: column('opened_at', nullable(INSTANT)),
    isHeld: column('is_held', BOOLEAN),
    failingSince: column('failing_since', nullable(INSTANT)),
    lastSuccessfulAt: column('last_successful_at', nullable(INSTANT)),
  }),
  dueAt: column('due_at', nullable(INSTANT)),
});

/** The MAC is over which event it is of which subscription, and its place there; what came of it is shown and no more. */
export const DELIVERIES = sealedTable(
  'webhook_deliveries',
  {
    id: column('id', UUID),
    subscriptionId: column('subscription_id', UUID),
    eventId: column('event_id', UUID),
    eventType: column('event_type', TEXT),
    number: column('number', INTEGER),
    eventSequence: column('event_sequence', INTEGER),
    attempt: column('attempt', INTEGER),
    createdAt: column('created_at', INSTANT),
    status: column('status', oneOf<Delivery['status']>()),
    reason: column('reason', nullable(oneOf<NonNullable<Delivery['reason']>>())),
    responseStatus: column('response_status', nullable(INTEGER)),
    responseBody: column('response_body', nullable(TEXT)),
    signature: column('signature', nullable(TEXT)),
    bodyHash: column('body_hash', nullable(HEX)),
    nextRetryAt: column('next_retry_at', nullable(INSTANT)),
    deliveredAt: column('delivered_at', nullable(INSTANT)),
  },
  {
    except: [
      'status',
      'reason',
      'response_status',
      'response_body',
      'signature',
      'body_hash',
      'next_retry_at',
      'delivered_at',
    ],
  },
);

export const BODIES = table('webhook_bodies', {
  hash: column('id', HEX),
  body: column('body', BYTES),
  createdAt: written('created_at', INSTANT),
});

export const DEAD_LETTERS = sealedTable('webhook_dlq', {
  id: column('id', UUID),
  subscriptionId: column('subscription_id', UUID),
  orgId: column('org_id', UUID),
  eventId: column('event_id', UUID),
  eventType: column('event_type', TEXT),
  number: column('number', INTEGER),
  eventSequence: column('event_sequence', INTEGER),
  reason: column('reason', oneOf<DeadLetter['reason']>()),
  attempts: column('attempts', INTEGER),
  lastStatus: column('last_status', nullable(INTEGER)),
  createdAt: column('created_at', INSTANT),
  expiresAt: column('expires_at', INSTANT),
});
