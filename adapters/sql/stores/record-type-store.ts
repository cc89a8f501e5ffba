import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordType, RecordTypeStatus } from '../../../domain/record-type/manifest.ts';
import type { RecordTypeStore } from '../../../domain/record-type/record-type-store.port.ts';
import { RECORD_TYPES, recordTypeToRow, rowToRecordType, type RecordTypeRow } from '../rows/record-type-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { orNull, uuidFromSql, uuidToSql } from '../values.ts';

interface PublisherRow {
  readonly org_id: Uint8Array | null;
}

export class SqlRecordTypeStore implements RecordTypeStore {
  constructor(private readonly unit: UnitContext) {}

  /** A label that nobody owns gets a row without an owner, since only a row can be locked. */
  async lockPublisher(label: string): Promise<Uuid | null> {
    let row = await this.#lock(label);
    if (!row) {
      await this.unit.run(`${this.unit.dialect.insertIgnore} INTO publishers (label, org_id) VALUES (?, NULL)`, [label]);
      row = await this.#lock(label);
    }
    return row && orNull(row.org_id, uuidFromSql);
  }

  /** @throws Error where the label is not locked and free: the caller did not hold the lock. */
  async claimPublisher(label: string, orgId: Uuid): Promise<void> {
    const claimed = await this.unit.run('UPDATE publishers SET org_id = ? WHERE label = ? AND org_id IS NULL', [uuidToSql(orgId), label]);
    if (claimed !== 1) throw new Error(`the publisher label ${label} is not free`);
  }

  async versions(orgId: Uuid, type: string, publisher: string): Promise<readonly RecordType[]> {
    const rows = await this.unit.all<RecordTypeRow>(
      `SELECT ${columnsOf(RECORD_TYPES)} FROM record_types WHERE org_id = ? AND type = ? AND publisher = ? ORDER BY version DESC`,
      [uuidToSql(orgId), type, publisher],
    );
    return rows.map(rowToRecordType);
  }

  async insert(type: RecordType): Promise<void> {
    this.unit.insert(RECORD_TYPES, recordTypeToRow(type));
  }

  setStatus(
    key: { readonly orgId: Uuid; readonly type: string; readonly publisher: string; readonly version: number | null },
    status: RecordTypeStatus,
  ): Promise<number> {
    const change = 'UPDATE record_types SET status = ? WHERE org_id = ? AND type = ? AND publisher = ? AND status <> ?';
    const values = [status, uuidToSql(key.orgId), key.type, key.publisher, status];
    return key.version === null ? this.unit.run(change, values) : this.unit.run(`${change} AND version = ?`, [...values, key.version]);
  }

  async #lock(label: string): Promise<PublisherRow | null> {
    return firstOf(await this.unit.all<PublisherRow>(`SELECT org_id FROM publishers WHERE label = ?${this.unit.dialect.forUpdate}`, [label]));
  }
}
