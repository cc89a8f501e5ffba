import type { EntryType } from '../../domain/vault/entry-type.ts';

export type DeliveryOutcome = 'delivered' | 'retry' | 'dead';

/** Where a call comes in: a request of HTTP (REST, A2A, documents), a call of gRPC, or a message of a gRPC stream. */
export const DOORS = ['http', 'grpc', 'grpc_stream'] as const;
export type Door = (typeof DOORS)[number];

/**
 * Counts what the service does, for whoever watches it. It never throws and keeps nobody waiting. Nothing is promised
 * across a restart, and what a unit of work counted stays counted where the unit is rolled back.
 */
export interface Measures {
  /** An entry was sealed. */
  sealed(entryType: EntryType): void;
  /** A head that another process wrote was verified before anything was built on it. */
  headVerified(held: boolean): void;
  /** An attempt to deliver to a webhook ended. */
  delivered(outcome: DeliveryOutcome): void;
  /** A call was refused, because more came than can be answered in time. */
  shed(door: Door): void;
}
