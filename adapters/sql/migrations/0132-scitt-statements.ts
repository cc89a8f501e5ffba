import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/** Registered statements. `identity` is made of the key and what it signed, so that one is never there twice. */
export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
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
  });
