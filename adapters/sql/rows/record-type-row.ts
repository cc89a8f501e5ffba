import type {
  Manifest,
  RecordType,
  RecordTypeStatus,
} from '../../../domain/record-type/manifest.ts';
import { columnsOf, type SqlValue } from '../session.ts';
import {
  hexFromSql,
  hexToSql,
  jsonFromSql,
  jsonToSql,
  orNull,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import { table } from './tables.ts';

export const RECORD_TYPES = table('record_types', [
  'id',
  'org_id',
  'publisher',
  'type',
  'version',
  'manifest',
  'manifest_digest',
  'status',
  'registered_by',
  'registered_at',
  'entry_position',
]);

export const RECORD_TYPES_OF_NAME = `SELECT ${columnsOf(RECORD_TYPES)} FROM record_types WHERE org_id = ? AND type = ? ORDER BY version DESC, publisher`;

export interface RecordTypeRow {
  readonly id: Uint8Array;
  readonly org_id: Uint8Array;
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
  readonly manifest: string;
  readonly manifest_digest: Uint8Array;
  readonly status: RecordTypeStatus;
  readonly registered_by: Uint8Array | null;
  readonly registered_at: number;
  readonly entry_position: number;
}

/** In the order of RECORD_TYPES.columns. */
export const recordTypeToRow = (type: RecordType): readonly SqlValue[] => [
  uuidToSql(type.id),
  uuidToSql(type.orgId),
  type.publisher,
  type.type,
  type.version,
  jsonToSql(type.manifest),
  hexToSql(type.manifestDigest),
  type.status,
  orNull(type.registeredBy, uuidToSql),
  timeToSql(type.registeredAt),
  type.entryPosition,
];

export const rowToRecordType = (row: RecordTypeRow): RecordType => ({
  id: uuidFromSql(row.id),
  orgId: uuidFromSql(row.org_id),
  publisher: row.publisher,
  type: row.type,
  version: row.version,
  manifest: jsonFromSql<Manifest>(row.manifest),
  manifestDigest: hexFromSql(row.manifest_digest),
  status: row.status,
  registeredBy: orNull(row.registered_by, uuidFromSql),
  registeredAt: timeFromSql(row.registered_at),
  entryPosition: row.entry_position,
});
