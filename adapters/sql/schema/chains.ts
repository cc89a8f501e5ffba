import type { TableDefinition } from './create-table.ts';
import { signedByActiveKey } from './triggers.ts';

export const CHAIN_TABLES: readonly TableDefinition[] = [
  {
    name: 'chain_heads',
    columns: { chain_key: 'key', position: 'integer', hash: 'hash', at: 'time' },
    primaryKey: ['chain_key'],
    clustered: true,
  },
  /** Two unique keys: no position is used twice and no entry has two successors, so a fork cannot be stored. */
  {
    name: 'chain_entries',
    columns: {
      chain_key: 'key',
      position: 'integer',
      entry_type: 'key',
      'record_id?': 'uuid',
      'org_id?': 'uuid',
      signing_key_id: 'key',
      previous_hash: 'hash',
      hash: 'hash',
      cose_sign1: 'long-bytes',
      at: 'time',
      'oidc_iss?': 'text',
      'oidc_sub?': 'text',
    },
    primaryKey: ['chain_key', 'position'],
    unique: [['chain_key', 'previous_hash']],
    isAppendOnly: true,
    triggers: [signedByActiveKey('chain_entries')],
  },
  /** Bodies of co-signed requests, each once. */
  {
    name: 'co_signed_requests',
    columns: { id: 'uuid', body: 'long-bytes' },
    primaryKey: ['id'],
    isAppendOnly: true,
  },
  /** The request that an entry was made by. Only entries that seal a co-signature have a row. */
  {
    name: 'co_signed_entries',
    columns: { chain_key: 'key', position: 'integer', request_id: 'uuid' },
    primaryKey: ['chain_key', 'position'],
    references: [{ column: 'request_id', table: 'co_signed_requests' }],
    clustered: true,
    isAppendOnly: true,
  },
];
