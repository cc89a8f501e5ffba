import { hashJson } from '../../../domain/kernel/digest.ts';
import type { Reference } from '../../../domain/record/reference.ts';
import type { ActorClaim } from '../../../domain/vault/statement.ts';
import type { SqlValue } from '../session.ts';
import {
  hexToSql,
  jsonFromSql,
  jsonToSql,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import { table } from './tables.ts';

/** What a reference has beside the owner that it stands on. */
export const OWNED_COLUMNS = [
  'entry_position',
  'id',
  'kind',
  'uri',
  'target_hash',
  'digest_alg',
  'digest_value',
  'label',
  'added_by',
  'added_at',
] as const;

export const RECORD_REFERENCES = table('record_references', ['record_id', ...OWNED_COLUMNS]);

export interface OwnedReferenceRow {
  readonly entry_position: number;
  readonly id: Uint8Array;
  readonly kind: string;
  readonly uri: string;
  /** SHA-256 of the RFC 8785 form of [kind, uri]. */
  readonly target_hash: Uint8Array;
  /** The two columns of a digest are null together. */
  readonly digest_alg: string | null;
  readonly digest_value: string | null;
  readonly label: string | null;
  readonly added_by: string;
  readonly added_at: number;
}

export interface ReferenceRow extends OwnedReferenceRow {
  readonly record_id: Uint8Array;
}

/** In the order of RECORD_REFERENCES.columns. */
export const referenceToRow = (
  reference: Reference,
  entryPosition: number,
): readonly SqlValue[] => [uuidToSql(reference.recordId), ...ownedToRow(reference, entryPosition)];

export const rowToReference = (row: ReferenceRow): Reference => {
  const { id, ...rest } = rowToOwned(row);
  return { id, recordId: uuidFromSql(row.record_id), ...rest };
};

/** In the order of OWNED_COLUMNS. */
export const ownedToRow = (
  reference: Omit<Reference, 'recordId'>,
  entryPosition: number,
): readonly SqlValue[] => [
  entryPosition,
  uuidToSql(reference.id),
  reference.kind,
  reference.uri,
  hexToSql(hashJson([reference.kind, reference.uri])),
  reference.digest?.alg ?? null,
  reference.digest?.value ?? null,
  reference.label,
  jsonToSql(reference.addedBy),
  timeToSql(reference.addedAt),
];

export const rowToOwned = (row: OwnedReferenceRow): Omit<Reference, 'recordId'> => ({
  id: uuidFromSql(row.id),
  kind: row.kind,
  uri: row.uri,
  digest:
    row.digest_alg === null || row.digest_value === null
      ? null
      : { alg: row.digest_alg, value: row.digest_value },
  label: row.label,
  addedBy: jsonFromSql<ActorClaim>(row.added_by),
  addedAt: timeFromSql(row.added_at),
});
