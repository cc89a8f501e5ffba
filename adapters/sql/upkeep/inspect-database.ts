import { isMysql } from '../mysql/mysql-database.ts';
import { mysqlTarget } from '../mysql/mysql-url.ts';
import type { Database } from '../base/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { SEALED_TABLES } from '../scan/sealed-tables.ts';
import { firstOf, type RawReader } from '../base/session.ts';

/** What is to be known of a database before anybody believes its rows. */
export interface DatabaseReport {
  /** Of all chains, milliseconds since 1970; null: nothing was sealed yet. */
  readonly newestEntryAt: number | null;
  /** Null where the database is a file. */
  readonly server: ServerReport | null;
}

export interface ServerReport {
  /** How far the clock of the server is ahead of this one's, ms. */
  readonly aheadMs: number;
  /** What the user may do to this database beyond reading and writing rows. */
  readonly excessRights: readonly string[];
  /** innodb_flush_log_at_trx_commit: 1 writes each commit to the disk. */
  readonly flushAtCommit: number;
}

export const inspectDatabase = async (url: string): Promise<DatabaseReport> =>
  withDatabase(url, async (database) => {
    const newest = await database.read.all<{ readonly at: number | null }>(
      'SELECT MAX(at) AS at FROM chain_heads',
      [],
    );
    const at = firstOf(newest)?.at ?? null;
    return {
      newestEntryAt: at === null ? null : Number(at),
      server: isMysql(database) ? await inspectServer(database.read, url) : null,
    };
  });

/** @param newestKey the name of the key that rows are sealed under now. @returns whether a row is under another one. */
export const hasRowsUnderOlderKeys = (url: string, newestKey: Uint8Array): Promise<boolean> =>
  withDatabase(url, async ({ read }) => {
    const older = async (table: string, column: string): Promise<boolean> =>
      (await read.all(`SELECT 1 FROM ${table} WHERE ${column} <> ? LIMIT 1`, [newestKey])).length >
      0;
    for (const { name } of SEALED_TABLES) if (await older(name, 'row_key')) return true;
    return older('outbox', 'number_key');
  });

const withDatabase = async <T>(url: string, look: (of: Database) => Promise<T>): Promise<T> => {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    return await look(database);
  } finally {
    await database.close();
  }
};

const inspectServer = async (read: RawReader, url: string): Promise<ServerReport> => {
  const asked = Date.now();
  const [row] = await read.all<{ readonly now: number | string; readonly flush: number }>(
    'SELECT UNIX_TIMESTAMP(SYSDATE(6)) * 1000 AS now, @@innodb_flush_log_at_trx_commit AS flush',
    [],
  );
  const answered = Date.now();
  const grants = await read.all<Readonly<Record<string, string>>>('SHOW GRANTS', []);
  return {
    aheadMs: Math.round(Number(row?.now) - (asked + answered) / 2),
    flushAtCommit: Number(row?.flush),
    excessRights: excessRightsOf(
      grants.flatMap((grant) => Object.values(grant)),
      mysqlTarget(url).database,
    ),
  };
};

/** With one of these the user can take away a trigger that keeps sealed rows, or the rows with their table. */
const EXCESS = ['ALL PRIVILEGES', 'SUPER', 'DROP', 'ALTER', 'TRIGGER'];

/** @param grants as SHOW GRANTS gives them. */
export const excessRightsOf = (grants: readonly string[], database: string): readonly string[] => {
  const found = new Set<string>();
  for (const grant of grants) {
    const [, rights, scope] = /^GRANT (.+?) ON (\S+) TO /.exec(grant) ?? [];
    if (rights === undefined || scope === undefined || !concerns(scope, database)) continue;
    const named = rights.split(',').map((right) => right.trim());
    for (const right of EXCESS) if (named.includes(right)) found.add(right);
  }
  return [...found];
};

/** A scope is *.*, or a database with a backslash before its wildcards, or one table of it. */
const concerns = (scope: string, database: string): boolean => {
  const [, of] = /^`?(.+?)`?\./.exec(scope) ?? [];
  return of === '*' || of?.replaceAll('\\', '') === database;
};
