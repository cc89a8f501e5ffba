import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordStore } from '../../../domain/record/record-store.port.ts';
import { recordInsert, RECORDS, recordToRow, type RecordRow } from '../rows/record-row.ts';
import { rowsToRecords } from '../rows/record-rows.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { timeFromSql, uuidFromSql, uuidToSql } from '../values.ts';

/** Whose children one statement asks for. */
const PARENTS = 500;

export class SqlRecordStore implements RecordStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(record: RecordState): Promise<void> {
    this.unit.insert(...recordInsert(record));
  }

  /** One statement for a root, which most records are: it locks the root of whatever record it is given. */
  async lock(id: Uuid): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const root = await this.#locked(
      '(SELECT COALESCE(member.root_record_id, member.id) FROM records AS member WHERE member.id = ?)',
      id,
    );
    return root === null || root.record.id === id ? root : this.#locked('?', id);
  }

  async lockInTree(id: Uuid): Promise<RecordState | null> {
    return (await this.#locked('?', id))?.record ?? null;
  }

  async findInTree(ids: readonly Uuid[]): Promise<readonly RecordState[]> {
    if (ids.length === 0) return [];
    const sql = `SELECT ${columnsOf(RECORDS)} FROM records WHERE id IN (${ids.map(() => '?').join(', ')})`;
    return rowsToRecords(this.unit, await this.unit.all<RecordRow>(sql, ids.map(uuidToSql)));
  }

  async hasOpenChild(id: Uuid): Promise<boolean> {
    return (
      (
        await this.unit.all(
          'SELECT 1 FROM records WHERE parent_record_id = ? AND terminal_at IS NULL LIMIT 1',
          [uuidToSql(id)],
        )
      ).length > 0
    );
  }

  async childrenOf(
    ids: readonly Uuid[],
  ): Promise<readonly Pick<RecordState, 'id' | 'status' | 'childCount'>[]> {
    const children: Pick<RecordState, 'id' | 'status' | 'childCount'>[] = [];
    // In parts: a statement takes only so many parameters.
    for (let from = 0; from < ids.length; from += PARENTS) {
      const part = ids.slice(from, from + PARENTS);
      const sql = `SELECT id, status, child_count FROM records WHERE parent_record_id IN (${part.map(() => '?').join(', ')})`;
      const rows = await this.unit.all<Pick<RecordRow, 'id' | 'status' | 'child_count'>>(
        sql,
        part.map(uuidToSql),
      );
      for (const { id, status, child_count: count } of rows)
        children.push({ id: uuidFromSql(id), status, childCount: count ?? 0 });
    }
    return children;
  }

  /** @throws Error where the row is gone or has moved on: the caller did not hold the lock. */
  async update(record: RecordState): Promise<void> {
    const changed = await this.unit.run(UPDATE, [
      ...recordToRow(record),
      uuidToSql(record.id),
      record.version - 1,
    ]);
    if (changed !== 1)
      throw new Error(`record ${record.id} is not at version ${record.version - 1}`);
  }

  /** @param which an expression that gives the id of the row to lock. */
  async #locked(
    which: string,
    id: Uuid,
  ): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const { now, forUpdate } = this.unit.dialect;
    const sql = `SELECT ${columnsOf(RECORDS)}, ${now} AS db_now FROM records WHERE id = ${which}${forUpdate}`;
    const row = firstOf(
      await this.unit.all<RecordRow & { readonly db_now: number }>(sql, [uuidToSql(id)]),
    );
    const record = row && firstOf(await rowsToRecords(this.unit, [row]));
    return record && { record, now: new Date(timeFromSql(row.db_now)) };
  }
}

const UPDATE = `UPDATE records SET ${RECORDS.columns.map((column) => `${column} = ?`).join(', ')} WHERE id = ? AND version = ?`;
