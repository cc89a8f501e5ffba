import type { Uuid } from '../kernel/ids.ts';

/** Where among the numbered events a reader stands who comes back, and what has no number yet. */
export interface EventPlaces {
  /**
   * The number before the first event that was numbered at this instant (ISO 8601) or later: whoever reads on after it gets
   * those. The newest number where there is none.
   */
  before(instant: string): Promise<number>;
  /** Whether the event with this number has this id. False where no event has the number. */
  isAt(sequence: number, id: Uuid): Promise<boolean>;
  /**
   * How long the oldest committed event waits for its number, ms; 0 where none waits. An event whose MAC does not hold gets
   * no number, so it does not wait.
   */
  longestWait(): Promise<number>;
}
