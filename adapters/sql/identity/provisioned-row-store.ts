import type {
  ProvisionedRow,
  ProvisionedRowStore,
} from '../../../application/ports/provisioned-rows.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findAll } from '../tables/find.ts';
import { PROVISIONED_ROWS } from './provisioned-row.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlProvisionedRowStore implements ProvisionedRowStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(row: ProvisionedRow): Promise<void> {
    this.unit.insert(PROVISIONED_ROWS, PROVISIONED_ROWS.toRow(row));
  }

  among(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
    return provisionedAmong(this.unit, ids);
  }
}

export const provisionedAmong = async (
  reader: Reader,
  ids: readonly Uuid[],
): Promise<ReadonlySet<Uuid>> => {
  if (ids.length === 0) return new Set();
  const sql = `${PROVISIONED_ROWS.select} WHERE id IN (${placeholders(ids.length)})`;
  const rows = await findAll(reader, PROVISIONED_ROWS, sql, ids.map(uuidToSql));
  return new Set(rows.map(({ id }) => id));
};
