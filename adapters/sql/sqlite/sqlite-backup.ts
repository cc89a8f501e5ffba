import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { assertNoOrphans } from './orphaned-files.ts';
import { checkCopy, syncPath, type CopySummary } from './sqlite-copy.ts';

export interface TakenBackup extends CopySummary {
  readonly bytes: number;
}

/**
 * Writes one moment of a database into a new file, while services read and write the database. The
 * file is complete, checked and on the disk before it bears its name.
 *
 * A copy of the database file alone would lack what stands in the -wal file, and a copy of both,
 * taken one after the other, may fit nothing that was ever committed.
 *
 * Heads of chains that are not their last entries are told, and the copy is kept: it shows what somebody did.
 *
 * @throws Error where the target exists or the source does not, and the driver's where one of them fails.
 */
export const backUpSqlite = (filename: string, target: string): TakenBackup => {
  assertNoOrphans(filename);
  if (!existsSync(filename)) throw new Error(`there is no database at ${filename}`);
  if (existsSync(target)) throw new Error(`${target} exists already; a backup replaces no file`);
  const partial = `${target}.${randomBytes(4).toString('hex')}.partial`;
  const at = new Date().toISOString();
  create(partial);
  let summary: CopySummary;
  try {
    copy(filename, partial);
    summary = checkCopy(partial);
    syncPath(partial);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  syncPath(dirname(target));
  note(filename, { at, file: target });
  return { bytes: statSync(target).size, ...summary };
};

/** When the newest backup of a database began, and where it was written; null where none is known. */
export const lastBackup = (filename: string): BackupNote | null => {
  try {
    const read: unknown = JSON.parse(readFileSync(noteOf(filename), 'utf8'));
    const { at, file } = read as Partial<BackupNote>;
    return typeof at === 'string' && typeof file === 'string' ? { at, file } : null;
  } catch {
    return null;
  }
};

export interface BackupNote {
  /** ISO 8601. */
  readonly at: string;
  readonly file: string;
}

const noteOf = (filename: string): string => `${filename}-last-backup`;

/** For `notary doctor` alone; a backup is none the worse without it. */
const note = (filename: string, taken: BackupNote): void => {
  try {
    writeFileSync(noteOf(filename), `${JSON.stringify(taken)}\n`, { mode: 0o600 });
  } catch {
    // The directory may be read-only to whoever takes backups.
  }
};

const create = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${dirname(file)} takes no new file (${code})`);
  }
};

/** In one read transaction, which holds up no writer. */
const copy = (filename: string, target: string): void => {
  const database = new DatabaseSync(filename, { timeout: 10_000 });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
};
