import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import type * as Mysql from 'mysql2';
import type { Connection, SslOptions } from 'mysql2';
import { readyForGalera } from './galera.ts';
import { mysqlTarget, type MysqlTls } from './mysql-url.ts';
import { SILENT } from '../base/silent-log.ts';
import { query } from './mysql-query.ts';

/**
 * The server rolls back the transaction of a connection that says nothing for so long, s: whoever holds it is frozen or cut
 * off, and all others wait for its locks. No unit of work that is awake is silent for so long (MAX_TURN_MS).
 */
export const MAX_SILENCE_S = 15;

export const openPool = (url: string, size: number, maxSilenceSeconds = MAX_SILENCE_S): Knex => {
  // Loaded here: on SQLite nobody needs the driver.
  const { format } = createRequire(import.meta.url)('mysql2') as typeof Mysql;
  return knex({
    client: 'mysql2',
    connection: {
      ...connectionOf(url),
      charset: 'utf8mb4',
      timezone: 'Z',
      supportBigNumbers: true,
      // No value stands in a statement but as digits: see `literal`.
      multipleStatements: true,
      // The driver would search every text for placeholders. Only Knex's own statements have values apart from their text.
      queryFormat: (sql: string, values: unknown) =>
        Array.isArray(values) && values.length > 0 ? format(sql, values) : sql,
      connectTimeout: 5_000,
    } as Knex.MySql2ConnectionConfig,
    pool: {
      min: 0,
      max: size,
      // Before the server does.
      idleTimeoutMillis: (maxSilenceSeconds * 1_000) / 2,
      afterCreate: (
        connection: Connection,
        done: (error: Error | null, connection: Connection) => void,
      ) => {
        prepare(connection, maxSilenceSeconds).then(
          () => done(null, connection),
          (error: unknown) =>
            done(error instanceof Error ? error : new Error(String(error)), connection),
        );
      },
    },
    acquireConnectionTimeout: 10_000,
    log: SILENT,
  });
};

const connectionOf = (url: string): Pick<Knex.MySql2ConnectionConfig, 'host' | 'ssl'> => {
  const { tls, ...target } = mysqlTarget(url);
  return tls === null ? target : { ...target, ssl: tlsOptions(tls) as object };
};

const tlsOptions = ({ verifiesHost, caFile, certFile, keyFile }: MysqlTls): SslOptions => ({
  minVersion: 'TLSv1.2',
  rejectUnauthorized: true,
  verifyIdentity: verifiesHost,
  ...(caFile === null ? {} : { ca: readFileSync(caFile, 'utf8') }),
  ...(certFile === null ? {} : { cert: readFileSync(certFile, 'utf8') }),
  ...(keyFile === null ? {} : { key: readFileSync(keyFile, 'utf8') }),
});

/**
 * The session settings, whatever the defaults of the server: READ COMMITTED (no gap locks, and a
 * read after a lock sees what was committed meanwhile), strict mode (no value is truncated), and
 * UTC.
 */
const SESSION = [
  'SET NAMES utf8mb4 COLLATE utf8mb4_bin',
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 5",
];

const prepare = async (connection: Connection, maxSilenceSeconds: number): Promise<void> => {
  for (const sql of [...SESSION, silence(maxSilenceSeconds)]) await query(connection, sql);
  await readyForGalera(connection);
};

const silence = (seconds: number): string => `SET SESSION wait_timeout = ${seconds}`;

/** Longer than anything that is done between two statements: 8 h, the default of the server. */
const ANY_SILENCE = silence(28_800);

/** Runs what leaves the connection alone for long, and holds no lock on which a call waits. */
export const withAnySilence = async <T>(
  connection: Connection,
  work: () => Promise<T>,
): Promise<T> => {
  const before = (await query(connection, 'SELECT @@SESSION.wait_timeout AS seconds')) as readonly {
    readonly seconds: number;
  }[];
  await query(connection, ANY_SILENCE);
  const result = await work();
  await query(connection, silence(before[0]!.seconds));
  return result;
};
