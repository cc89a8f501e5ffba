import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Connection } from 'mysql2';
import type { Database } from './database.ts';
import { DatabaseError, unavailable } from './database-error.ts';
import { MIGRATIONS, type Migration } from './migrations/list.ts';
import { withAnySilence } from './mysql-pool.ts';

export interface MigrationState {
  /** Migrations that this program knows and the database has not run. */
  readonly pending: readonly string[];
  /** Migrations that the database has run and this program does not know: the database is newer. */
  readonly unknown: readonly string[];
}

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait and find
 * nothing to do.
 *
 * @throws Error where the database is newer than this program.
 */
export const migrate = async (database: Database): Promise<void> => {
  await assertNotNewer(database);
  const knex = database.writer;
  try {
    if (database.dialect.name === 'mysql') await withMysqlLock(knex, () => latest(knex));
    else await withSqliteLock(() => knex.transaction((transaction) => latest(transaction)));
  } catch (error) {
    throw ownError(database, error);
  }
};

/** @throws Error where the database is newer than this program. */
export const assertNotNewer = async (database: Database): Promise<void> => {
  const { unknown } = await migrationState(database);
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this program: it has run ${unknown.join(', ')}. Start the release that made it, or a later one.`,
    );
  }
};

export const migrationState = async (database: Database): Promise<MigrationState> => {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const hasTable = await database.writer.schema.hasTable(TABLE).catch((error: unknown) => {
    throw ownError(database, error);
  });
  const rows = hasTable
    ? await database.read.all<{ readonly name: string }>(`SELECT name FROM ${TABLE}`, [])
    : [];
  const ran = new Set(rows.map(({ name }) => name));
  return {
    pending: [...known].filter((name) => !ran.has(name)),
    unknown: [...ran].filter((name) => !known.has(name)),
  };
};

const TABLE = 'schema_migrations';

/** The message is for the operator who starts the program; no value of a row is in it. */
const ownError = ({ dialect }: Database, error: unknown): Error => {
  if (dialect.classify(error) === 'lost') return unavailable(error);
  return new DatabaseError(
    `The database cannot be migrated: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
};

const latest = async (knex: Knex): Promise<void> => {
  const config: Knex.MigratorConfig = {
    migrationSource: SOURCE,
    tableName: TABLE,
    disableTransactions: true,
  };
  // This process holds the real lock; a flag in Knex's own lock table was left by a process that
  // died.
  await knex.migrate.list(config);
  await knex.migrate.forceFreeMigrationsLock(config);
  await knex.migrate.latest(config);
};

const SOURCE: Knex.MigrationSource<Migration> = {
  getMigrations: () => Promise.resolve([...MIGRATIONS]),
  getMigrationName: ({ name }) => name,
  getMigration: ({ up }) =>
    Promise.resolve({ up, down: () => Promise.reject(new Error('migrations go forward only')) }),
};

/** How long to wait for another process's migration, seconds. */
const LOCK_WAIT_SECONDS = 300;

/**
 * Names of locks are shared by the whole server, so this one contains the name of the schema; at
 * most 64 characters.
 */
const LOCK_NAME = "CONCAT('notary-migrate-', LEFT(SHA2(DATABASE(), 256), 32))";

/** A named lock belongs to its connection, so it is released when the process dies. */
const withMysqlLock = async (knex: Knex, run: () => Promise<void>): Promise<void> => {
  const connection = (await knex.client.acquireConnection()) as Connection;
  const ask = async (sql: string): Promise<number | null> => {
    const [rows] = (await knex.raw(sql).connection(connection)) as [
      { readonly answer: number | null }[],
    ];
    return rows[0]?.answer ?? null;
  };
  try {
    await withAnySilence(connection, async () => {
      const held = await ask(`SELECT GET_LOCK(${LOCK_NAME}, ${LOCK_WAIT_SECONDS}) AS answer`);
      if (Number(held) !== 1)
        throw new Error('another process has been migrating this database for too long');
      await run();
      await ask(`SELECT RELEASE_LOCK(${LOCK_NAME}) AS answer`);
    });
  } catch (error) {
    // The lock ends with its connection, and nobody waits for it longer.
    connection.destroy();
    throw error;
  } finally {
    knex.client.releaseConnection(connection);
  }
};

/** One transaction for all migrations, begun as a writer: DDL is transactional in SQLite. */
const withSqliteLock = async (run: () => Promise<void>): Promise<void> => {
  const giveUpAt = Date.now() + LOCK_WAIT_SECONDS * 1000;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const busy =
        error instanceof Error &&
        'errcode' in error &&
        typeof error.errcode === 'number' &&
        (error.errcode & 0xff) === 5;
      if (!busy || Date.now() > giveUpAt) throw error;
    }
    await sleep(20 + Math.random() * 30);
  }
};
