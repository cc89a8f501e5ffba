import type { TableDefinition } from './create-table.ts';

export const PEER_TABLES: readonly TableDefinition[] = [
  /** The keys that this hub signs its requests to peers with. */
  {
    name: 'hub_keys',
    columns: {
      id: 'uuid',
      thumbprint: 'hash',
      public_key: 'bytes',
      'private_key?': 'bytes',
      created_at: 'time',
      'retired_at?': 'time',
      row_version: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['thumbprint']],
  },
  /** Hubs that were registered here. */
  {
    name: 'federation_peers',
    columns: {
      id: 'uuid',
      hub_id: 'uuid',
      base_url: 'short',
      public_key: 'bytes',
      thumbprint: 'hash',
      vault_root: 'hash',
      status: 'key',
      own_key: 'hash',
      'greeted_at?': 'time',
      created_at: 'time',
      updated_at: 'time',
      generation: 'integer',
      row_version: 'integer',
      'name?': 'short',
      'handshake_due_at?': 'time',
      handshake_attempts: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    // No two hubs have the same key, even if they are registered at the same moment.
    unique: [['hub_id'], ['thumbprint']],
    indexes: [{ columns: ['handshake_due_at'] }],
  },
  /** Handshakes of hubs that are not registered here. */
  {
    name: 'pending_peers',
    columns: {
      id: 'uuid',
      hub_id: 'uuid',
      base_url: 'short',
      public_key: 'bytes',
      thumbprint: 'hash',
      vault_root: 'hash',
      address: 'key',
      created_at: 'time',
      expires_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['hub_id', 'thumbprint']],
  },
  /** Nonces of requests of peers, by their hash. A row is kept until no request with that nonce would be accepted. */
  {
    name: 'peer_nonces',
    columns: { id: 'hash', expires_at: 'time' },
    primaryKey: ['id'],
    indexes: [{ columns: ['expires_at'] }],
    clustered: true,
  },
  /** The key statements of peers, as they were verified when they arrived. */
  {
    name: 'peer_key_statements',
    columns: {
      hub_id: 'uuid',
      vault_root: 'hash',
      statements: 'long-text',
      fetched_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['hub_id'],
  },
  /** The key statements of peers under earlier vault roots, which still prove what was signed under those roots. */
  {
    name: 'former_peer_keys',
    columns: {
      id: 'uuid',
      hub_id: 'uuid',
      vault_root: 'hash',
      statements: 'long-text',
      fetched_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [{ columns: ['hub_id'] }],
  },
  {
    name: 'federation_breakers',
    columns: {
      peer_hub_id: 'uuid',
      consecutive_failures: 'integer',
      'opened_at?': 'time',
      'probe_at?': 'time',
    },
    primaryKey: ['peer_hub_id'],
  },
];
