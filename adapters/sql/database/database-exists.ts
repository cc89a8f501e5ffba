import { existsSync } from 'node:fs';

/** False where opening the database would make its file. A server's database is there, or refuses. */
export const databaseExists = (url: string): boolean =>
  !url.startsWith('sqlite://') || existsSync(url.slice('sqlite://'.length));
