import type { Knex } from 'knex';
import type { Connection, QueryError, ResultSetHeader } from 'mysql2';
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
import type { RawReader, SqlValue, Table } from './session.ts';
import { bindable, query, queryWithin } from './mysql-query.ts';
import { insertTexts } from './mysql-insert-text.ts';
import { openPool } from './mysql-pool.ts';

/** A connection that has not answered after this time is given up, ms. */
const PING_MS = 800;

export const openMysql = (url: string, poolSize: number): Database => {
  const pool = openPool(url, poolSize);
  return {
    dialect: MYSQL,
    writer: pool,
    read: {
      all: async <Row>(sql: string, values: readonly SqlValue[]) => {
        // A connection that the server has closed is noticed only when it is used, so a read is
        // tried once more.
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
    snapshot: (work) => withSnapshot(pool, work),
    join: () => [],
    ping: async () => {
      const connection = await acquire(pool);
      try {
        await queryWithin(connection, PING_MS, 'SELECT 1');
      } catch (error) {
        throw unavailable(error);
      } finally {
        pool.client.releaseConnection(connection);
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
      // Galera certifies at the commit, and a conflict there is a clean refusal. After any other
      // error the commit may have taken effect.
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
      // The pool drops a destroyed connection, and the server rolls back its open transaction.
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

  /** Uses a server-side prepared statement: bytes are sent unchanged and nothing is escaped. */
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

const withSnapshot = async <T>(pool: Knex, work: (reader: RawReader) => Promise<T>): Promise<T> => {
  const connection = await acquire(pool);
  try {
    for (const sql of SNAPSHOT) await query(connection, sql);
    const result = await work({
      all: async <Row>(sql: string, values: readonly SqlValue[]) => {
        try {
          return (await query(connection, sql, values)) as readonly Row[];
        } catch (error) {
          throw readFailure(error, MYSQL.classify(error));
        }
      },
    });
    await query(connection, 'COMMIT');
    return result;
  } catch (error) {
    // The server ends the transaction of a connection that is gone.
    connection.destroy();
    throw error;
  } finally {
    pool.client.releaseConnection(connection);
  }
};

/** The isolation level holds for the one transaction that follows. */
const SNAPSHOT = [
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
];

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

const acquire = async (pool: Knex): Promise<Connection> => {
  try {
    return (await pool.client.acquireConnection()) as Connection;
  } catch (error) {
    throw error instanceof Error && error.name === 'KnexTimeoutError'
      ? overloaded(error)
      : unavailable(error);
  }
};
