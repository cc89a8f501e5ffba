import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { NumberedEvent } from './event.ts';
import type { EventType } from './event-types.ts';

/**
 * Who reads. An agent gets the events of the records that it is party to and its own; an org those of records with a
 * party in it, and its operational ones; the platform all of them. Who may get an event was fixed when it was sealed.
 */
export type EventViewer =
  | { readonly kind: 'platform' }
  | { readonly kind: 'org'; readonly orgId: Uuid }
  | { readonly kind: 'agent'; readonly agentId: Uuid };

/** A member that is left out filters nothing. */
export interface EventFilter {
  readonly recordId?: Uuid;
  readonly types?: readonly EventType[];
}

export interface EventListing extends Omit<EventFilter, 'types'> {
  readonly viewer: EventViewer;
  readonly order: 'asc' | 'desc';
  readonly type?: EventType;
  readonly agentId?: Uuid;
  /** ISO 8601, inclusive, of `createdAt`. */
  readonly since?: string;
  /** Exclusive. */
  readonly until?: string;
}

export interface EventRange {
  readonly viewer: EventViewer;
  readonly filter?: EventFilter;
  /** Events with a greater number: 0 begins with the oldest. */
  readonly after: number;
  /** Events of a page at most. */
  readonly limit: number;
}

export interface EventPage {
  /** By ascending number. */
  readonly events: readonly NumberedEvent[];
  /** Where the next page begins: nothing for this viewer and filter lies between the last event and here. */
  readonly through: number;
  /** Whether more may be had at once. */
  readonly hasMore: boolean;
}

/** Whom a number concerns. Good for waking readers, and for nothing else: no MAC was checked. */
export interface EventRoute {
  readonly sequence: number;
  readonly orgIds: readonly Uuid[];
  readonly agentIds: readonly Uuid[];
  readonly recordId: Uuid | null;
}

/**
 * Numbered events. One whose row or whose number somebody else wrote is never given out: it is left out, with an
 * alarm, and holds up no other.
 */
export interface EventReads {
  /** The newest number, 0 before the first. Whatever has a number up to it can be read. */
  newest(): Promise<number>;
  /**
   * Numbers what is committed, and returns the newest number. Each event that was committed before the call has a number
   * up to it, unless its row was changed behind the service.
   *
   * @throws Error if the events could not be numbered.
   */
  settled(): Promise<number>;
  after(range: EventRange): Promise<EventPage>;
  /** Those of the numbers that there are, by ascending number. */
  numbered(numbers: readonly number[]): Promise<readonly NumberedEvent[]>;
  /** By number. The key of a slice is the number in decimal; events that are left out count in its total. */
  list(listing: EventListing, slice: SliceRequest): Promise<Slice<NumberedEvent>>;
  /** Whom the numbers after this one concern, ascending. */
  routes(after: number, limit: number): Promise<readonly EventRoute[]>;
}
