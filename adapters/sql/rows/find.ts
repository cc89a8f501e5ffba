import { firstOf, type Reader, type SqlValue } from '../session.ts';

/** Turns a row into a value: usually a column map. */
export interface RowReader<Row, Value> {
  fromRow(row: Row): Value;
}

/** The value of the one row that the statement finds, or null. */
export const findOne = async <Row, Value>(
  reader: Reader,
  map: RowReader<Row, Value>,
  sql: string,
  values: readonly SqlValue[],
): Promise<Value | null> => {
  const row = firstOf(await reader.all<Row>(sql, values));
  return row && map.fromRow(row);
};

/** The values of all rows that the statement finds, in its order. */
export const findAll = async <Row, Value>(
  reader: Reader,
  map: RowReader<Row, Value>,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly Value[]> => (await reader.all<Row>(sql, values)).map((row) => map.fromRow(row));

/** Whether the statement finds a row. */
export const exists = async (
  reader: Reader,
  sql: string,
  values: readonly SqlValue[],
): Promise<boolean> => (await reader.all(sql, values)).length > 0;
