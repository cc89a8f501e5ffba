import type { RowSeals } from '../tables/row-seals.ts';
import { AGENTS, API_KEYS, ORGS } from '../identity/identity-row.ts';
import { firstOf, placeholders, type RawReader } from '../base/session.ts';

/**
 * Whether most of the rows that say who may do what were sealed under a key that is not at hand: then nobody could get
 * in. Most, and not any: one edited row must not keep the service from starting.
 */
export const needsOtherRowKeys = async (reader: RawReader, seals: RowSeals): Promise<boolean> => {
  let [rows, known] = [0, 0];
  for (const { name } of [ORGS, AGENTS, API_KEYS]) {
    const ids = seals.macs.ids;
    const all = await count(reader, name, '', []);
    rows += all;
    known += await count(reader, name, `WHERE row_key IN (${placeholders(ids.length)})`, ids);
  }
  return known * 2 < rows;
};

const count = async (
  reader: RawReader,
  table: string,
  where: string,
  values: readonly Uint8Array[],
): Promise<number> => {
  const sql = `SELECT COUNT(*) AS n FROM ${table} ${where}`;
  return Number(firstOf(await reader.all<{ readonly n: number }>(sql, values))?.n ?? 0);
};
