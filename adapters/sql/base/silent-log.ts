import type { Knex } from 'knex';

/** Failures are thrown as errors; Knex would print them as well. */
export const SILENT: Knex.Logger = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};
