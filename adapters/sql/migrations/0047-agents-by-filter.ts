import type { Knex } from 'knex';
import { addIndex } from '../create-table.ts';

/** For the filters of the agent list that the indexes of the table do not begin with. */
export const up = async (knex: Knex): Promise<void> => {
  await addIndex(knex, 'agents', ['org_id', 'name', 'created_at', 'id']);
  await addIndex(knex, 'agents', ['org_id', 'deactivated_at', 'created_at', 'id']);
  await addIndex(knex, 'agents', ['deactivated_at', 'created_at', 'id']);
};
