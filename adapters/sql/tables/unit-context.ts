import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../../domain/vault/chain.ts';
import type { Dialect } from '../base/dialect.ts';
import type { Change, SqlValue, Table } from '../base/session.ts';
import type { Reader } from './reader.ts';
import type { RowSeals } from './row-seals.ts';

/** What a store sees of its unit of work. */
export interface UnitContext extends Reader {
  readonly dialect: Dialect;
  readonly seals: RowSeals;
  /** The insert is deferred to the next statement of this unit, or to its end. A row of a sealed table gets its MAC here. */
  insert(table: Table, row: readonly SqlValue[]): void;
  /** From the first statement on, the unit holds a transaction; it first waits for its turn. */
  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  /**
   * Changes one row, which the unit holds. It may be deferred as an insert is: where there is no such row, the unit fails
   * at the latest with its commit.
   */
  change(change: Change): Promise<void>;
  /** The `LockedRow` of a record, with the head of its chain; null if the store has to lock them one by one. */
  lockRecord(id: Uint8Array): Promise<object | null>;
  /** The head that came with the record, or that the unit moved: given once, for then the unit may move it. */
  takeHead(chainKey: ChainKey): ChainHead | null;
  /** Where the unit moved a head that it holds. */
  movedHead(head: ChainHead): void;
}

/** Runs work of this adapter in units of work, with statements that no store offers. */
export interface UnitRunner {
  run<T>(work: (unit: UnitContext) => Promise<T>): Promise<T>;
}
