import type { EntryType } from '../../../domain/vault/entry-type.ts';
import { HASH, INSTANT, INTEGER, nullable, oneOf, PACKED, TEXT, UUID } from '../tables/codec.ts';
import { column } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const CHAIN_ENTRIES = table('chain_entries', {
  chainKey: column('chain_key', TEXT),
  position: column('position', INTEGER),
  entryType: column('entry_type', oneOf<EntryType>()),
  recordId: column('record_id', nullable(UUID)),
  orgId: column('org_id', nullable(UUID)),
  signingKeyId: column('signing_key_id', TEXT),
  previousHash: column('previous_hash', HASH),
  hash: column('hash', HASH),
  coseSign1: column('cose_sign1', PACKED),
  at: column('at', INSTANT),
  oidcIss: column('oidc_iss', nullable(TEXT)),
  oidcSub: column('oidc_sub', nullable(TEXT)),
});

/** Position 0: the chain was locked for its first entry, which does not exist yet. */
export const CHAIN_HEADS = table('chain_heads', {
  chainKey: column('chain_key', TEXT),
  position: column('position', INTEGER),
  hash: column('hash', HASH),
  at: column('at', INSTANT),
});
