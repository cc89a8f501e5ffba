import type { DeliveryQueue, WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { Log } from '../ports/log.port.ts';
import type { Measures } from '../ports/measures.port.ts';
import type { EventOutbox } from '../sealing/event-outbox.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { DeliveryPace } from './delivery-pace.ts';
import type { HostRates } from './host-rates.ts';
import type { SendDelivery } from './send-delivery.ts';

/** What the work of a subscription needs. */
export interface LaneParts {
  readonly unitOfWork: UnitOfWork;
  readonly webhooks: WebhookReads;
  readonly queue: DeliveryQueue;
  readonly events: EventReads;
  readonly agents: AgentReads;
  readonly sending: SendDelivery;
  readonly sealPlatform: SealPlatform;
  readonly outbox: EventOutbox;
  readonly rates: HostRates;
  readonly pace: DeliveryPace;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly measures?: Pick<Measures, 'delivered'>;
}

/** Longer than a request may take, so that a lease outlives it, ms. */
export const LEASE_MS = 25_000;

/** Another worker holds the subscription, or took it over. */
export class LostLease extends Error {
  override readonly name = 'LostLease';
}
