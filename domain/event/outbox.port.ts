import type { DomainEvent } from './event.ts';

/**
 * Takes events inside the unit of work that caused them. They are numbered only after the commit,
 * so a reader who follows the numbers cannot miss an event that was committed late.
 */
export interface Outbox {
  add(event: DomainEvent): Promise<void>;
}
