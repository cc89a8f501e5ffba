import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Witness } from './witness.ts';

/** Committed rows. Null where missing. */
export interface WitnessReads {
  find(witnessKeyId: Uuid): Promise<Witness | null>;
  list(slice: SliceRequest): Promise<Slice<Witness>>;
}

/** Inside a unit of work. */
export interface WitnessStore {
  insert(witness: Witness): Promise<void>;
  /** Locks the row until the end of the unit of work; null where there is none. */
  lock(witnessKeyId: Uuid): Promise<Witness | null>;
  delete(witnessKeyId: Uuid): Promise<void>;
}
