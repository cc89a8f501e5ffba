import type { RawReader } from '../base/session.ts';
import type { RawRow, SealedTable } from './sealed-table.ts';

/** A reader that believes a row under a MAC only where it is what the service wrote last. */
export interface Reader extends RawReader {
  /**
   * What `load` reads, verified; it may be read again.
   *
   * @throws CONFLICT with reason payload_drift.
   */
  verifying<T>(
    load: () => Promise<T>,
    rowsOf: (loaded: T) => readonly (readonly [SealedTable, RawRow])[],
  ): Promise<T>;
}
