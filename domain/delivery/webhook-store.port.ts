import type { EventViewer } from '../event/event-reads.port.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Circuit } from './circuit.ts';
import type { DeliveryScheme } from './delivery-signature.ts';
import type { DeadLetter, Delivery, Ended, Queued, Signed } from './delivery.ts';
import type { Subscription } from './subscription.ts';

/** Where a subscription is in the events, and how its receiver does. */
export interface Reader {
  readonly subscriptionId: Uuid;
  /** The number up to which it has read. */
  readonly position: number;
  /** The last one that was taken. */
  readonly eventSequence: number;
  readonly circuit: Circuit;
  /** ISO 8601: when there is something to do besides new events; null for never. */
  readonly dueAt: string | null;
}

/** Inside a unit of work. Null where missing. */
export interface WebhookStore {
  /** Its reader begins where it starts. */
  insert(subscription: Subscription): Promise<void>;
  /** Locks the row until the end of the unit of work. */
  lock(id: Uuid): Promise<Subscription | null>;
  /** Writes what may change: all but id, orgId, owner, scheme, managedBy, startsAfter and createdAt. */
  update(subscription: Subscription): Promise<void>;
  /** Locks the org, so that two calls cannot both take its last place. How many of its webhooks are not deleted. */
  countOf(orgId: Uuid): Promise<number>;
  /** Locks the org as well. The push configurations of an owner at a record that are not deleted, the oldest first. */
  pushConfigs(
    of: Pick<Subscription, 'orgId' | 'ownerId'>,
    recordId: Uuid,
  ): Promise<readonly Subscription[]>;
  lockReader(id: Uuid): Promise<Reader | null>;
  /** For an operator. Whoever holds the lease finds it changed, and looks again. */
  setCircuit(id: Uuid, circuit: Circuit): Promise<void>;
  /** A worker looks at it at once. */
  wake(id: Uuid): Promise<void>;
  /** That every act changes, as it stands when this is asked; null where there is no such row. No MAC is checked. */
  version(id: Uuid): Promise<number | null>;
}

/** The work of one subscription, inside a unit of work. */
export interface DeliveryStore {
  /** Takes the lease, where it is free, has run out by the time of the database, or has this very token. Null where another one holds it. */
  claim(id: Uuid, token: Uuid, forMs: number): Promise<Reader | null>;
  /** Renews the lease. Null where the token does not hold it any more: then the unit of work must be given up. */
  hold(id: Uuid, token: Uuid, forMs: number): Promise<Reader | null>;
  /** Writes position, sequence, breaker and when it is due, after `hold`. */
  save(reader: Reader): Promise<void>;
  release(id: Uuid, token: Uuid): Promise<void>;
  /** Adds deliveries that wait for their turn. */
  enqueue(deliveries: readonly Queued[]): Promise<void>;
  /** One that is written as a whole, such as a ping. */
  insert(delivery: Delivery, body: Uint8Array): Promise<void>;
  /** Commits what is about to leave. @param at ISO 8601. */
  sign(signed: readonly Signed[], at: string): Promise<void>;
  /** Takes signatures back of what never left. */
  unsign(ids: readonly Uuid[]): Promise<void>;
  end(ended: readonly Ended[]): Promise<void>;
  /** No further attempt follows these. */
  closeRetries(ids: readonly Uuid[]): Promise<void>;
  /** What waits of a subscription, for its first attempt or for the next one. What is under way does not wait. */
  allWaiting(id: Uuid, limit: number): Promise<readonly Delivery[]>;
  bury(letters: readonly DeadLetter[]): Promise<void>;
  /** Locks it. */
  deadLetter(id: Uuid): Promise<DeadLetter | null>;
  /** Oldest first, locked. */
  deadLetters(subscriptionId: Uuid, limit: number): Promise<readonly DeadLetter[]>;
  forget(deadLetterIds: readonly Uuid[]): Promise<void>;
}

/**
 * What a worker reads of the subscription that it holds, committed. Rows that somebody edited are left out, with an alarm,
 * and hold up no other.
 */
export interface DeliveryQueue {
  /** What may leave at that time, ISO 8601: retries that are due, the oldest first, then what waits, by number. */
  next(id: Uuid, now: string, limit: number): Promise<readonly Delivery[]>;
  /** What was signed and has no outcome: who signed it died. */
  unanswered(id: Uuid): Promise<readonly Delivery[]>;
  /** How many wait for their first attempt, counted up to a limit. What is under way does not wait. */
  waiting(id: Uuid, upTo: number): Promise<number>;
  /** ISO 8601; null without one. */
  nextRetryAt(id: Uuid): Promise<string | null>;
}

export interface SubscriptionFilter {
  readonly orgId?: Uuid;
  readonly ownerId?: Uuid;
  readonly platformAgentId?: Uuid;
  readonly isActive?: boolean;
}

/** A subscription with what its worker wrote of it. */
export interface SubscriptionState {
  readonly subscription: Subscription;
  readonly reader: Reader;
}

/** A subscription that a worker may have to look at. */
export interface Waiting {
  readonly id: Uuid;
  /** That it belongs to. Good for taking turns, and for nothing else: no MAC was checked. */
  readonly orgId: Uuid;
}

export interface Listener extends Waiting {
  readonly viewer: EventViewer;
}

/** Committed rows. Null where missing. */
export interface WebhookReads {
  /** The push configurations of an owner at a record that are not deleted, the oldest first. */
  pushConfigs(ownerId: Uuid, recordId: Uuid): Promise<readonly Subscription[]>;
  /** Those of all records that were made before a time, ISO 8601, and are not deleted, by ascending id. */
  pushConfigsBefore(at: string, after: Uuid, limit: number): Promise<readonly Subscription[]>;
  /** Whether any is active. */
  hasPushConfigs(): Promise<boolean>;
  /** Active push configurations of these records. */
  pushListeners(recordIds: readonly Uuid[]): Promise<readonly Waiting[]>;
  /** Active push configurations whose records have events that they have not read. */
  pushBehind(): Promise<readonly Waiting[]>;
  find(id: Uuid): Promise<SubscriptionState | null>;
  /** Webhooks; no push configuration is among them. */
  list(filter: SubscriptionFilter, slice: SliceRequest): Promise<Slice<SubscriptionState>>;
  /** Newest first. */
  deliveries(id: Uuid, limit: number): Promise<readonly Delivery[]>;
  delivery(id: Uuid): Promise<Delivery | null>;
  /** By their hashes; what is gone is left out. */
  bodies(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  deadLetters(
    filter: { readonly subscriptionId?: Uuid; readonly orgId?: Uuid },
    slice: SliceRequest,
  ): Promise<Slice<DeadLetter>>;
  countDeadLetters(subscriptionId: Uuid): Promise<number>;
  /** How many deliveries wait of active webhooks that are signed by a scheme, for their first attempt or the next one. */
  countWaiting(scheme: DeliveryScheme): Promise<number>;
  /** Those with a secret, by ascending id, after one. */
  withSecrets(after: Uuid, limit: number): Promise<readonly Subscription[]>;
  /** Webhooks that are neither paused nor inactive. */
  listeners(): Promise<readonly Listener[]>;
  /** Those with something to do besides new events, by the given time, ISO 8601; each org has its turn. */
  due(now: string, limit: number): Promise<readonly Waiting[]>;
}
