import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

export const up = (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'federation_breakers',
    columns: {
      peer_hub_id: 'uuid',
      consecutive_failures: 'integer',
      'opened_at?': 'time',
      'probe_at?': 'time',
    },
    primaryKey: ['peer_hub_id'],
    indexes: [],
  });
