import type { TableDefinition } from './create-table.ts';

export const TRANSPARENCY_TABLES: readonly TableDefinition[] = [
  /** Complete subtrees of the Merkle trees of logs, found by their position alone. */
  {
    name: 'log_nodes',
    columns: { log_key: 'key', level: 'integer', node_index: 'integer', hash: 'hash' },
    primaryKey: ['log_key', 'level', 'node_index'],
    clustered: true,
    isAppendOnly: true,
  },
  /**
   * The leaves of the logs of orgs, in order. A leaf is a chain entry, or a statement of a customer if it names no
   * chain.
   *
   * Hashes of leaves are random. An index of all of them would write a page for each new leaf on SQLite, nearly as
   * much as the record that it is a leaf of. So there the index keeps them in blocks of 4,096 leaves of a log, new
   * ones next to each other, and a search by hash searches each block. The unique key over the chain and its
   * position ensures that an entry has one leaf, and an index of the few other leaves that a statement has one.
   */
  {
    name: 'scitt_leaves',
    columns: {
      log_key: 'key',
      leaf_index: 'integer',
      hash: 'hash',
      'chain_key?': 'key',
      'position?': 'integer',
    },
    primaryKey: ['log_key', 'leaf_index'],
    unique: [['chain_key', 'position']],
    indexes: [
      {
        name: 'scitt_leaves_log_key_hash_unique',
        columns: ['log_key', 'hash'],
        isUnique: true,
        only: 'mysql',
      },
      {
        name: 'scitt_leaves_by_block',
        columns: ['log_key', 'leaf_index / 4096', 'hash'],
        only: 'sqlite',
      },
      {
        name: 'scitt_leaves_of_statements_unique',
        columns: ['log_key', 'hash'],
        isUnique: true,
        where: 'chain_key IS NULL',
        only: 'sqlite',
      },
    ],
    clustered: true,
    isAppendOnly: true,
  },
  /**
   * Registered statements. `identity` is derived from the key and what it signed, so that no statement is registered
   * twice.
   */
  {
    name: 'scitt_statements',
    columns: {
      org_id: 'uuid',
      hash: 'hash',
      identity: 'hash',
      agent_id: 'uuid',
      cose_sign1: 'long-bytes',
      created_at: 'time',
    },
    primaryKey: ['org_id', 'hash'],
    unique: [['org_id', 'identity']],
    references: [
      { column: 'org_id', table: 'orgs' },
      { column: 'agent_id', table: 'agents' },
    ],
    isAppendOnly: true,
  },
];
