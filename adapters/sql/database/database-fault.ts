import { codeOf, innermost, rootCause } from '../../../domain/kernel/root-cause.ts';
import { MYSQL } from '../mysql/mysql.ts';
import { MovedFileError } from '../sqlite/moved-file.ts';
import { OrphanedFilesError } from '../sqlite/orphaned-files.ts';
import { errcodeOf } from '../sqlite/sqlite.ts';
import { mysqlTarget } from '../mysql/mysql-url.ts';

/**
 * Why the database of this URL cannot be used, and what to do, for whoever starts the service. Null
 * where the error is of another kind. The password is never in it.
 */
export const databaseFault = (url: string, error: unknown): string | null =>
  url.startsWith('sqlite://')
    ? sqliteFault(url.slice('sqlite://'.length), innermost(error))
    : mysqlFault(url, error);

const sqliteFault = (file: string, error: unknown): string | null => {
  if (error instanceof OrphanedFilesError) return error.message;
  if (error instanceof MovedFileError) return `${error.message}. ${RESCUE}`;
  const told = SQLITE_FAULTS.get(resultOf(error)) ?? FILE_FAULTS.get(codeOf(error) ?? '');
  if (told === undefined) return null;
  return `${pathOf(error) ?? file} ${told} (${detailOf(error)})`;
};

/** Of an error of the file system. */
const pathOf = (error: unknown): string | null =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null;

const RESTORE =
  'Stop the service, move the file away together with its -wal and -shm files and keep them, and put a backup in its place: notary restore FILE';

/** SQLite deletes and copies nothing at its end if the path leads to another file (pager.c, databaseIsUnmoved). */
const RESCUE =
  'Nothing more is stored. If the file was moved or replaced, stop the service, put the file back and its -wal file beside it, and start again. If it was deleted, do not stop the service yet: on Linux, copy the open file and its -wal out of /proc/PID/fd (ls -l /proc/PID/fd shows which), stop the service, and put both copies at the path';

/** By the primary result code of SQLite. */
const SQLITE_FAULTS: ReadonlyMap<number, string> = new Map([
  [5, 'is locked by another process for too long. End that process, and start again'],
  [8, 'cannot be written. It has to belong to the user who runs the service'],
  [10, 'cannot be read or written: the disk fails. Look at the log of the system'],
  [11, `is damaged. ${RESTORE}`],
  [13, 'has no room left on its disk. Make room, and start again'],
  [
    14,
    'cannot be opened. It has to be a file, and with its directory to belong to the user who runs the service',
  ],
  [26, `is no SQLite database, or its beginning is damaged. ${RESTORE}`],
]);

/** By the code of the system. */
const FILE_FAULTS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'must not be used by this user. Give it to the user who runs the service'],
  ['EPERM', 'must not be used by this user. Give it to the user who runs the service'],
  ['EROFS', 'is on a read-only file system. Choose a place that can be written'],
  ['ENOTDIR', 'is not a directory. Move the file away, or choose another place'],
  ['EEXIST', 'is not a directory. Move the file away, or choose another place'],
  ['EISDIR', 'is a directory and not a file. Name a file in it'],
  ['ENOENT', 'cannot be made. Choose a place that exists'],
  ['ENOSPC', 'has no room left on its disk. Make room, and start again'],
  ['ENAMETOOLONG', 'is too long a name'],
]);

const resultOf = (error: unknown): number =>
  errcodeOf(error) === 0 ? -1 : errcodeOf(error) & 0xff;

const detailOf = (error: unknown): string =>
  resultOf(error) === -1 ? (codeOf(error) ?? rootCause(error)) : (error as Error).message;

const mysqlFault = (url: string, error: unknown): string | null => {
  const { host, port, user, database } = mysqlTarget(url);
  const root = innermost(error);
  const told = MYSQL_FAULTS.get(codeOf(root) ?? '');
  const file = pathOf(root);
  if (file !== null)
    return `the file ${file}, which the URL names for TLS, cannot be read (${codeOf(root)})`;
  const where = `MySQL at ${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (told) return `${where} ${told({ user, database })} (${rootCause(root)})`;
  if (MYSQL.classify(root) === 'damaged')
    return `${where} holds a damaged table or index in ${database}: ${rootCause(root)}. Stop the service, keep the files of the server, and restore a dump into an empty database`;
  if (MYSQL.classify(root) !== 'lost') return null;
  return `${where} cannot be reached: ${rootCause(root)}. Start it, or correct the address`;
};

type Told = (of: { readonly user: string; readonly database: string }) => string;

const unsafe: Told = () =>
  'cannot be connected to by TLS as the URL demands. Its certificate has to name the host, and to come from an authority that ssl-ca names or that is public';

const mayNot: Told = ({ user }) =>
  `does not let the user ${user} do what the schema takes. Run notary migrate as a user who may create and change tables and triggers`;

const noRoom: Told = () => 'has no room left on its disk. Make room, and start again';

const readOnly: Told = () =>
  'accepts reads only. Name the primary server in the URL, or turn read_only off';

const MYSQL_FAULTS: ReadonlyMap<string, Told> = new Map<string, Told>([
  ['ECONNREFUSED', () => 'refuses the connection. Start it, or correct the address'],
  ['ENOTFOUND', () => 'has a host name that nobody knows. Correct the address'],
  ['EAI_AGAIN', () => 'has a host name that cannot be looked up now. Look at the name server'],
  ['ETIMEDOUT', () => 'does not answer. Look at the address, the server and the firewall'],
  [
    'ER_ACCESS_DENIED_ERROR',
    ({ user }) => `does not let the user ${user} in. Correct the name or the password`,
  ],
  [
    'ER_DBACCESS_DENIED_ERROR',
    ({ user, database }) => `does not let the user ${user} use the database ${database}. GRANT it`,
  ],
  [
    'ER_BAD_DB_ERROR',
    ({ database }) =>
      `has no database ${database}. CREATE DATABASE ${database}, or correct the name`,
  ],
  ['ER_DISK_FULL', noRoom],
  ['ER_RECORD_FILE_FULL', noRoom],
  ['ER_OPTION_PREVENTS_STATEMENT', readOnly],
  ['ER_READ_ONLY_MODE', readOnly],
  ['ER_SECURE_TRANSPORT_REQUIRED', () => 'takes TLS alone. Add ?ssl=true to the URL'],
  ['HANDSHAKE_NO_SSL_SUPPORT', () => 'offers no TLS, which the URL demands. Turn it on there'],
  ['HANDSHAKE_SSL_ERROR', unsafe],
  ['ERR_TLS_CERT_ALTNAME_INVALID', unsafe],
  ['SELF_SIGNED_CERT_IN_CHAIN', unsafe],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unsafe],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unsafe],
  ['UNABLE_TO_GET_ISSUER_CERT', unsafe],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unsafe],
  ['CERT_HAS_EXPIRED', unsafe],
  ['ER_TABLEACCESS_DENIED_ERROR', mayNot],
  ['ER_SPECIFIC_ACCESS_DENIED_ERROR', mayNot],
  [
    'ER_BINLOG_CREATE_ROUTINE_NEED_SUPER',
    ({ user }) =>
      `writes a binary log, so the user ${user} may create no trigger. SET GLOBAL log_bin_trust_function_creators = 1 while notary migrate runs`,
  ],
]);
