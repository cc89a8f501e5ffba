import type { Knex } from 'knex';
import type { Transaction } from '../base/database.ts';
import {
  ContentionError,
  DatabaseError,
  outcomeUnknown,
  overloaded,
  translate,
  unavailable,
} from '../base/database-error.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { SQLITE } from './sqlite.ts';
import { onceUnlocked } from './sqlite-wait.ts';
import {
  insertSql,
  type Change,
  type RowChange,
  type SqlValue,
  type Table,
} from '../base/session.ts';

/** How long a writer waits for another process's transaction before it gives up, ms. */
const LOCK_WAIT_MS = 10_000;

/** The one writer's transaction. Statements run synchronously on the calling thread. */
export class SqliteTransaction implements Transaction {
  /** No statement ran in it yet. */
  #isFresh = true;
  /** The savepoint is the beginning of the transaction. */
  #isSavedAtBegin = false;

  private constructor(
    private readonly pool: Knex,
    private readonly connection: SqliteConnection,
  ) {}

  /** Waits for the lock that another process may hold. */
  static async begin(pool: Knex, connection: SqliteConnection): Promise<SqliteTransaction> {
    await beginImmediate(connection);
    return new SqliteTransaction(pool, connection);
  }

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    this.#isFresh = false;
    return attempt(() => this.connection.all(sql, values) as readonly Row[], null);
  }

  run(sql: string, values: readonly SqlValue[]): Promise<number> {
    this.#isFresh = false;
    return attempt(() => this.connection.run(sql, values), null);
  }

  /**
   * Inserts row by row through one prepared statement: measured faster than one statement for many
   * rows.
   */
  insert(table: Table, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const sql = insertStatement(table);
    this.#isFresh = false;
    return attempt(() => {
      for (const row of rows) this.connection.run(sql, row);
    }, table.name);
  }

  async change(change: Change): Promise<void> {
    const { of, values, where, otherwise } = change;
    if ((await this.run(changeStatement(of), [...values, ...where])) !== 1)
      throw new DatabaseError(otherwise);
  }

  async commit(): Promise<void> {
    try {
      this.connection.exec('COMMIT');
    } catch (error) {
      const failure = SQLITE.classify(error);
      await this.rollback();
      // An error of the file may have occurred after the commit record reached the log.
      if (failure === 'lost' || failure === 'damaged') throw outcomeUnknown(error);
      if (failure === 'contention')
        throw new ContentionError('the commit was refused', { cause: error });
      throw translate(error, failure === 'duplicate' ? 'other' : failure, () => '');
    }
    this.pool.client.releaseConnection(this.connection);
  }

  rollback(): Promise<void> {
    try {
      // SQLite may have rolled back already, for example on a full disk.
      if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
    } catch {
      this.connection.close();
    }
    this.pool.client.releaseConnection(this.connection);
    return Promise.resolve();
  }

  /**
   * Behind a savepoint SQLite copies every page before it changes it, and a group changes a hundred. At the beginning of a
   * transaction there is nothing that a rollback has to leave, so there it is the transaction that is rolled back.
   */
  async savepoint(): Promise<void> {
    this.#isSavedAtBegin = this.#isFresh;
    if (!this.#isSavedAtBegin) await this.#control('SAVEPOINT unit');
  }

  async release(): Promise<void> {
    if (this.#isSavedAtBegin) this.#isSavedAtBegin = false;
    else await this.#control('RELEASE unit');
  }

  async rollbackToSavepoint(): Promise<void> {
    if (this.#isSavedAtBegin) {
      this.#isSavedAtBegin = false;
      await this.#control('ROLLBACK');
      await beginImmediate(this.connection);
      this.#isFresh = true;
    } else {
      await this.#control('ROLLBACK TO unit');
      await this.#control('RELEASE unit');
    }
  }

  #control(sql: string): Promise<number> {
    return attempt(() => this.connection.run(sql, []), null);
  }
}

const attempt = <T>(statement: () => T, table: string | null): Promise<T> => {
  try {
    return Promise.resolve(statement());
  } catch (error) {
    return Promise.reject(
      translate(error, SQLITE.classify(error), () => SQLITE.constraintOf(error, table)),
    );
  }
};

/** Waits for the write lock, which another process may hold. */
const beginImmediate = async (connection: SqliteConnection): Promise<void> => {
  try {
    await onceUnlocked(() => connection.run(SQLITE.begin, []), LOCK_WAIT_MS);
  } catch (error) {
    const failure = SQLITE.classify(error);
    if (failure === 'full' || failure === 'read-only' || failure === 'damaged')
      throw translate(error, failure, () => '');
    throw failure === 'contention' ? overloaded(error) : unavailable(error);
  }
};

const insertStatement = (table: Table): string => {
  const kept = statements.get(table);
  if (kept) return kept;
  const sql = insertSql(table);
  statements.set(table, sql);
  return sql;
};
const statements = new Map<Table, string>();

const changeStatement = (change: RowChange): string => {
  const kept = changeStatements.get(change);
  if (kept) return kept;
  const { table, columns, where } = change;
  const sql = `UPDATE ${table} SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE ${where.map((name) => `${name} = ?`).join(' AND ')}`;
  changeStatements.set(change, sql);
  return sql;
};
const changeStatements = new WeakMap<RowChange, string>();
