import { existsSync } from 'node:fs';
import { orphansOf } from '../sqlite/orphaned-files.ts';
import { sqliteFileOf } from './sqlite-file.ts';

/** False where opening the database would make its file. A server's database is there, or refuses. */
export const databaseExists = (url: string): boolean =>
  !url.startsWith('sqlite://') || existsSync(url.slice('sqlite://'.length));

/** What is wrong if a database file is missing or empty and a log or the note of a backup is left of it; else null. */
export const orphanedFiles = (url: string): string | null => {
  const file = sqliteFileOf(url);
  return file === null ? null : orphansOf(file);
};
