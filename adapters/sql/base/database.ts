import type { Knex } from 'knex';
import type { Dialect } from './dialect.ts';
import type { RawReader, Session } from './session.ts';

/**
 * An open database. Reads see only committed data: on SQLite they have a connection of their own,
 * so they never see the open transaction of the writer; on MySQL they share the pool.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Builds queries and runs migrations. */
  readonly writer: Knex;
  readonly read: RawReader;
  /** The same in a thread of its own, for reads of very many rows; null where a read holds up nobody. */
  readonly readWide: RawReader | null;
  /** Takes a connection and begins a transaction on it. Rejects as unavailable or overloaded. */
  begin(): Promise<Transaction>;
  /**
   * Shows this process to others that serve from the same file, until it is closed. The process ids of
   * those that are there; on a server, where several nodes are usual, none.
   */
  join(): readonly number[];
  /** Whether `join` learns of every process on the database. */
  readonly isOneMachine: boolean;
  /**
   * One moment of the database, on a connection that nothing else uses meanwhile. It holds up no writer; SQLite keeps its
   * log until the end of it.
   */
  snapshot<T>(work: (reader: RawReader) => Promise<T>): Promise<T>;
  /** Whether this process lately had to wait for another one that writes, as far as it can tell: that one waits for it as well. */
  isAwaited(): boolean;
  /** Writes so many bytes and takes them back. Rejects as a unit that writes as much. */
  tryWrite(bytes: number): Promise<void>;
  /** How its connections are used at this moment. */
  pool(): PoolState;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * An open transaction. After commit or rollback its connection returns to the pool; a broken
 * connection is discarded.
 */
export interface Transaction extends Session {
  /**
   * Rejects with ContentionError where the database aborted the transaction and nothing was
   * written, with NotaryError where the outcome is unknown, and otherwise with DatabaseError, where
   * nothing was written.
   */
  commit(): Promise<void>;
  /** Never rejects. */
  rollback(): Promise<void>;
  savepoint(): Promise<void>;
  release(): Promise<void>;
  rollbackToSavepoint(): Promise<void>;
}

export interface PoolState {
  readonly used: number;
  readonly free: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}
