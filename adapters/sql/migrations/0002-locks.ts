import type { Knex } from 'knex';
import { createTable, isMysql } from '../create-table.ts';

/** Rows to be locked where no other row stands for what is decided; see `locks.ts`. */
export const up = async (knex: Knex): Promise<void> => {
  await createTable(knex, {
    name: 'locks',
    columns: { name: 'short', value: 'integer' },
    primaryKey: ['name'],
    clustered: true,
  });
  await knex.raw(
    `INSERT ${isMysql(knex) ? 'IGNORE' : 'OR IGNORE'} INTO locks (name, value) VALUES ('checkpoint-log', 0), ('platform-keys', 0)`,
  );
};
