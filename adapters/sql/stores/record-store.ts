import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordStore } from '../../../domain/record/record-store.port.ts';
import { exists, findAll } from '../rows/find.ts';
import { recordInsert, RECORDS, type RecordRow } from '../rows/record-row.ts';
import { rowsToRecords } from '../rows/record-rows.ts';
import { firstOf, placeholders } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { timeFromSql, uuidToSql } from '../values.ts';

/** How many parents one statement reads: the number of its parameters is limited. */
const PARENTS = 500;

export class SqlRecordStore implements RecordStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(record: RecordState): Promise<void> {
    this.unit.insert(...recordInsert(record));
  }

  /** One statement for a root, as most records are: it locks the root of the given record. */
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
    const sql = `${RECORDS.select} WHERE id IN (${placeholders(ids.length)})`;
    return rowsToRecords(this.unit, await this.unit.all<RecordRow>(sql, ids.map(uuidToSql)));
  }

  hasOpenChild(id: Uuid): Promise<boolean> {
    const sql = 'SELECT 1 FROM records WHERE parent_record_id = ? AND terminal_at IS NULL LIMIT 1';
    return exists(this.unit, sql, [uuidToSql(id)]);
  }

  async childrenOf(
    ids: readonly Uuid[],
  ): Promise<readonly Pick<RecordState, 'id' | 'status' | 'childCount'>[]> {
    const children: Pick<RecordState, 'id' | 'status' | 'childCount'>[] = [];
    for (let from = 0; from < ids.length; from += PARENTS) {
      const part = ids.slice(from, from + PARENTS);
      const sql = `SELECT ${CHILD.columnList} FROM records WHERE parent_record_id IN (${placeholders(part.length)})`;
      children.push(...(await findAll(this.unit, CHILD, sql, part.map(uuidToSql))));
    }
    return children;
  }

  /** @throws Error where the row is gone or has changed: the caller did not hold the lock. */
  async update(record: RecordState): Promise<void> {
    const changed = await this.unit.run(UPDATE, [
      ...RECORDS.toRow(record),
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
    const sql = `SELECT ${RECORDS.columnList}, ${now} AS db_now FROM records WHERE id = ${which}${forUpdate}`;
    const row = firstOf(
      await this.unit.all<RecordRow & { readonly db_now: number }>(sql, [uuidToSql(id)]),
    );
    const record = row && firstOf(await rowsToRecords(this.unit, [row]));
    return record && { record, now: new Date(timeFromSql(row.db_now)) };
  }
}

const CHILD = RECORDS.only('id', 'status', 'childCount');

const UPDATE = `UPDATE records SET ${RECORDS.assignments} WHERE id = ? AND version = ?`;
