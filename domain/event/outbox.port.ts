import type { DomainEvent } from './event.ts';

/**
 * Takes events inside the unit of work that caused them. They have no number yet: numbers are given after the
 * commit, so that a reader who walks by number cannot miss an event that committed late.
 */
export interface Outbox {
  add(event: DomainEvent): Promise<void>;
}
