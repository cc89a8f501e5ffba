import type { Knex } from 'knex';
import type { Dialect } from './dialect/dialect.ts';
import { openMysql } from './mysql-database.ts';
import type { Reader, Session } from './session.ts';
import { openSqlite } from './sqlite-database.ts';

/**
 * An open database. Reads see what is committed and nothing else: on SQLite they have a connection of their own,
 * so that they never look into the writer's open transaction; on MySQL they share the pool.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Builds queries and runs migrations. */
  readonly writer: Knex;
  readonly read: Reader;
  /** Takes a connection and begins a transaction on it. Rejects as unavailable or overloaded. */
  begin(): Promise<Transaction>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A begun transaction. After commit or rollback the connection is back in the pool; a broken one is thrown away. */
export interface Transaction extends Session {
  /**
   * Rejects with ContentionError where the database gave way and nothing was written, with NotaryError where the
   * outcome is unknown, and else with DatabaseError where nothing was written.
   */
  commit(): Promise<void>;
  /** Never rejects. */
  rollback(): Promise<void>;
  savepoint(): Promise<void>;
  release(): Promise<void>;
  rollbackToSavepoint(): Promise<void>;
}

export interface DatabaseOptions {
  /** `sqlite://PATH` or `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** Connections to MySQL. */
  readonly poolSize?: number;
}

/** @throws TypeError on a URL of another kind. */
export const openDatabase = (options: DatabaseOptions): Database => {
  if (options.url.startsWith('sqlite://')) return openSqlite(options.url.slice('sqlite://'.length));
  if (/^mysql2?:\/\//.test(options.url)) return openMysql(options.url, options.poolSize ?? 10);
  throw new TypeError('the database URL must begin with sqlite:// or mysql://');
};
