import type { ChainEntry, ChainHead } from '../../../domain/vault/chain.ts';
import type { EntryType } from '../../../domain/vault/entry-type.ts';
import type { SqlValue } from '../session.ts';
import { bytesFromSql, orNull, timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../values.ts';
import { table } from './tables.ts';

export const CHAIN_ENTRIES = table('chain_entries', [
  'chain_key',
  'position',
  'entry_type',
  'record_id',
  'org_id',
  'signing_key_id',
  'previous_hash',
  'hash',
  'cose_sign1',
  'at',
  'oidc_iss',
  'oidc_sub',
]);

/** Position 0: a chain that is locked for its first entry and has none yet. */
export const CHAIN_HEADS = table('chain_heads', ['chain_key', 'position', 'hash', 'at']);

export interface ChainEntryRow {
  readonly chain_key: string;
  readonly position: number;
  readonly entry_type: EntryType;
  readonly record_id: Uint8Array | null;
  readonly org_id: Uint8Array | null;
  readonly signing_key_id: string;
  readonly previous_hash: Uint8Array;
  readonly hash: Uint8Array;
  readonly cose_sign1: Uint8Array;
  readonly at: number;
  readonly oidc_iss: string | null;
  readonly oidc_sub: string | null;
}

export interface ChainHeadRow {
  readonly chain_key: string;
  readonly position: number;
  readonly hash: Uint8Array;
  readonly at: number;
}

/** In the order of CHAIN_ENTRIES.columns. */
export const entryToRow = (entry: ChainEntry): readonly SqlValue[] => [
  entry.chainKey,
  entry.position,
  entry.entryType,
  orNull(entry.recordId, uuidToSql),
  orNull(entry.orgId, uuidToSql),
  entry.signingKeyId,
  entry.previousHash,
  entry.hash,
  entry.coseSign1,
  timeToSql(entry.at),
  entry.oidcIss,
  entry.oidcSub,
];

export const rowToEntry = (row: ChainEntryRow): ChainEntry => ({
  chainKey: row.chain_key,
  position: row.position,
  entryType: row.entry_type,
  recordId: orNull(row.record_id, uuidFromSql),
  orgId: orNull(row.org_id, uuidFromSql),
  signingKeyId: row.signing_key_id,
  previousHash: bytesFromSql(row.previous_hash),
  hash: bytesFromSql(row.hash),
  coseSign1: bytesFromSql(row.cose_sign1),
  at: timeFromSql(row.at),
  oidcIss: row.oidc_iss,
  oidcSub: row.oidc_sub,
});

/** In the order of CHAIN_HEADS.columns. */
export const headToRow = (entry: ChainEntry): readonly SqlValue[] => [
  entry.chainKey,
  entry.position,
  entry.hash,
  timeToSql(entry.at),
];

export const rowToHead = (row: ChainHeadRow): ChainHead | null =>
  row.position === 0
    ? null
    : {
        chainKey: row.chain_key,
        position: row.position,
        hash: bytesFromSql(row.hash),
        at: timeFromSql(row.at),
      };
