import type { RawRow, SealedTable } from './sealed-table.ts';
import { placeholders, type SqlValue } from '../base/session.ts';
import type { UnitContext } from './unit-context.ts';

/** Rows in one statement. */
const BATCH = 500;

/**
 * Changes columns of rows of a sealed table, and seals the rows anew. An edited row is not sealed: nothing that somebody
 * else wrote gets a MAC.
 *
 * @param where a condition of SQL, with its values.
 * @returns how many rows there are.
 * @throws CONFLICT with reason payload_drift.
 */
export const reseal = async (
  unit: UnitContext,
  table: SealedTable,
  where: readonly [sql: string, ...values: SqlValue[]],
  changes: Readonly<Record<string, SqlValue>>,
): Promise<number> => {
  const [condition, ...values] = where;
  const sql = `${table.select} WHERE ${condition}${unit.dialect.forUpdate}`;
  const rows = await unit.all<RawRow>(sql, values);
  unit.seals.assertMacs(rows.map((row) => [table, row]));
  for (let from = 0; from < rows.length; from += BATCH)
    await write(unit, table, rows.slice(from, from + BATCH), changes);
  return rows.length;
};

/** The columns of a change: a map of a few members, with the value that has them. */
export const changesOf = <V>(
  map: { readonly columns: readonly string[]; toRow(value: V): readonly SqlValue[] },
  value: V,
): Readonly<Record<string, SqlValue>> =>
  Object.fromEntries(map.toRow(value).map((column, at) => [map.columns[at]!, column]));

const write = async (
  unit: UnitContext,
  table: SealedTable,
  rows: readonly RawRow[],
  changes: Readonly<Record<string, SqlValue>>,
): Promise<void> => {
  const { name, key } = table;
  const columns = Object.keys(changes);
  const sealed = rows.map((row) => unit.seals.macs.resealed(table, { ...row, ...changes }));
  const keys = rows.map((row) => row[key]!);
  const assignments = [...columns, 'row_key'].map((column) => `${column} = ?`).join(', ');
  const cases = rows.map(() => 'WHEN ? THEN ?').join(' ');
  await unit.run(
    `UPDATE ${name} SET ${assignments}, row_mac = CASE ${key} ${cases} END WHERE ${key} IN (${placeholders(keys.length)})`,
    [
      ...Object.values(changes),
      sealed[0]!.keyId,
      ...rows.flatMap((_, at) => [keys[at]!, sealed[at]!.mac]),
      ...keys,
    ],
  );
};
