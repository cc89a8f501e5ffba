import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import type {
  RecordTypeFilter,
  RecordTypeReads,
} from '../../../domain/record-type/record-type-store.port.ts';
import {
  RECORD_TYPES,
  RECORD_TYPES_OF_NAME,
  rowToRecordType,
  type RecordTypeRow,
} from '../rows/record-type-row.ts';
import { columnsOf, firstOf, type Reader } from '../session.ts';
import { uuidToSql } from '../values.ts';
import { equalities, type Lister } from './keyset.ts';

export class SqlRecordTypeReads implements RecordTypeReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  async find(orgId: Uuid, type: string): Promise<readonly RecordType[]> {
    return (
      await this.reader.all<RecordTypeRow>(RECORD_TYPES_OF_NAME, [uuidToSql(orgId), type])
    ).map(rowToRecordType);
  }

  list(filter: RecordTypeFilter, slice: SliceRequest): Promise<Slice<RecordType>> {
    const rows = equalities({
      org_id: filter.orgId === null ? undefined : uuidToSql(filter.orgId),
      type: filter.type,
      publisher: filter.publisher,
      status: filter.status,
    });
    return this.lister.slice<RecordTypeRow, RecordType>(
      {
        table: RECORD_TYPES.name,
        columns: RECORD_TYPES.columns,
        order: { column: 'registered_at', direction: 'desc' },
        walks: [{ rows }],
        toDomain: rowToRecordType,
      },
      slice,
    );
  }

  async activeNames(orgId: Uuid): Promise<readonly string[]> {
    const sql =
      "SELECT DISTINCT type FROM record_types WHERE org_id = ? AND status = 'active' ORDER BY type";
    return (await this.reader.all<{ readonly type: string }>(sql, [uuidToSql(orgId)])).map(
      ({ type }) => type,
    );
  }

  async published(publisher: string, type: string, version: number): Promise<RecordType | null> {
    const sql = `SELECT ${columnsOf(RECORD_TYPES)} FROM record_types WHERE publisher = ? AND type = ? AND version = ? LIMIT 1`;
    const row = firstOf(await this.reader.all<RecordTypeRow>(sql, [publisher, type, version]));
    return row && rowToRecordType(row);
  }
}
