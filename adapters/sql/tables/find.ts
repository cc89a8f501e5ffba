import { verifiedRows } from './row-seals.ts';
import { firstOf, type SqlValue } from '../base/session.ts';
import type { Reader } from './reader.ts';
import type { SealedTable } from './sealed-table.ts';

/** Turns a row into a value: usually a column map. */
export interface RowReader<Row, Value> {
  /** Present where the rows are under a MAC: they are verified when they are read. */
  readonly sealed?: SealedTable;
  fromRow(row: Row): Value;
}

/** The value of the one row that the statement finds, or null. */
export const findOne = async <Row, Value>(
  reader: Reader,
  map: RowReader<Row, Value>,
  sql: string,
  values: readonly SqlValue[],
): Promise<Value | null> => {
  const row = firstOf(await rowsOf<Row>(reader, map, sql, values));
  return row && map.fromRow(row);
};

/** The values of all rows that the statement finds, in its order. */
export const findAll = async <Row, Value>(
  reader: Reader,
  map: RowReader<Row, Value>,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly Value[]> =>
  (await rowsOf<Row>(reader, map, sql, values)).map((row) => map.fromRow(row));

/** The rows that the statement finds, verified where the map is of a sealed table. */
export const rowsOf = <Row>(
  reader: Reader,
  { sealed }: { readonly sealed?: SealedTable },
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly Row[]> =>
  sealed ? verifiedRows<Row>(reader, sealed, sql, values) : reader.all<Row>(sql, values);

/** Whether the statement finds a row. */
export const exists = async (
  reader: Reader,
  sql: string,
  values: readonly SqlValue[],
): Promise<boolean> => (await reader.all(sql, values)).length > 0;
