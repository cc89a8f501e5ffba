import { realpathSync, statSync } from 'node:fs';

/** The database file is missing or empty, and files that only its database can have left are there. */
export class OrphanedFilesError extends Error {
  override readonly name = 'OrphanedFilesError';
}

/**
 * SQLite deletes a -wal file when it opens a database file that is missing or empty
 * (sqlite.org/walformat.html, section 2.1), and with it every commit that was not yet copied into the database file.
 *
 * @throws OrphanedFilesError before SQLite opens anything.
 */
export const assertNoOrphans = (filename: string): void => {
  const sentence = orphansOf(filename);
  if (sentence !== null) throw new OrphanedFilesError(sentence);
};

/** What is wrong and what to do, without the full stop; null if the file has content or has left nothing. */
export const orphansOf = (filename: string): string | null => {
  const file = realOf(filename);
  // The -wal is read first: another process that makes a new database writes the database file before it.
  const log = `${file}-wal`;
  const note = `${file}-last-backup`;
  const left = sizeOf(log) > 0 ? log : sizeOf(note) > 0 ? note : null;
  if (left === null) return null;
  const size = sizeOf(file);
  if (size > 0) return null;
  const lost = `${file} is ${size === 0 ? 'empty' : 'missing'}, but ${left} is there, so a database was here`;
  const why =
    left === log
      ? '. The -wal file holds acknowledged entries, and opening the database would delete it. Put the file back that belongs to it'
      : ' before. Put the file back';
  return `${lost}${why}, or move both files to another place and keep them, and restore a backup: notary restore FILE. To begin a new notary on purpose, move ${left} to another place. Nothing was written`;
};

/** SQLite names the -wal file after the file that a symbolic link leads to. */
const realOf = (filename: string): string => {
  try {
    return realpathSync(filename);
  } catch {
    return filename;
  }
};

/** -1 if there is no file that this user can see. */
const sizeOf = (file: string): number => {
  try {
    return statSync(file).size;
  } catch {
    return -1;
  }
};
