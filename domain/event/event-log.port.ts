import type { DomainEvent } from './event.ts';

/**
 * Takes events that belong to no change, and so to no unit of work. They are gathered and written a moment
 * later: the caller does not wait, and a crash loses at most that moment.
 */
export interface EventLog {
  enqueue(event: DomainEvent): void;
}
