import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { createConnection } from 'mysql2/promise';
import {
  openSqlAdapter,
  type SqlAdapter,
  type SqlAdapterOptions,
} from '../../../adapters/sql/sql-adapter.ts';
import { ROW_KEYS } from './row-keys.ts';
import { seeFolder, seeMysql } from '../runner/secret-places.ts';
import { secretWatch } from '../runner/secret-watch.ts';

/** A database of its own, migrated, for one suite. */
export interface TestDatabase {
  readonly kind: 'sqlite' | 'mysql';
  readonly url: string;
  readonly adapter: SqlAdapter;
  /** A further adapter on the same database, as another process would have; closed by `drop`. */
  another(options?: Omit<SqlAdapterOptions, 'url'>): SqlAdapter;
  /** SQL past the adapter, as somebody with the database's password would send it. */
  raw(sql: string): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: 'sqlite' | 'mysql';
  /** A fresh one; `migrated` is true unless said otherwise. */
  open(options?: { readonly migrated?: boolean }): Promise<TestDatabase>;
}

/**
 * The databases that the suites run on: SQLite always, and a server of MySQL or MariaDB. That is the one at
 * TEST_MYSQL_URL, whose user must be able to create databases, otherwise the MariaDB that the global setup started if
 * it is installed, otherwise a container if Docker is there. NOTARY_TEST_MYSQL=off leaves the server out.
 *
 * @throws Error if REQUIRE_MYSQL=1 and there is no server.
 */
export const databases = (): readonly DatabaseKind[] => {
  const mysql = mysqlSource();
  if (!mysql && process.env['REQUIRE_MYSQL'] === '1')
    throw new Error(
      'REQUIRE_MYSQL=1, but there is no server: set TEST_MYSQL_URL, install mariadb-server-core, or start Docker',
    );
  return [SQLITE, ...(mysql ? [mysqlKind(mysql)] : [])];
};

/**
 * The databases of quick suites that reach them through the whole service: SQLite alone, because the contract suites run on
 * both at each commit. With NOTARY_TEST_DATABASES=all, as `npm run test:all` sets it, those of `databases`.
 */
export const quickDatabases = (): readonly DatabaseKind[] =>
  process.env['NOTARY_TEST_DATABASES'] === 'all' ? databases() : [SQLITE];

/** For the one line that says whether the MySQL suites run. */
export const mysqlAnnouncement = (): string =>
  mysqlSource()
    ? 'MySQL suites: they run.'
    : 'MySQL suites: they did not run (set TEST_MYSQL_URL, install mariadb-server-core, or start Docker).';

const SQLITE: DatabaseKind = {
  name: 'sqlite',
  open: async (options) => {
    const directory = await mkdtemp(join(tmpdir(), 'notary-test-'));
    const file = join(directory, 'test.sqlite');
    return opened('sqlite', `sqlite://${file}`, options?.migrated ?? true, {
      raw: (sql) => {
        const database = new DatabaseSync(file, { timeout: 5_000 });
        try {
          database.exec('PRAGMA recursive_triggers = ON');
          return Promise.resolve(database.prepare(sql).all());
        } catch (error) {
          return Promise.reject(error);
        } finally {
          database.close();
        }
      },
      remove: async () => {
        if (!secretWatch.isIdle) await seeFolder(secretWatch, directory);
        await rm(directory, { recursive: true, force: true });
      },
    });
  },
};

/** On a server that a test started itself. @param url of a user who may create databases. */
export const mysqlAt = (url: string): DatabaseKind => mysqlKind(() => Promise.resolve(url));

const mysqlKind = (source: () => Promise<string>): DatabaseKind => ({
  name: 'mysql',
  open: async (options) => {
    const server = await source();
    const name = `notary_test_${randomBytes(8).toString('hex')}`;
    const run = async (url: string, sql: string): Promise<readonly Record<string, unknown>[]> => {
      const connection = await createConnection(url);
      try {
        const [rows] = await connection.query(sql);
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
      } finally {
        await connection.end();
      }
    };
    await run(server, `CREATE DATABASE ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    return opened('mysql', url.href, options?.migrated ?? true, {
      raw: (sql) => run(url.href, sql),
      remove: async () => {
        if (!secretWatch.isIdle) await seeMysql(secretWatch, (sql) => run(url.href, sql));
        await run(server, `DROP DATABASE ${name}`);
      },
    });
  },
});

const opened = async (
  kind: TestDatabase['kind'],
  url: string,
  migrated: boolean,
  { raw, remove }: { readonly raw: TestDatabase['raw']; readonly remove: () => Promise<void> },
): Promise<TestDatabase> => {
  const adapters: SqlAdapter[] = [];
  const another = (options?: Omit<SqlAdapterOptions, 'url'>): SqlAdapter => {
    const adapter = openSqlAdapter({ rowKeys: ROW_KEYS, ...options, url });
    adapters.push(adapter);
    return adapter;
  };
  const adapter = another();
  if (migrated) await adapter.migrate();
  return {
    kind,
    url,
    adapter,
    another,
    raw,
    drop: async () => {
      await Promise.all(adapters.map((each) => each.close()));
      await remove();
    },
  };
};

/** Gives the URL of a server, or null if there is none. */
const mysqlSource = (): (() => Promise<string>) | null => {
  if (process.env['NOTARY_TEST_MYSQL'] === 'off') return null;
  const url = process.env['TEST_MYSQL_URL'];
  if (url) return () => Promise.resolve(url);
  if (process.env['DOCKER_HOST'] || existsSync('/var/run/docker.sock'))
    return () => (container ??= startContainer());
  return null;
};

let container: Promise<string> | undefined;

const startContainer = async (): Promise<string> => {
  const { MySqlContainer } = await import('@testcontainers/mysql');
  const started = await new MySqlContainer('mysql:8.4').withRootPassword('root').start();
  return `mysql://root:root@${started.getHost()}:${started.getPort()}/mysql`;
};
