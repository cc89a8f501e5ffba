import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { createConnection } from 'mysql2/promise';
import type { TestDatabase } from './databases.ts';

const run = promisify(execFile);

/** A backup that was restored beside the database, as an operator would. */
export interface DatabaseCopy {
  readonly url: string;
  raw(sql: string): Promise<readonly unknown[]>;
  drop(): Promise<void>;
}

/** Takes the backup now. The service may be stopped or run. */
export const copyOf = (database: TestDatabase, directory: string): Promise<DatabaseCopy> =>
  database.kind === 'sqlite' ? sqliteCopy(database, directory) : mysqlCopy(database);

const sqliteCopy = async (database: TestDatabase, directory: string): Promise<DatabaseCopy> => {
  const file = join(directory, `copy-${Date.now()}.sqlite`);
  await database.raw(`VACUUM INTO '${file}'`);
  return {
    url: `sqlite://${file}`,
    raw: (sql) => {
      const copy = new DatabaseSync(file, { timeout: 5_000 });
      try {
        return Promise.resolve(copy.prepare(sql).all());
      } finally {
        copy.close();
      }
    },
    drop: () => Promise.resolve(),
  };
};

const mysqlCopy = async ({ url }: TestDatabase): Promise<DatabaseCopy> => {
  const from = new URL(url);
  const to = new URL(url);
  to.pathname = `${from.pathname}_c`;
  const name = to.pathname.slice(1);
  const connection = await createConnection(url);
  try {
    await connection.query(`DROP DATABASE IF EXISTS ${name}`);
    await connection.query(`CREATE DATABASE ${name}`);
  } finally {
    await connection.end();
  }
  const login = `-h ${from.hostname} -P ${from.port} -u ${from.username}`;
  await run(
    'bash',
    [
      '-o',
      'pipefail',
      '-c',
      `mysqldump --single-transaction --no-tablespaces --hex-blob --triggers ${login} ${from.pathname.slice(1)} | mysql ${login} ${name}`,
    ],
    { env: { ...process.env, MYSQL_PWD: decodeURIComponent(from.password) } },
  );
  const raw = async (sql: string): Promise<readonly unknown[]> => {
    const again = await createConnection(to.href);
    try {
      const [rows] = await again.query(sql);
      return Array.isArray(rows) ? rows : [];
    } finally {
      await again.end();
    }
  };
  return { url: to.href, raw, drop: async () => void (await raw(`DROP DATABASE ${name}`)) };
};
