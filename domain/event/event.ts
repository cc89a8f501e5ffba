import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { EventType } from './event-types.ts';

/**
 * Something that happened, published after it is sealed. Written in the transaction that seals it; a dispatcher
 * reads it later. `id` is also the idempotency key of its deliveries. Criteria and evidence never travel here.
 */
export interface DomainEvent {
  readonly id: Uuid;
  readonly type: EventType;
  /** The org whose operators receive it; null for events of the platform alone. */
  readonly orgId: Uuid | null;
  /** The org of the other party, where that is another one: its operators receive it too. */
  readonly counterpartyOrgId: Uuid | null;
  /** The agent that receives it: a party of the record, or whom an operational event is about. */
  readonly partyAgentId: Uuid | null;
  /** The other party of the record, where there is one. */
  readonly counterpartyAgentId: Uuid | null;
  readonly recordId: Uuid | null;
  readonly recordType: string | null;
  /** The agent it is about (agent.*, key.*, cert.*), else the one that acted. */
  readonly agentId: Uuid | null;
  readonly data: JsonObject;
  /** ISO 8601 with milliseconds: the time of its entry, where it has one. */
  readonly createdAt: string;
  /** Where in its chain its entry stands; null without an entry. */
  readonly position: number | null;
  /** Of the call that caused it, where that is traced: its deliveries go on with the trace. It decides nothing. */
  readonly traceparent?: string;
}

/** An event that has its number: 1, 2, 3 … without a gap, of one record in the order of its chain. */
export interface NumberedEvent extends DomainEvent {
  readonly sequence: number;
  /** ISO 8601 with milliseconds. It never runs backwards along the numbers, and is never before `createdAt`. */
  readonly numberedAt: string;
}
