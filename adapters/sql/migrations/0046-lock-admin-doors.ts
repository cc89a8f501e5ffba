import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';

/** One more row to be locked; see `locks.ts`. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw(
    `INSERT ${isMysql(knex) ? 'IGNORE' : 'OR IGNORE'} INTO locks (name, value) VALUES ('admin-doors', 0)`,
  );
};
