const SCHEME = 'sqlite://';

/** The file of the database; null if the database is a server. */
export const sqliteFileOf = (url: string): string | null =>
  url.startsWith(SCHEME) ? url.slice(SCHEME.length) : null;
