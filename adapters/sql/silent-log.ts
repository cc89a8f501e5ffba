import type { Knex } from 'knex';

/** What goes wrong comes out as an error; Knex would print it as well. */
export const SILENT: Knex.Logger = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};
