import { randomBytes } from 'node:crypto';
import { existsSync, openSync, closeSync, fsyncSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Writes one moment of a database into a new file, while services read and write the database. The
 * file is complete, checked and on the disk before it bears its name.
 *
 * A copy of the database file alone would lack what stands in the -wal file, and a copy of both,
 * taken one after the other, may fit nothing that was ever committed.
 *
 * @returns the bytes of the new file.
 * @throws Error where the target exists or the source does not, and the driver's where one of them fails.
 */
export const backUpSqlite = (filename: string, target: string): number => {
  if (!existsSync(filename)) throw new Error(`there is no database at ${filename}`);
  if (existsSync(target)) throw new Error(`${target} exists already; a backup replaces no file`);
  const partial = `${target}.${randomBytes(4).toString('hex')}.partial`;
  create(partial);
  try {
    copy(filename, partial);
    check(partial);
    sync(partial);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  sync(dirname(target));
  return statSync(target).size;
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

const check = (file: string): void => {
  const database = new DatabaseSync(file);
  try {
    const found = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    if (found.length !== 1 || found[0]?.integrity_check !== 'ok')
      throw new Error(`the copy is damaged, so the database is: ${found[0]?.integrity_check}`);
  } finally {
    database.close();
  }
};

const sync = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
