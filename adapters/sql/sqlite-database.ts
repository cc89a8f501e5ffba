import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type { Database, Transaction } from './database.ts';
import {
  DatabaseError,
  ContentionError,
  outcomeUnknown,
  overloaded,
  readFailure,
  translate,
  unavailable,
} from './database-error.ts';
import { SqliteClient } from './dialect/sqlite-client.ts';
import type { SqliteConnection } from './dialect/sqlite-connection.ts';
import { SQLITE } from './dialect/sqlite.ts';
import { SqlitePresence } from './sqlite-presence.ts';
import { SILENT } from './silent-log.ts';
import {
  insertSql,
  type Change,
  type RawReader,
  type RowChange,
  type SqlValue,
  type Table,
} from './session.ts';

/** How long a writer waits for another process's transaction before it gives up, ms. */
const LOCK_WAIT_MS = 10_000;
/** How long a reader waits. */
const READ_WAIT_MS = 5_000;
/** A writer that has waited for so long is stuck: nothing can be stored. */
const STUCK_MS = 1_000;

export const openSqlite = (filename: string): Database => {
  mkdirSync(dirname(filename), { recursive: true, mode: 0o700 });
  const writer = open(filename, false);
  const reader = open(filename, true);
  const presence = new SqlitePresence(filename);
  /** Since when a transaction has been waiting to begin, ms; null where none has. */
  let waitingSince: number | null = null;
  return {
    dialect: SQLITE,
    writer,
    read: {
      all: async <Row>(sql: string, values: readonly SqlValue[]) => {
        return (await read(reader, sql, values)) as readonly Row[];
      },
    },
    begin: async () => {
      const connection = await acquire(writer);
      waitingSince ??= performance.now();
      try {
        await beginImmediate(connection);
        return new SqliteTransaction(writer, connection);
      } catch (error) {
        writer.client.releaseConnection(connection);
        throw error;
      } finally {
        waitingSince = null;
      }
    },
    snapshot: (work) => withSnapshot(filename, work),
    join: () => presence.join(),
    ping: async () => {
      if (waitingSince !== null && performance.now() - waitingSince > STUCK_MS)
        throw overloaded(new Error('the writer has been waiting for the lock of another process'));
      // It reads the file, as a SELECT 1 would not.
      await read(reader, 'SELECT 1 FROM sqlite_master LIMIT 1', []);
    },
    close: async () => {
      presence.leave();
      await reader.destroy();
      await writer.destroy();
    },
  };
};

/** A read transaction on a connection of its own. */
const withSnapshot = async <T>(
  filename: string,
  work: (reader: RawReader) => Promise<T>,
): Promise<T> => {
  const pool = open(filename, true);
  try {
    // The moment is that of the first read after BEGIN.
    await read(pool, 'BEGIN', []);
    await read(pool, 'SELECT 1 FROM sqlite_master LIMIT 1', []);
    return await work({
      all: async <Row>(sql: string, values: readonly SqlValue[]) =>
        (await read(pool, sql, values)) as readonly Row[],
    });
  } finally {
    await pool.destroy();
  }
};

/** Another process may hold a lock, if rarely: wait without holding up this process. */
const read = async (
  pool: Knex,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly unknown[]> => {
  const giveUpAt = performance.now() + READ_WAIT_MS;
  for (;;) {
    const connection = await acquire(pool);
    try {
      return connection.all(sql, values);
    } catch (error) {
      const failure = SQLITE.classify(error);
      if (failure !== 'contention' || performance.now() > giveUpAt)
        throw readFailure(error, failure);
    } finally {
      pool.client.releaseConnection(connection);
    }
    await sleep(1 + Math.random() * 4);
  }
};

/** The one writer's transaction. Statements run synchronously on the calling thread. */
class SqliteTransaction implements Transaction {
  constructor(
    private readonly pool: Knex,
    private readonly connection: SqliteConnection,
  ) {}

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return attempt(() => this.connection.all(sql, values) as readonly Row[], null);
  }

  run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return attempt(() => this.connection.run(sql, values), null);
  }

  /**
   * Inserts row by row through one prepared statement: measured faster than one statement for many
   * rows.
   */
  insert(table: Table, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const sql = insertStatement(table);
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
      // An I/O error may have occurred after the commit record reached the log.
      if (failure === 'lost') throw outcomeUnknown(error);
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

  savepoint(): Promise<void> {
    return attempt(() => void this.connection.run('SAVEPOINT unit', []), null);
  }

  release(): Promise<void> {
    return attempt(() => void this.connection.run('RELEASE unit', []), null);
  }

  rollbackToSavepoint(): Promise<void> {
    return attempt(() => {
      this.connection.run('ROLLBACK TO unit', []);
      this.connection.run('RELEASE unit', []);
    }, null);
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

/** Another process may hold the write lock: wait without holding up this process. */
const beginImmediate = async (connection: SqliteConnection): Promise<void> => {
  const giveUpAt = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      connection.run(SQLITE.begin, []);
      return;
    } catch (error) {
      if (SQLITE.classify(error) !== 'contention') throw unavailable(error);
      if (Date.now() > giveUpAt) throw overloaded(error);
    }
    await sleep(1 + Math.random() * 4);
  }
};

const acquire = async (pool: Knex): Promise<SqliteConnection> => {
  try {
    return (await pool.client.acquireConnection()) as SqliteConnection;
  } catch (error) {
    throw unavailable(error);
  }
};

const open = (filename: string, readOnly: boolean): Knex =>
  knex({
    // Knex's types describe its own clients only, and SqliteClient extends one that has no types.
    client: SqliteClient as unknown as typeof Knex.Client,
    useNullAsDefault: true,
    connection: { filename, options: { readOnly } } as Knex.Sqlite3ConnectionConfig,
    pool: { min: 0, max: 1, idleTimeoutMillis: 2 ** 31 - 1 },
    acquireConnectionTimeout: 2 ** 31 - 1,
    log: SILENT,
  });

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
