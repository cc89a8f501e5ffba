import type { DomainEvent } from './event.ts';

/**
 * Takes events of what changes nothing, so that no unit of work carries them. They are gathered and written a moment
 * later: nobody waits for it, and a crash loses that moment at most.
 */
export interface EventLog {
  enqueue(event: DomainEvent): void;
}
