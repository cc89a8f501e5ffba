import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordStore } from '../../../domain/record/record-store.port.ts';
import { RECORDS, recordToRow, type RecordRow } from '../rows/record-row.ts';
import { rowsToRecords } from '../rows/record-rows.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { timeFromSql, uuidToSql } from '../values.ts';

export class SqlRecordStore implements RecordStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(record: RecordState): Promise<void> {
    this.unit.insert(RECORDS, recordToRow(record));
  }

  async lock(id: Uuid): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const { now, forUpdate } = this.unit.dialect;
    const sql = `SELECT ${columnsOf(RECORDS)}, ${now} AS db_now FROM records WHERE id = ?${forUpdate}`;
    const row = firstOf(await this.unit.all<RecordRow & { readonly db_now: number }>(sql, [uuidToSql(id)]));
    const record = row && firstOf(await rowsToRecords(this.unit, [row]));
    return record && { record, now: new Date(timeFromSql(row.db_now)) };
  }

  /** @throws Error where the row is gone or has moved on: the caller did not hold the lock. */
  async update(record: RecordState): Promise<void> {
    const changed = await this.unit.run(UPDATE, [...recordToRow(record), uuidToSql(record.id), record.version - 1]);
    if (changed !== 1) throw new Error(`record ${record.id} is not at version ${record.version - 1}`);
  }
}

const UPDATE = `UPDATE records SET ${RECORDS.columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND version = ?`;
