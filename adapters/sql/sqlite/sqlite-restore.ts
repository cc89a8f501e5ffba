import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { refusalOf } from '../schema/migrations.ts';
import { checkCopy, migrationsOf, syncPath, type CopySummary } from './sqlite-copy.ts';
import { SqlitePresence } from './sqlite-presence.ts';

/**
 * Puts a backup where no database is. The file is complete, checked and on the disk before it bears its name, and it
 * replaces nothing: what stands there may hold entries that no backup has.
 *
 * @throws Error with a sentence for the operator; the driver's where the backup is no database.
 */
export const restoreSqlite = (source: string, filename: string): CopySummary => {
  assertSource(source);
  assertFree(filename);
  const directory = dirname(filename);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const partial = `${filename}.${randomBytes(4).toString('hex')}.partial`;
  try {
    copyFileSync(source, partial, constants.COPYFILE_EXCL);
    chmodSync(partial, 0o600);
    const summary = checked(source, partial);
    assertKnown(partial);
    assertWhole(source, summary);
    syncPath(partial);
    // Unlike a rename it fails where the name is taken by now.
    linkSync(partial, filename);
    return summary;
  } finally {
    rmSync(partial, { force: true });
    syncPath(directory);
  }
};

/** In words of its own: the faults of the driver are told of the database of the settings, which this is not. */
const checked = (source: string, partial: string): CopySummary => {
  try {
    return checkCopy(partial);
  } catch (error) {
    throw new Error(
      `${source} cannot be restored: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

const assertSource = (source: string): void => {
  if (!existsSync(source)) throw new Error(`there is no backup at ${source}`);
  if (existsSync(`${source}-wal`))
    throw new Error(
      `${source} is no backup but a database in use: ${basename(source)}-wal stands beside it. Take a backup with: notary backup`,
    );
};

const assertFree = (filename: string): void => {
  const pids = existsSync(dirname(filename)) ? new SqlitePresence(filename).running() : [];
  if (pids.length > 0)
    throw new Error(
      `a service runs on ${filename} (process ${pids.join(', ')}). Stop it first: a restored copy and its original never run side by side`,
    );
  // A -wal that is left behind would be taken for a part of the restored database.
  const there = ['', '-wal', '-shm'].map((end) => `${filename}${end}`).find(existsSync);
  if (there !== undefined)
    throw new Error(
      `${there} exists already; a restore replaces no file. Move ${dirname(filename)} away as it is, and restore again: it may hold entries that the backup has not`,
    );
};

const assertKnown = (file: string): void => {
  const refusal = refusalOf(migrationsOf(file));
  if (refusal === null) return;
  throw new Error(
    refusal.kind === 'newer'
      ? `The backup is newer than this program: it has run ${refusal.names}. Restore it with the release that made it, or a later one`
      : `The backup was made by a build before 0.1.0 (${refusal.trace}), and this program does not carry it over. Restore it with the build that made it`,
  );
};

const assertWhole = (source: string, { misplaced }: CopySummary): void => {
  if (misplaced.length > 0)
    throw new Error(
      `${source} was changed behind the service: the heads of ${misplaced.length} chains are not their last entries, ${misplaced[0]} among them. Take another backup`,
    );
};
