import type { Knex } from 'knex';
import type { Connection } from 'mysql2';
import { printable } from '../../../domain/kernel/printable.ts';
import { rootCause } from '../../../domain/kernel/root-cause.ts';
import { DatabaseError, translate, unavailable } from '../base/database-error.ts';
import type { Database } from '../base/database.ts';
import type { SqliteConnection } from '../sqlite/sqlite-connection.ts';
import { onceUnlocked } from '../sqlite/sqlite-wait.ts';
import { withAnySilence } from '../mysql/mysql-pool.ts';
import { query } from '../mysql/mysql-query.ts';
import { createTable, type TableDefinition } from '../schema/create-table.ts';
import { exactCollation } from '../schema/exact-collation.ts';
import {
  MIGRATIONS,
  NOT_CARRIED_OVER,
  refusalOf,
  type SchemaRefusal,
  type SchemaSession,
} from '../schema/migrations.ts';

export interface MigrationState {
  /** Migrations that this program knows and the database has not run. */
  readonly pending: readonly string[];
  /** Migrations that the database has run and this program does not know. */
  readonly unknown: readonly string[];
  /** Why this program cannot use the database, as a sentence for the operator; null if it can. */
  readonly refusal: {
    readonly kind: SchemaRefusal['kind'] | 'foreign';
    readonly sentence: string;
  } | null;
}

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait and find
 * nothing to do.
 *
 * @throws Error if the database is newer than this program, or was made by an earlier build. Nothing is written then.
 */
export const migrate = async (database: Database): Promise<void> => {
  const { pending, refusal } = await migrationState(database);
  if (refusal !== null) throw new UnknownSchemaError(refusal.sentence);
  if (pending.length === 0) return;
  try {
    await (database.dialect.name === 'mysql' ? onMysql : onSqlite)(database.writer, runPending);
  } catch (error) {
    throw ownError(database, error);
  }
};

/** @throws Error if the database is newer than this program, or was made by an earlier build. */
export const assertKnownSchema = async (database: Database): Promise<void> => {
  const { refusal } = await migrationState(database);
  if (refusal !== null) throw new UnknownSchemaError(refusal.sentence);
};

export const migrationState = async (database: Database): Promise<MigrationState> => {
  const hasTable = await database.writer.schema.hasTable(TABLE.name).catch((error: unknown) => {
    throw ownError(database, error);
  });
  if (hasTable) return ranState(database);
  const tables = (await database.read.all<Ran>(TABLES_OF[database.dialect.name], [])).map(
    ({ name }) => name,
  );
  // Another process may have begun to migrate meanwhile.
  if (tables.includes(TABLE.name)) return ranState(database);
  return tables.length === 0 ? stateOf([]) : foreign(database, tables[0]!);
};

const ranState = async (database: Database): Promise<MigrationState> => {
  try {
    return stateOf(await database.read.all<Ran>(RAN, []));
  } catch (error) {
    // Rails and golang-migrate name a table of their own like this one, and it has other columns.
    if (!NO_COLUMN.test(rootCause(error))) throw error;
    return foreign(database, TABLE.name);
  }
};

const NO_COLUMN = /no such column|unknown column/i;

/** Names of every table but those that SQLite makes for itself. */
const TABLES_OF = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name`,
  mysql:
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY name",
} as const;

const foreign = ({ dialect }: Database, table: string): MigrationState => ({
  ...stateOf([]),
  refusal: {
    kind: 'foreign',
    sentence: `This ${dialect.name === 'sqlite' ? 'file' : 'database'} holds tables of another program, such as ${printable(table)}, and none of a notary. Set DATABASE_URL or DATA_DIR to the database of the notary, or to an empty one.`,
  },
});

interface Ran {
  readonly name: string;
}

/** One row per migration that the database has run. */
const TABLE: TableDefinition = {
  name: 'schema_migrations',
  columns: { name: 'key', applied_at: 'time' },
  primaryKey: ['name'],
};

const RAN = `SELECT name FROM ${TABLE.name}`;

const stateOf = (rows: readonly Ran[]): MigrationState => {
  const ran = rows.map(({ name }) => name);
  const known = MIGRATIONS.map(({ name }) => name);
  const refusal = refusalOf(ran);
  return {
    pending: known.filter((name) => !ran.includes(name)),
    unknown: ran.filter((name) => !known.includes(name)),
    refusal: refusal && { kind: refusal.kind, sentence: sentenceOf(refusal) },
  };
};

const sentenceOf = (refusal: SchemaRefusal): string =>
  refusal.kind === 'newer'
    ? `The database is newer than this program: it has run ${refusal.names}. Start the release that made it, or a later one.`
    : `This database was made by a build before 0.1.0 (${refusal.trace}). ${NOT_CARRIED_OVER}`;

class UnknownSchemaError extends Error {
  override readonly name = 'UnknownSchemaError';
}

/** The message is for the operator who starts the program; it contains no value of a row. */
const ownError = ({ dialect }: Database, error: unknown): Error => {
  if (error instanceof UnknownSchemaError) return error;
  const failure = dialect.classify(error);
  if (failure === 'lost') return unavailable(error);
  if (failure === 'full' || failure === 'read-only' || failure === 'damaged')
    return translate(error, failure, () => '');
  return new DatabaseError(
    `The database cannot be migrated: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
};

/** Reads the state again, because another process may have migrated while this one waited for the lock. */
const runPending = async (session: SchemaSession): Promise<void> => {
  await session.run(createTable(TABLE, session.target));
  const { pending, refusal } = stateOf((await session.all(RAN)) as readonly Ran[]);
  if (refusal !== null) throw new UnknownSchemaError(refusal.sentence);
  for (const { name, up } of MIGRATIONS) {
    if (!pending.includes(name)) continue;
    await up(session);
    await session.run([
      `INSERT INTO ${TABLE.name} (name, applied_at) VALUES ('${name}', ${Date.now()})`,
    ]);
  }
};

/** How long to wait for another process's migration, seconds. */
const LOCK_WAIT_SECONDS = 300;

/**
 * Names of locks are shared by the whole server, so this one contains the name of the schema; at
 * most 64 characters.
 */
const LOCK_NAME = "CONCAT('notary-migrate-', LEFT(SHA2(DATABASE(), 256), 32))";

/** A named lock belongs to its connection, so it is released when the process dies. */
const onMysql = async (
  pool: Knex,
  work: (session: SchemaSession) => Promise<void>,
): Promise<void> => {
  const connection = (await pool.client.acquireConnection()) as Connection;
  const all = async (sql: string): Promise<readonly unknown[]> =>
    (await query(connection, sql)) as readonly unknown[];
  try {
    await withAnySilence(connection, async () => {
      const [lock] = (await all(
        `SELECT GET_LOCK(${LOCK_NAME}, ${LOCK_WAIT_SECONDS}) AS answer`,
      )) as readonly { readonly answer: number | null }[];
      if (Number(lock?.answer) !== 1)
        throw new Error('another process has been migrating this database for too long');
      await work({
        target: { database: 'mysql', collation: await exactCollation(all) },
        all,
        // One by one: in a script, MySQL would store the separator as a part of a trigger's body.
        run: async (statements) => {
          for (const sql of statements) await query(connection, sql);
        },
      });
      await all(`SELECT RELEASE_LOCK(${LOCK_NAME}) AS answer`);
    });
  } catch (error) {
    // The lock ends with its connection, so other processes do not wait for it longer.
    connection.destroy();
    throw error;
  } finally {
    pool.client.releaseConnection(connection);
  }
};

/** One transaction for all migrations, begun as a writer: DDL is transactional in SQLite. */
const onSqlite = async (
  pool: Knex,
  work: (session: SchemaSession) => Promise<void>,
): Promise<void> => {
  const connection = (await pool.client.acquireConnection()) as SqliteConnection;
  try {
    await onceUnlocked(() => connection.exec('BEGIN IMMEDIATE'), LOCK_WAIT_SECONDS * 1_000);
    await work({
      target: { database: 'sqlite' },
      all: async (sql) => connection.all(sql, []),
      run: async (statements) => connection.exec(statements.join(';\n')),
    });
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  } finally {
    pool.client.releaseConnection(connection);
  }
};
