import type { DomainEvent } from './event.ts';

/**
 * Takes events that belong to no change, and therefore to no unit of work. They are buffered and
 * written a moment later: the caller does not wait, and a crash loses at most the buffered events.
 */
export interface EventLog {
  enqueue(event: DomainEvent): void;
}
