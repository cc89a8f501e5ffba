import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordType, RecordTypeStatus } from '../../../domain/record-type/manifest.ts';
import {
  MAX_COUNTED_RECORDS,
  type HeldVersion,
  type RecordTypeStore,
} from '../../../domain/record-type/record-type-store.port.ts';
import { exists, findAll } from '../tables/find.ts';
import { RECORD_TYPES, RECORD_TYPES_OF_NAME } from './record-type-row.ts';
import { firstOf } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlRecordTypeStore implements RecordTypeStore {
  constructor(private readonly unit: UnitContext) {}

  /** A label gets a row, because only an existing row can be locked. */
  async lockPublisher(label: string): Promise<void> {
    if (await this.#lock(label)) return;
    await this.unit.run(`${this.unit.dialect.insertIgnore} INTO publishers (label) VALUES (?)`, [
      label,
    ]);
    if (!(await this.#lock(label)))
      throw new Error(`the publisher label ${label} cannot be locked`);
  }

  versions(orgId: Uuid, type: string, publisher: string): Promise<readonly RecordType[]> {
    const sql = `${RECORD_TYPES.select} WHERE org_id = ? AND type = ? AND publisher = ? ORDER BY version DESC`;
    return findAll(this.unit, RECORD_TYPES, sql, [uuidToSql(orgId), type, publisher]);
  }

  ofName(orgId: Uuid, type: string): Promise<readonly RecordType[]> {
    return findAll(this.unit, RECORD_TYPES, RECORD_TYPES_OF_NAME, [uuidToSql(orgId), type]);
  }

  held(publisher: string, type: string): Promise<readonly HeldVersion[]> {
    const sql = `SELECT DISTINCT ${HELD.columnList} FROM record_types WHERE publisher = ? AND type = ?`;
    return findAll(this.unit, HELD, sql, [publisher, type]);
  }

  async insert(type: RecordType): Promise<void> {
    this.unit.insert(RECORD_TYPES, RECORD_TYPES.toRow(type));
  }

  setStatus(
    key: {
      readonly orgId: Uuid;
      readonly type: string;
      readonly publisher: string;
      readonly version: number | null;
    },
    status: RecordTypeStatus,
  ): Promise<number> {
    const change =
      'UPDATE record_types SET status = ? WHERE org_id = ? AND type = ? AND publisher = ?';
    const values = [status, uuidToSql(key.orgId), key.type, key.publisher];
    return key.version === null
      ? this.unit.run(change, values)
      : this.unit.run(`${change} AND version = ?`, [...values, key.version]);
  }

  remove(id: Uuid): Promise<number> {
    return this.unit.run('DELETE FROM record_types WHERE id = ?', [uuidToSql(id)]);
  }

  async countRecords(pin: {
    readonly orgId: Uuid;
    readonly publisher: string;
    readonly type: string;
    readonly version: number;
  }): Promise<number> {
    const pinned = `SELECT 1 AS one FROM records WHERE type = ? AND schema_org_id = ? AND publisher = ? AND type_version = ? LIMIT ${MAX_COUNTED_RECORDS}`;
    const row = firstOf(
      await this.unit.all<{ readonly n: number }>(
        `SELECT COUNT(*) AS n FROM (${pinned}) AS pinned`,
        [pin.type, uuidToSql(pin.orgId), pin.publisher, pin.version],
      ),
    );
    return Number(row?.n ?? 0);
  }

  #lock(label: string): Promise<boolean> {
    const sql = `SELECT 1 FROM publishers WHERE label = ?${this.unit.dialect.forUpdate}`;
    return exists(this.unit, sql, [label]);
  }
}

const HELD = RECORD_TYPES.only('version', 'manifestDigest');
