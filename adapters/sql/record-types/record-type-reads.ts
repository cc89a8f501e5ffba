import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import type {
  RecordTypeFilter,
  RecordTypeReads,
  RecordTypeRows,
} from '../../../domain/record-type/record-type-store.port.ts';
import { findAll, findOne } from '../tables/find.ts';
import { RECORD_TYPES, RECORD_TYPES_OF_NAME } from './record-type-row.ts';
import type { RowOf } from '../tables/column-map.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { uuidToSql } from '../base/values.ts';
import { equalities, newestFirst, type Lister } from '../listing/keyset.ts';

export class SqlRecordTypeReads implements RecordTypeReads, RecordTypeRows {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(orgId: Uuid, type: string): Promise<readonly RecordType[]> {
    return findAll(this.reader, RECORD_TYPES, RECORD_TYPES_OF_NAME, [uuidToSql(orgId), type]);
  }

  list(filter: RecordTypeFilter, slice: SliceRequest): Promise<Slice<RecordType>> {
    const rows = equalities({
      org_id: filter.orgId === null ? undefined : uuidToSql(filter.orgId),
      type: filter.type,
      publisher: filter.publisher,
      status: filter.status,
    });
    const listing = newestFirst(RECORD_TYPES, rows, 'registered_at');
    const sizes = (found: readonly RowOf<typeof RECORD_TYPES>[]): Promise<readonly number[]> =>
      Promise.resolve(found.map(({ manifest }) => manifest.length));
    return this.lister.slice({ ...listing, sizes }, slice);
  }

  async withIds(ids: readonly Uuid[]): Promise<readonly RecordType[]> {
    if (ids.length === 0) return [];
    const sql = `${RECORD_TYPES.select} WHERE id IN (${placeholders(ids.length)})`;
    return findAll(this.reader, RECORD_TYPES, sql, ids.map(uuidToSql));
  }

  async activeNames(orgId: Uuid): Promise<readonly string[]> {
    const sql =
      "SELECT DISTINCT type FROM record_types WHERE org_id = ? AND status = 'active' ORDER BY type";
    return (await this.reader.all<{ readonly type: string }>(sql, [uuidToSql(orgId)])).map(
      ({ type }) => type,
    );
  }

  published(publisher: string, type: string, version: number): Promise<RecordType | null> {
    const sql = `${RECORD_TYPES.select} WHERE publisher = ? AND type = ? AND version = ? LIMIT 1`;
    return findOne(this.reader, RECORD_TYPES, sql, [publisher, type, version]);
  }
}
