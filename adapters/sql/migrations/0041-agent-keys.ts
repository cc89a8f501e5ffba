import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** One row a public key, found by its RFC 9679 thumbprint, so that a key is never there twice. `ended_at`: revoked, or replaced. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'agent_keys',
    columns: {
      thumbprint: 'hash',
      agent_id: 'uuid',
      purpose: 'key',
      curve: 'key',
      public_key: 'bytes',
      issuers: 'long-text',
      entry_position: 'integer',
      started_at: 'time',
      'ended_at?': 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['thumbprint'],
    indexes: [{ columns: ['agent_id', 'purpose', 'entry_position'] }],
    references: [{ column: 'agent_id', table: 'agents' }],
  });
