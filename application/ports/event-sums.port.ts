import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Sum } from './sums.ts';

/** What one process counted and nobody told yet. */
export interface KeptSums {
  readonly id: Uuid;
  readonly sums: readonly Sum[];
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Counts of all processes until they are told, inside a unit of work. */
export interface EventSums {
  insert(kept: KeptSums): Promise<void>;
  /** Writes the sums anew. False where they were taken meanwhile. */
  replace(id: Uuid, sums: readonly Sum[]): Promise<boolean>;
  /** Takes all out. One that somebody edited is lost, with an alarm: nothing of it may be told. */
  take(): Promise<readonly KeptSums[]>;
}
