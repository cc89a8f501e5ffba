import type { Database } from '../base/database.ts';
import { openMysql } from '../mysql/mysql-database.ts';
import { openSqlite } from '../sqlite/sqlite-database.ts';

export interface DatabaseOptions {
  /** `sqlite://PATH` or `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** Connections to MySQL. */
  readonly poolSize?: number;
}

/** @throws TypeError on a URL of another kind. */
export const openDatabase = (options: DatabaseOptions): Database => {
  if (options.url.startsWith('sqlite://')) return openSqlite(options.url.slice('sqlite://'.length));
  if (/^mysql2?:\/\//.test(options.url)) return openMysql(options.url, options.poolSize ?? 10);
  throw new TypeError('the database URL must begin with sqlite:// or mysql://');
};
