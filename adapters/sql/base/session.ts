import type { InsertBuffer } from './insert-buffer.ts';

/** What a statement may bind. Bytes are BLOBs, booleans are 0 and 1, times are milliseconds since 1970. */
export type SqlValue = string | number | Uint8Array | null;

/**
 * One connection inside one transaction. Statements run in the order in which they are given. Errors are the
 * adapter's own: DuplicateError, NotaryError SERVICE_UNAVAILABLE or DatabaseError, never the driver's.
 */
export interface Session {
  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The number of rows that the statement found. */
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  insert(table: Table, rows: readonly (readonly SqlValue[])[]): Promise<void>;
  /** @throws DatabaseError where it does not find one row. */
  change(change: Change): Promise<void>;
  /** Present where what the buffers hold goes in one message. */
  write?(buffers: readonly InsertBuffer[]): Promise<void>;
}

/** An UPDATE of rows of a table, one at a time. */
export interface RowChange {
  readonly table: string;
  readonly columns: readonly string[];
  /** What says which row: first the key of the table, then what the row has to be besides. */
  readonly where: readonly [key: string, ...others: string[]];
}

/** New values of one row, which its unit of work holds. */
export interface Change {
  readonly of: RowChange;
  /** Of the columns. */
  readonly values: readonly SqlValue[];
  readonly where: readonly [key: SqlValue, ...others: SqlValue[]];
  /** What it means where there is no such row. */
  readonly otherwise: string;
}

/** Committed rows as they are stored, outside of any transaction. */
export interface RawReader {
  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
}

/** A table as inserts see it: its name and its columns in the order of a row's values. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /**
   * The place among all tables. The rows of a group are written in this order, so that foreign keys
   * are satisfied.
   */
  readonly order: number;
}

/** `INSERT INTO t (a, b) VALUES (?, ?)`. */
export const insertSql = (table: Table): string =>
  `INSERT INTO ${table.name} (${columnsOf(table)}) VALUES (${placeholders(table.columns.length)})`;

/** `a, b`: columns are always named, so that a newer schema does not change what is read. */
export const columnsOf = (table: Table): string => table.columns.join(', ');

/** The only row of an answer, or null. */
export const firstOf = <Row>(rows: readonly Row[]): Row | null => rows[0] ?? null;

/** `?, ?, ?`: for an IN with so many values. */
export const placeholders = (count: number): string => Array<string>(count).fill('?').join(', ');
