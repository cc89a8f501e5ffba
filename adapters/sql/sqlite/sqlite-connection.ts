import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import type { SqlValue } from '../base/session.ts';
import { identityOf } from './moved-file.ts';
import { assertNoOrphans } from './orphaned-files.ts';

export interface SqliteOptions {
  readonly filename: string;
  /** Refuses every write. */
  readonly readOnly: boolean;
}

interface Prepared {
  readonly statement: StatementSyncInstance;
  /** The names of the columns of its rows; empty where it returns none. */
  readonly columns: readonly string[];
  /** A row without values, to be copied and filled. */
  readonly template: object;
}

/**
 * One open database file, with its prepared statements cached by their text: preparing costs more
 * than running.
 *
 * The wait for another process's lock is short, because it blocks this whole process. A caller who
 * can wait longer tries again from outside, while the event loop runs.
 */
export class SqliteConnection {
  readonly database: InstanceType<typeof DatabaseSync>;
  /** See identityOf; null for a database in memory. */
  readonly identity: string | null;
  readonly #prepared = new Map<string, Prepared>();

  constructor(options: SqliteOptions) {
    if (options.filename !== ':memory:') {
      assertNoOrphans(options.filename);
      createFile(options.filename);
    }
    this.database = new DatabaseSync(options.filename, {
      timeout: SHORT_WAIT_MS,
      enableForeignKeyConstraints: true,
    });
    this.identity = options.filename === ':memory:' ? null : identityOf(options.filename);
    try {
      const pragmas = options.readOnly ? READER_PRAGMAS : WRITER_PRAGMAS;
      for (const pragma of pragmas) this.database.exec(`PRAGMA ${pragma}`);
      if (!options.readOnly && !isForeign(this.database))
        this.database.exec('PRAGMA journal_mode = WAL');
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** Bytes are Uint8Array. */
  all(sql: string, values: readonly SqlValue[]): readonly unknown[] {
    return rowsOf(this.#prepare(sql), values);
  }

  run(sql: string, values: readonly SqlValue[]): number {
    return this.#prepare(sql).statement.run(...values).changes;
  }

  /** For Knex, which does not say whether it expects rows. */
  any(
    sql: string,
    values: readonly SqlValue[],
  ):
    | { readonly rows: readonly unknown[] }
    | { readonly changes: number; readonly lastInsertRowid: number | bigint } {
    const prepared = this.#prepare(sql);
    return prepared.columns.length > 0
      ? { rows: rowsOf(prepared, values) }
      : prepared.statement.run(...values);
  }

  /** For statements that must not stay prepared: DDL and transaction control. */
  exec(sql: string): void {
    this.database.exec(sql);
  }

  get inTransaction(): boolean {
    return this.database.isTransaction;
  }

  close(): void {
    this.#prepared.clear();
    if (this.database.isOpen) this.database.close();
  }

  #prepare(sql: string): Prepared {
    const kept = this.#prepared.get(sql);
    if (kept) return kept;
    const statement = this.database.prepare(keepingPlan(sql));
    const columns = statement.columns().map(({ name }) => name);
    const template = JSON.parse(
      `{${[...new Set(columns)].map((name) => `${JSON.stringify(name)}:null`).join()}}`,
    ) as object;
    if (columns.length > 0) statement.setReturnArrays(true);
    const prepared = { statement, columns, template };
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/**
 * SQLite plans by the value of a bound LIMIT, and so plans a statement anew whenever one is bound: a page took 40 us more. It
 * does not look behind a CAST (sqlite.org/lang_select.html: a LIMIT is any scalar expression).
 */
const keepingPlan = (sql: string): string =>
  sql.replace(/\blimit \?/gi, 'LIMIT CAST(? AS INTEGER)');

/** Of SQLite itself, before whoever asked tries again. */
const SHORT_WAIT_MS = 10;

const MAX_PREPARED = 500;

/**
 * The driver gives the values of a row in the order of the columns, for it takes twice as long to make an object of them.
 *
 * A whole number beyond those of a double comes as text, as MySQL gives it. The service writes none, but one that somebody
 * else wrote must not keep every other row from being read.
 */
const rowsOf = (prepared: Prepared, values: readonly SqlValue[]): readonly unknown[] => {
  const { statement } = prepared;
  try {
    return rowsFrom(prepared, statement.all(...values));
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(TOO_LARGE)) throw error;
    statement.setReadBigInts(true);
    try {
      const rows: readonly (readonly unknown[])[] = statement.all(...values);
      return rowsFrom(
        prepared,
        rows.map((row) =>
          row.map((value) => (typeof value === 'bigint' ? numberOf(value) : value)),
        ),
      );
    } finally {
      statement.setReadBigInts(false);
    }
  }
};

const rowsFrom = (
  { columns, template }: Prepared,
  rows: readonly (readonly unknown[])[],
): readonly object[] =>
  rows.map((values) => {
    const row: Record<string, unknown> = { ...template };
    for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
    return row;
  });

const TOO_LARGE = 'too large to be represented as a JavaScript number';

const numberOf = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

/**
 * With permissions for the owner only, which SQLite gives its log files as well.
 *
 * A file that is there is not opened: POSIX drops every lock of a process on a file as soon as the
 * process closes any descriptor of it. Another process would then find the database unused, and
 * delete the log with what was committed to it (sqlite.org/howtocorrupt.html, section 2.2).
 */
const createFile = (filename: string): void => {
  try {
    closeSync(openSync(filename, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

/**
 * Whether the file holds tables and none of a notary. Its journal mode is then left as another program set it.
 *
 * The answer comes as an error, because the driver has no way to finalize a prepared statement, and one that is left for
 * the garbage collector keeps the file locked after its database is closed.
 */
const isForeign = (database: InstanceType<typeof DatabaseSync>): boolean => {
  try {
    database.exec(FAILS_IF_FOREIGN);
    return false;
  } catch (error) {
    if (error instanceof Error && error.message.includes('malformed JSON')) return true;
    throw error;
  }
};

const FAILS_IF_FOREIGN = `
  SELECT json('') WHERE EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table')
    AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations')`;

export const CACHE_SIZE = 'cache_size = -16000';
/**
 * Without recursive_triggers, REPLACE would delete rows without firing the append-only triggers.
 */
const WRITER_PRAGMAS = [
  // SQLite takes it only while the file has no content.
  'page_size = 8192',
  'synchronous = FULL',
  'recursive_triggers = ON',
  'trusted_schema = OFF',
  CACHE_SIZE,
  'wal_autocheckpoint = 2000',
];
const READER_PRAGMAS = ['query_only = ON', 'trusted_schema = OFF', CACHE_SIZE];
