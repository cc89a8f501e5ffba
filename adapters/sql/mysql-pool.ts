import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import type * as Mysql from 'mysql2';
import type { Connection, SslOptions } from 'mysql2';
import { mysqlTarget, type MysqlTls } from './mysql-url.ts';
import { SILENT } from './silent-log.ts';
import { query } from './mysql-query.ts';

export const openPool = (url: string, size: number): Knex => {
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
      // The driver would look for places in every text. Only the statements of migrations have values beside them.
      queryFormat: (sql: string, values: unknown) =>
        Array.isArray(values) && values.length > 0 ? format(sql, values) : sql,
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
