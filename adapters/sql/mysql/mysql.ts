import { RETIRED_KEY_MESSAGE, type Failure } from '../base/database-error.ts';
import type { Dialect } from '../base/dialect.ts';

/** Server error numbers; those of MariaDB and Galera are the same. */
const FAILURES: ReadonlyMap<number, Failure> = new Map<number, Failure>([
  [1062, 'duplicate'],
  [1586, 'duplicate'],
  // Deadlock (also a Galera certification conflict), lock wait time-out, row changed since read.
  [1213, 'contention'],
  [1205, 'contention'],
  [1020, 'contention'],
  [3572, 'contention'],
  // Table full, disk full (of the server, and of the library that writes its files).
  [1114, 'full'],
  [1021, 'full'],
  [20, 'full'],
  // The server runs with read_only or super_read_only, such as a replica; the session does.
  [1290, 'read-only'],
  [1836, 'read-only'],
  [1792, 'read-only'],
  // A table file, a key file or an index is corrupt, or the table is marked as crashed.
  [1034, 'damaged'],
  [1035, 'damaged'],
  [1194, 'damaged'],
  [1195, 'damaged'],
  [1712, 'damaged'],
  [1817, 'damaged'],
  [1877, 'damaged'],
  // Too many connections, shutdown, killed, WSREP not ready, gone away.
  [1040, 'lost'],
  [1053, 'lost'],
  [1077, 'lost'],
  [1317, 'lost'],
  [1927, 'lost'],
  [1047, 'lost'],
  [1152, 'lost'],
  [1158, 'lost'],
  [1159, 'lost'],
  [1160, 'lost'],
  [1161, 'lost'],
  [1203, 'lost'],
  [1129, 'lost'],
  [3169, 'lost'],
  [4031, 'lost'],
]);

/** Errors of writing a file, with the error of the system in the message: EE_WRITE, ER_ERROR_ON_WRITE, ER_GET_ERRNO. */
const WRITE_ERRORS: ReadonlySet<number> = new Set([3, 1026, 1030]);
/** ENOSPC. */
const NO_SPACE = /\bNo space left on device\b|\b(?:errno|errcode|error):? 28\b/i;

/** ER_GET_ERRNO with an error of the storage engine in the message: HA_ERR_CRASHED and its kin, HA_ERR_INDEX_CORRUPT. */
const ENGINE_ERROR = 1030;
const ENGINE_DAMAGE = /\berror:? (?:126|127|134|144|145|180)\b/i;

/** A trigger refused. */
const SIGNALLED = 1644;

/** Codes of the driver, of the socket below it and of the pool above it. */
const LOST_CODES =
  /^(PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES|ER_SERVER_SHUTDOWN)/;

export const MYSQL: Dialect = {
  name: 'mysql',
  forUpdate: ' FOR UPDATE',
  // MariaDB knows no FOR SHARE.
  forShare: ' LOCK IN SHARE MODE',
  // SYSDATE, not NOW: NOW is the time at which the statement began to wait for the lock.
  now: 'CAST(UNIX_TIMESTAMP(SYSDATE(3)) * 1000 AS SIGNED)',
  statementTime: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)',
  byIndex: (index) => `FORCE INDEX (${index})`,
  // A loose index scan, which a condition on the row before it (as SQLite does it) would not be here.
  distinctAfter: (table, column) =>
    `SELECT ${column} FROM ${table} WHERE ${column} > ? GROUP BY ${column} ORDER BY ${column} LIMIT ?`,
  shortBytes: (column) => column,
  insertIgnore: 'INSERT IGNORE',
  defersChanges: true,
  hasOneWriter: false,
  begin: 'START TRANSACTION',
  classify: (error) => {
    const { errno, code, message, fatal, name } = partsOf(error);
    const known = FAILURES.get(errno);
    if (known) return known;
    if (WRITE_ERRORS.has(errno) && NO_SPACE.test(message)) return 'full';
    if (errno === ENGINE_ERROR && ENGINE_DAMAGE.test(message)) return 'damaged';
    if (errno === SIGNALLED && message.includes(RETIRED_KEY_MESSAGE)) return 'retired-key';
    if (fatal || LOST_CODES.test(code) || name === 'KnexTimeoutError') return 'lost';
    return /closed state|Connection lost|connection is closed|aborted/i.test(message) && errno === 0
      ? 'lost'
      : 'other';
  },
  constraintOf: (error, table) => {
    const key = /for key '([^']*)'\s*$/.exec(partsOf(error).message)?.[1] ?? 'unknown';
    const [owner, name] = key.includes('.')
      ? (key.split('.') as [string, string])
      : [table ?? 'unknown', key];
    return name === 'PRIMARY' ? `${owner}_pk` : name;
  },
};

const partsOf = (
  error: unknown,
): { errno: number; code: string; message: string; fatal: boolean; name: string } => {
  if (!(error instanceof Error)) return { errno: 0, code: '', message: '', fatal: false, name: '' };
  return {
    errno: 'errno' in error && typeof error.errno === 'number' && error.errno > 0 ? error.errno : 0,
    code: 'code' in error && typeof error.code === 'string' ? error.code : '',
    message:
      'sqlMessage' in error && typeof error.sqlMessage === 'string'
        ? error.sqlMessage
        : error.message,
    fatal: 'fatal' in error && error.fatal === true,
    name: error.name,
  };
};
