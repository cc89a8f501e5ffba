import knex, { type Knex } from 'knex';
import { escape, type Connection, type QueryError, type ResultSetHeader } from 'mysql2';
import type { Database, Transaction } from './database.ts';
import {
  ContentionError,
  outcomeUnknown,
  overloaded,
  readFailure,
  translate,
  unavailable,
} from './database-error.ts';
import { MYSQL } from './dialect/mysql.ts';
import { SILENT } from './silent-log.ts';
import { columnsOf, type SqlValue, type Table } from './session.ts';

export const openMysql = (url: string, poolSize: number): Database => {
  const pool = openPool(url, poolSize);
  return {
    dialect: MYSQL,
    writer: pool,
    read: {
      all: async <Row>(sql: string, values: readonly SqlValue[]) => {
        // A connection that the server closed meanwhile shows only when it is used, so a read tries once more.
        try {
          return await readOnce<Row>(pool, sql, values);
        } catch (error) {
          if (MYSQL.classify(error) !== 'lost') throw readFailure(error, MYSQL.classify(error));
        }
        try {
          return await readOnce<Row>(pool, sql, values);
        } catch (error) {
          throw readFailure(error, MYSQL.classify(error));
        }
      },
    },
    begin: async () => {
      const connection = await acquire(pool);
      const transaction = new MysqlTransaction(pool, connection);
      try {
        await query(connection, MYSQL.begin);
      } catch (error) {
        await transaction.rollback();
        throw translate(error, MYSQL.classify(error), () => '');
      }
      return transaction;
    },
    ping: async () => {
      try {
        await readOnce(pool, 'SELECT 1', []);
      } catch (error) {
        throw readFailure(error, MYSQL.classify(error));
      }
    },
    close: () => pool.destroy(),
  };
};

class MysqlTransaction implements Transaction {
  constructor(
    private readonly pool: Knex,
    private readonly connection: Connection,
  ) {}

  async all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return (await this.#execute(sql, values, null)) as readonly Row[];
  }

  async run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return ((await this.#execute(sql, values, null)) as ResultSetHeader).affectedRows;
  }

  async insert(table: Table, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    for (const sql of insertTexts(table, rows)) {
      try {
        await query(this.connection, sql);
      } catch (error) {
        throw translate(error, MYSQL.classify(error), () => MYSQL.constraintOf(error, table.name));
      }
    }
  }

  async commit(): Promise<void> {
    try {
      await query(this.connection, 'COMMIT');
    } catch (error) {
      const failure = MYSQL.classify(error);
      await this.rollback();
      // Galera certifies at the commit; a conflict there is a clean refusal. Everything else may have been written.
      if (failure === 'contention')
        throw new ContentionError('the commit was refused', { cause: error });
      throw outcomeUnknown(error);
    }
    this.pool.client.releaseConnection(this.connection);
  }

  async rollback(): Promise<void> {
    try {
      await query(this.connection, 'ROLLBACK');
    } catch {
      // The pool drops a destroyed connection; the server rolls back what it left open.
      this.connection.destroy();
    }
    this.pool.client.releaseConnection(this.connection);
  }

  async savepoint(): Promise<void> {
    await this.#control('SAVEPOINT unit');
  }

  async release(): Promise<void> {
    await this.#control('RELEASE SAVEPOINT unit');
  }

  async rollbackToSavepoint(): Promise<void> {
    await this.#control('ROLLBACK TO SAVEPOINT unit');
  }

  async #control(sql: string): Promise<void> {
    try {
      await query(this.connection, sql);
    } catch (error) {
      throw translate(error, MYSQL.classify(error), () => '');
    }
  }

  /** Through a server-side prepared statement: bytes travel as they are and nothing is escaped. */
  #execute(sql: string, values: readonly SqlValue[], table: string | null): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.connection.execute(sql, bindable(values), (error: QueryError | null, result) => {
        if (error)
          reject(translate(error, MYSQL.classify(error), () => MYSQL.constraintOf(error, table)));
        else resolve(result);
      });
    });
  }
}

const readOnce = async <Row>(
  pool: Knex,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly Row[]> => {
  const connection = await acquire(pool);
  try {
    return (await query(connection, sql, values)) as readonly Row[];
  } finally {
    pool.client.releaseConnection(connection);
  }
};

const query = (
  connection: Connection,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.query(sql, bindable(values), (error: QueryError | null, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });

const acquire = async (pool: Knex): Promise<Connection> => {
  try {
    return (await pool.client.acquireConnection()) as Connection;
  } catch (error) {
    throw error instanceof Error && error.name === 'KnexTimeoutError'
      ? overloaded(error)
      : unavailable(error);
  }
};

/** The driver takes bytes as Buffers. */
const bindable = (values: readonly SqlValue[]): (string | number | Buffer | null)[] =>
  values.map((value) =>
    value instanceof Uint8Array && !Buffer.isBuffer(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : value,
  );

/** About this many characters a statement; the server's packet limit is 16 MiB or more. */
const MAX_TEXT = 4 * 1024 * 1024;

/**
 * Multi-row inserts as text. A prepared statement for every number of rows would fill the server's memory, and
 * one for some numbers takes several round trips; numbers and bytes, most of a row, need no escaping at all.
 */
const insertTexts = (table: Table, rows: readonly (readonly SqlValue[])[]): readonly string[] => {
  const head = `INSERT INTO ${table.name} (${columnsOf(table)}) VALUES `;
  const texts: string[] = [];
  let text = '';
  for (const row of rows) {
    const tuple = `(${row.map(literal).join(',')})`;
    if (text !== '' && text.length + tuple.length > MAX_TEXT) {
      texts.push(text);
      text = '';
    }
    text = text === '' ? head + tuple : `${text},${tuple}`;
  }
  return text === '' ? texts : [...texts, text];
};

const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escape(value);
  return `x'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
};

/**
 * The session is the same whatever the server's defaults are: READ COMMITTED (no gap locks, and a read after a
 * lock sees what was committed meanwhile), strict (nothing is cut to fit), and UTC.
 */
const SESSION = [
  'SET NAMES utf8mb4 COLLATE utf8mb4_bin',
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 5",
];

const openPool = (url: string, size: number): Knex =>
  knex({
    client: 'mysql2',
    connection: {
      ...connectionOf(url),
      charset: 'utf8mb4',
      timezone: 'Z',
      supportBigNumbers: true,
      multipleStatements: false,
      connectTimeout: 5_000,
    } as Knex.MySql2ConnectionConfig,
    pool: {
      min: 0,
      max: size,
      afterCreate: (
        connection: Connection,
        done: (error: Error | null, connection: Connection) => void,
      ) => {
        SESSION.reduce(
          (before, sql) => before.then(() => query(connection, sql)),
          Promise.resolve<unknown>(null),
        ).then(
          () => done(null, connection),
          (error: unknown) =>
            done(error instanceof Error ? error : new Error(String(error)), connection),
        );
      },
    },
    acquireConnectionTimeout: 10_000,
    log: SILENT,
  });

const connectionOf = (
  url: string,
): { host: string; port: number; user: string; password: string; database: string } => {
  const parsed = new URL(url);
  return {
    host: parsed.hostname,
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
  };
};
