import { DatabaseSync } from '@photostructure/sqlite';
import BetterSqlite3Client from 'knex/lib/dialects/better-sqlite3/index.js';
import type { SqlValue } from '../base/session.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { onceUnlocked } from './sqlite-wait.ts';

interface Query {
  sql: string;
  bindings?: readonly unknown[];
  response?: unknown;
  context?: unknown;
}

/** Knex's better-sqlite3 dialect on the embedded SQLite, which needs no compiler. */
export class SqliteClient extends BetterSqlite3Client {
  override _driver(): unknown {
    return DatabaseSync;
  }

  override acquireRawConnection(): Promise<SqliteConnection> {
    const { filename } = this.connectionSettings;
    return onceUnlocked(() => new SqliteConnection({ filename, readOnly: false }), LOCK_WAIT_MS);
  }

  override destroyRawConnection(connection: SqliteConnection): Promise<void> {
    return Promise.resolve(connection.close());
  }

  override _query(connection: SqliteConnection, query: Query): Promise<Query> {
    const run = (): Query => {
      // Knex would send a plain BEGIN, which takes the write lock only at the first write and may
      // then fail as busy.
      const sql = /^BEGIN;?$/.test(query.sql) ? 'BEGIN IMMEDIATE' : query.sql;
      const result = connection.any(sql, (query.bindings ?? []).map(bindable));
      if ('rows' in result) query.response = result.rows;
      else {
        query.response = result;
        query.context = { lastID: result.lastInsertRowid, changes: result.changes };
      }
      return query;
    };
    // In a transaction the answer is for whoever began it.
    return connection.inTransaction ? Promise.resolve().then(run) : onceUnlocked(run, LOCK_WAIT_MS);
  }
}

/** How long to wait for another process that opens, closes or restores the file, ms. */
const LOCK_WAIT_MS = 5_000;

const bindable = (value: unknown): SqlValue => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array)
    return value;
  throw new TypeError(`cannot bind a ${typeof value}`);
};
