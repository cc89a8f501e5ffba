import { bytesEqual } from '../../../domain/kernel/digest.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordStore } from '../../../domain/record/record-store.port.ts';
import { exists, findAll } from '../tables/find.ts';
import { RECORD_CONTENTS, splitRow } from './content-row.ts';
import type { LockedRow } from './locked-row.ts';
import {
  CARRIED_COLUMNS,
  RECORD_STATE,
  recordInsert,
  RECORDS,
  type RecordRow,
} from './record-row.ts';
import { rowsToRecords } from './record-rows.ts';
import {
  firstOf,
  placeholders,
  type Change,
  type RowChange,
  type SqlValue,
} from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';

/** How many parents one statement reads: the number of its parameters is limited. */
const PARENTS = 500;

export class SqlRecordStore implements RecordStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(record: RecordState): Promise<void> {
    const { row, contents } = splitRow(record);
    this.unit.insert(...recordInsert(row));
    for (const content of contents) this.unit.insert(RECORD_CONTENTS, content);
  }

  /** One statement for a root, as most records are: it locks the root of the given record. */
  async lock(id: Uuid): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const joined = (await this.unit.lockRecord(uuidToSql(id))) as LockedRow | null;
    if (joined) return this.#withReferences(joined);
    const root = await this.#locked(
      RECORDS.columnList,
      '(SELECT COALESCE(member.root_record_id, member.id) FROM records AS member WHERE member.id = ?)',
      id,
    );
    return root === null || root.record.id === id
      ? root
      : this.#locked(RECORDS.columnList, '?', id);
  }

  async lockInTree(id: Uuid): Promise<RecordState | null> {
    return (await this.#locked(CARRIED_COLUMNS, '?', id))?.record ?? null;
  }

  async findInTree(ids: readonly Uuid[]): Promise<readonly RecordState[]> {
    if (ids.length === 0) return [];
    const sql = `SELECT ${CARRIED_COLUMNS} FROM records WHERE id IN (${placeholders(ids.length)})`;
    return rowsToRecords(this.unit, await this.unit.all<RecordRow>(sql, ids.map(uuidToSql)));
  }

  hasOpenChild(id: Uuid): Promise<boolean> {
    const sql = 'SELECT 1 FROM records WHERE parent_record_id = ? AND terminal_at IS NULL LIMIT 1';
    return exists(this.unit, sql, [uuidToSql(id)]);
  }

  async dueChildren(id: Uuid, now: string): Promise<readonly Uuid[]> {
    const sql =
      'SELECT id FROM records WHERE parent_record_id = ? AND terminal_at IS NULL AND expires_at <= ? ORDER BY expires_at, id';
    const rows = await this.unit.all<{ readonly id: Uint8Array }>(sql, [
      uuidToSql(id),
      timeToSql(now),
    ]);
    return rows.map((row) => uuidFromSql(row.id));
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
  async update(record: RecordState, before?: RecordState): Promise<void> {
    const isContentKept =
      record.criteria === before?.criteria && record.counterProposal === before.counterProposal;
    await this.unit.change({
      ...(isContentKept
        ? this.#stateChange(record, before)
        : { of: CHANGE_ALL, values: await this.#withContents(record) }),
      where: [uuidToSql(record.id), record.version - 1],
      otherwise: `record ${record.id} is not at version ${record.version - 1}`,
    });
  }

  /** What differs: SQLite writes every index of a column that is set, even to what it was. */
  #stateChange(record: RecordState, before: RecordState): Pick<Change, 'of' | 'values'> {
    const row = RECORD_STATE.toRow(record);
    const stored = RECORD_STATE.toRow(before);
    const places = row.flatMap((value, at) => (isSame(value, stored[at]!) ? [] : [at]));
    return { of: changeOf(places), values: places.map((at) => row[at]!) };
  }

  /** The row of the record. What of it is large is stored beside it. */
  async #withContents(record: RecordState): Promise<readonly SqlValue[]> {
    const { row, contents } = splitRow(record);
    const sql = `${this.unit.dialect.insertIgnore} INTO ${RECORD_CONTENTS.name} (${RECORD_CONTENTS.columnList}) VALUES (?, ?, ?)`;
    // The same criteria may have been proposed before.
    for (const content of contents) await this.unit.run(sql, content);
    return row;
  }

  /** @param which an expression that gives the id of the row to lock. */
  async #locked(
    columns: string,
    which: string,
    id: Uuid,
  ): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const { now, forUpdate } = this.unit.dialect;
    const sql = `SELECT ${columns}, ${now} AS db_now FROM records WHERE id = ${which}${forUpdate}`;
    const row = firstOf(await this.unit.all<TimedRow>(sql, [uuidToSql(id)]));
    return row && this.#withReferences(row);
  }

  async #withReferences(
    row: TimedRow,
  ): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const record = firstOf(await rowsToRecords(this.unit, [row]));
    return record && { record, now: new Date(timeFromSql(row.db_now)) };
  }
}

type TimedRow = RecordRow & { readonly db_now: number };

const CHILD = RECORDS.only('id', 'status', 'childCount');

const isSame = (one: SqlValue, other: SqlValue): boolean =>
  one === other ||
  (one instanceof Uint8Array && other instanceof Uint8Array && bytesEqual(one, other));

const CHANGE_ALL: RowChange = {
  table: RECORDS.name,
  columns: RECORDS.columns,
  where: ['id', 'version'],
};

/** One object for each set of columns, of which the lifecycle has a few dozen: SQLite keeps a statement for each. */
const changeOf = (places: readonly number[]): RowChange => {
  const name = places.join();
  const known = changes.get(name);
  if (known) return known;
  const made = { ...CHANGE_ALL, columns: places.map((at) => RECORD_STATE.columns[at]!) };
  changes.set(name, made);
  return made;
};
const changes = new Map<string, RowChange>();
