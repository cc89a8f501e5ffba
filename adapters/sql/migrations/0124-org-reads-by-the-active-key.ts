import type { Knex } from 'knex';
import { refuseRetiredKeys } from './0102-signed-by-the-active-key.ts';

export const up = async (knex: Knex): Promise<void> => {
  for (const table of ['org_admin_reads', 'org_admin_reads_checkpoints'])
    await refuseRetiredKeys(knex, table);
};
