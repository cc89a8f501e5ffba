import type { Failure } from '../database-error.ts';

/** Everything in which the two databases differ, in one row. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql';
  /** Appended to a SELECT that locks its rows. SQLite has one writer, and the unit of work is it. */
  readonly forUpdate: string;
  /** The database's own time, milliseconds since 1970, at the moment it is evaluated (not when the statement began to wait). */
  readonly now: string;
  readonly insertIgnore: string;
  readonly begin: string;
  classify(error: unknown): Failure;
  /** `table_pk` or `table_column_column_unique`, as far as the driver's error says. */
  constraintOf(error: unknown, table: string | null): string;
}
