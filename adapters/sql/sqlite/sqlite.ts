import { RETIRED_KEY_MESSAGE } from '../base/database-error.ts';
import { MovedFileError } from './moved-file.ts';
import type { Dialect } from '../base/dialect.ts';

const UNIQUE = 2067;
const PRIMARY_KEY = 1555;
const ROW_ID = 2579;
const TRIGGER = 1811;
/** Primary result codes (the low byte of an extended one): BUSY, LOCKED; FULL; READONLY; CORRUPT, NOTADB; IOERR, CANTOPEN. */
const CONTENTION: ReadonlySet<number> = new Set([5, 6]);
const FULL = 13;
const READONLY = 8;
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);
const LOST: ReadonlySet<number> = new Set([10, 14]);
/** SQLITE_IOERR_SHMSIZE: the index of the log cannot grow, which a full disk causes as well. */
const SHM_SIZE = 4874;
/** SQLITE_READONLY_DBMOVED: the file was renamed or removed. */
const DB_MOVED = 1032;

export const SQLITE: Dialect = {
  name: 'sqlite',
  forUpdate: '',
  forShare: '',
  now: "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)",
  get statementTime() {
    return this.now;
  },
  byIndex: (index) => `INDEXED BY ${index}`,
  distinctAfter: (table, column) => `
    WITH RECURSIVE jumps (${column}) AS (
      SELECT MIN(${column}) FROM ${table} WHERE ${column} > ?
      UNION ALL
      SELECT (SELECT MIN(t.${column}) FROM ${table} t WHERE t.${column} > jumps.${column})
      FROM jumps WHERE jumps.${column} IS NOT NULL
      LIMIT ?
    )
    SELECT ${column} FROM jumps WHERE ${column} IS NOT NULL`,
  // hex() of NULL is empty text.
  shortBytes: (column) => `nullif(hex(${column}), '') AS ${column}`,
  insertIgnore: 'INSERT OR IGNORE',
  defersChanges: false,
  hasOneWriter: true,
  begin: 'BEGIN IMMEDIATE',
  classify: (error) => {
    if (error instanceof MovedFileError) return 'damaged';
    const code = errcodeOf(error);
    if (code === UNIQUE || code === PRIMARY_KEY || code === ROW_ID) return 'duplicate';
    if (code === TRIGGER && messageOf(error).includes(RETIRED_KEY_MESSAGE)) return 'retired-key';
    if (CONTENTION.has(code & 0xff)) return 'contention';
    if ((code & 0xff) === FULL || code === SHM_SIZE) return 'full';
    if ((code & 0xff) === READONLY) return code === DB_MOVED ? 'lost' : 'read-only';
    if (DAMAGED.has(code & 0xff)) return 'damaged';
    return LOST.has(code & 0xff) ? 'lost' : 'other';
  },
  constraintOf: (error, table) => {
    const columns = /UNIQUE constraint failed: (.*)$/.exec(messageOf(error))?.[1];
    if (columns === undefined) return table ?? 'unknown';
    const named = columns.split(', ').map((column) => column.split('.') as [string, string]);
    const owner = named[0]?.[0] ?? table ?? 'unknown';
    return errcodeOf(error) === UNIQUE
      ? `${owner}_${named.map(([, column]) => column).join('_')}_unique`
      : `${owner}_pk`;
  },
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** The extended result code; 0 if the error is not SQLite's. */
export const errcodeOf = (error: unknown): number => {
  if (!(error instanceof Error)) return 0;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode;
  return 'code' in error && error.code === 'ERR_SQLITE_ERROR'
    ? (CODES_OF_TEXTS.get(error.message) ?? 0)
    : 0;
};

/** The driver gives no number to an error that a row of a query meets. These are the texts of sqlite3_errstr(). */
const CODES_OF_TEXTS: ReadonlyMap<string, number> = new Map([
  ['database is locked', 5],
  ['database table is locked', 6],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['file is not a database', 26],
]);
