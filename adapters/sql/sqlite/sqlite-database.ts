import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import knex, { type Knex } from 'knex';
import type { Database, PoolState } from '../base/database.ts';
import { damaged, notOpened, overloaded } from '../base/database-error.ts';
import { SqliteClient } from './sqlite-client.ts';
import { CACHE_SIZE, type SqliteConnection } from './sqlite-connection.ts';
import { SQLITE } from './sqlite.ts';
import { FileWatch } from './moved-file.ts';
import { SqlitePresence } from './sqlite-presence.ts';
import { SqliteReader } from './sqlite-reader.ts';
import { SqliteReaderThread } from './sqlite-reader-thread.ts';
import { SqliteTransaction } from './sqlite-transaction.ts';
import { SILENT } from '../base/silent-log.ts';
import { poolState } from '../base/pool-state.ts';
import type { RawReader } from '../base/session.ts';
import { writeTrial } from '../commit/write-trial.ts';

/** To begin takes no longer where nobody else writes: SQLite itself waits for a millisecond before it looks again. */
const NO_WAIT_MS = 1;
/** Two processes that write all the time meet more often than this, ms. */
const LATELY_MS = 250;
/** A writer that has waited for so long is stuck: nothing can be stored. */
const STUCK_MS = 1_000;

export const openSqlite = (filename: string): Database => {
  mkdirSync(dirname(filename), { recursive: true, mode: 0o700 });
  const writer = open(filename);
  const reader = new SqliteReader(filename);
  const thread = new SqliteReaderThread(filename);
  const presence = new SqlitePresence(filename);
  const file = new FileWatch(filename);
  const assertSameFile = (): void => {
    try {
      file.assertSame();
    } catch (error) {
      throw damaged(error);
    }
  };
  /** Since when a transaction has been waiting to begin, ms; null where none has. */
  let waitingSince: number | null = null;
  /** When a transaction waited last for that of another process, ms. */
  let waitedAt = -Infinity;
  const begin = async (): Promise<SqliteTransaction> => {
    assertSameFile();
    const connection = await acquire(writer);
    file.opened(connection.identity);
    waitingSince ??= performance.now();
    try {
      const began = performance.now();
      const transaction = await SqliteTransaction.begin(writer, connection);
      if (performance.now() - began > NO_WAIT_MS) waitedAt = performance.now();
      return transaction;
    } catch (error) {
      writer.client.releaseConnection(connection);
      throw error;
    } finally {
      waitingSince = null;
    }
  };
  return {
    dialect: SQLITE,
    writer,
    read: reader,
    readWide: thread,
    begin,
    snapshot: (work) => withSnapshot(filename, work),
    tryWrite: async (bytes) => {
      const transaction = await begin();
      try {
        // SQLite writes a page to the disk before the commit only if its cache has no room for it.
        await transaction.run(TINY_CACHE, []);
        await writeTrial(transaction, bytes);
      } finally {
        await transaction.run(WRITER_CACHE, []).catch(() => undefined);
        await transaction.rollback();
      }
    },
    join: () => presence.join(),
    isOneMachine: true,
    pool: () => sumOf(poolState(writer), reader.state()),
    isAwaited: () => performance.now() - waitedAt < LATELY_MS,
    ping: async () => {
      assertSameFile();
      if (waitingSince !== null && performance.now() - waitingSince > STUCK_MS)
        throw overloaded(new Error('the writer has been waiting for the lock of another process'));
      // It reads the file, as a SELECT 1 would not.
      await reader.all('SELECT 1 FROM sqlite_master LIMIT 1', []);
    },
    close: async () => {
      presence.leave();
      await Promise.all([reader.close(), thread.close()]);
      await writer.destroy();
    },
  };
};

const TINY_CACHE = 'PRAGMA cache_size = 10';
const WRITER_CACHE = `PRAGMA ${CACHE_SIZE}`;

/** A read transaction on a connection of its own. */
const withSnapshot = async <T>(
  filename: string,
  work: (reader: RawReader) => Promise<T>,
): Promise<T> => {
  const reader = new SqliteReader(filename);
  try {
    // The moment is that of the first read after BEGIN.
    await reader.all('BEGIN', []);
    await reader.all('SELECT 1 FROM sqlite_master LIMIT 1', []);
    return await work(reader);
  } finally {
    await reader.close();
  }
};

const sumOf = (a: PoolState, b: PoolState): PoolState => ({
  used: a.used + b.used,
  free: a.free + b.free,
  waiting: a.waiting + b.waiting,
});

const acquire = async (pool: Knex): Promise<SqliteConnection> => {
  try {
    return (await pool.client.acquireConnection()) as SqliteConnection;
  } catch (error) {
    throw notOpened(error, SQLITE.classify(error));
  }
};

const open = (filename: string): Knex =>
  knex({
    // Knex's types describe its own clients only, and SqliteClient extends one that has no types.
    client: SqliteClient as unknown as typeof Knex.Client,
    useNullAsDefault: true,
    connection: { filename },
    pool: { min: 0, max: 1, idleTimeoutMillis: 2 ** 31 - 1 },
    acquireConnectionTimeout: 2 ** 31 - 1,
    log: SILENT,
  });
