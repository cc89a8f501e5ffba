import type { Knex } from 'knex';
import type { Connection } from 'mysql2';
import type { Database } from '../base/database.ts';
import { overloaded, readFailure, unavailable } from '../base/database-error.ts';
import { MYSQL } from './mysql.ts';
import { openPool, withAnySilence } from './mysql-pool.ts';
import { query, queryWithin } from './mysql-query.ts';
import { MysqlTransaction } from './mysql-transaction.ts';
import { poolState } from '../base/pool-state.ts';
import type { RawReader, SqlValue } from '../base/session.ts';
import { writeTrial } from '../commit/write-trial.ts';

/** A connection that has not answered after this time is given up, ms. */
const PING_MS = 800;

export interface MysqlDatabase extends Database {
  begin(): Promise<MysqlTransaction>;
}

export const isMysql = (database: Database): database is MysqlDatabase =>
  database.dialect.name === 'mysql';

/** @param maxSilenceSeconds MAX_SILENCE_S, unless told. */
export const openMysql = (
  url: string,
  poolSize: number,
  maxSilenceSeconds?: number,
): MysqlDatabase => {
  const pool = openPool(url, poolSize, maxSilenceSeconds);
  const begin = async (): Promise<MysqlTransaction> =>
    // The BEGIN goes with the first statement.
    new MysqlTransaction(pool, await acquire(pool));
  return {
    dialect: MYSQL,
    writer: pool,
    readWide: null,
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
    begin,
    snapshot: (work) => withSnapshot(pool, work),
    tryWrite: async (bytes) => {
      const transaction = await begin();
      try {
        await writeTrial(transaction, bytes);
      } finally {
        await transaction.rollback();
      }
    },
    join: () => [],
    isOneMachine: false,
    // Its transactions run side by side.
    isAwaited: () => false,
    pool: () => poolState(pool),
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

const withSnapshot = async <T>(pool: Knex, work: (reader: RawReader) => Promise<T>): Promise<T> => {
  const connection = await acquire(pool);
  try {
    return await withAnySilence(connection, async () => {
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
    });
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
