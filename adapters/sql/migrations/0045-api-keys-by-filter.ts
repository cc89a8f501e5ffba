import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** Every filter of the key list walks an index that begins with it and goes on in the order of the list. */
const FILTERS = ['is_active', 'last_used_at', 'expires_at'] as const;

export const up = async (knex: Knex): Promise<void> => {
  for (const filter of FILTERS) {
    await addIndex(knex, 'api_keys', [filter, 'created_at', 'id']);
    await addIndex(knex, 'api_keys', ['org_id', filter, 'created_at', 'id']);
  }
  await addIndex(knex, 'api_keys', ['org_id', 'role', 'created_at', 'id']);
};
