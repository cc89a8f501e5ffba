import type { Failure } from './database-error.ts';

/** All differences between the two databases. */
export interface Dialect {
  readonly name: 'sqlite' | 'mysql';
  /**
   * Appended to a SELECT that locks its rows. SQLite needs no lock: it has one writer, which is the
   * unit of work.
   */
  readonly forUpdate: string;
  /** The same of a lock that several units hold at once: it keeps out who would change the rows. */
  readonly forShare: string;
  /** The database's own time, milliseconds since 1970, at the moment it is evaluated (not when the statement began to wait). */
  readonly now: string;
  /** The same at which the statement began. A constant of the statement, so that an index on a time serves a comparison with it. */
  readonly statementTime: string;
  /** Follows the name of a table: the index by which its rows are read. */
  readonly byIndex: (index: string) => string;
  /**
   * The distinct values of a text column that an index begins with, in order, after one and at most so many (these are the
   * two placeholders). It jumps from value to value, however many rows hold each.
   */
  readonly distinctAfter: (table: string, column: string) => string;
  /**
   * Reads a column of short bytes, as the driver gives it fastest: bytes, or hexadecimal digits under the same name. A
   * record has a dozen of them, and to make an array of bytes for each takes SQLite's driver as long as everything else.
   */
  readonly shortBytes: (column: string) => string;
  readonly insertIgnore: string;
  /** A unit sends its changes of rows with its commit: to wait for each would cost a round trip. */
  readonly defersChanges: boolean;
  /** A transaction is the only one that writes, from its first statement to its end. */
  readonly hasOneWriter: boolean;
  readonly begin: string;
  classify(error: unknown): Failure;
  /** `table_pk` or `table_column_column_unique`, as far as the driver's error names it. */
  constraintOf(error: unknown, table: string | null): string;
}
