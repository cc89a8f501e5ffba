import type { Knex } from 'knex';
import { addIndex, addPrefixIndex, isMysql } from '../create-table.ts';

/**
 * How the federated half begins says whom a mirror follows: its role, the peer and the peer's record. So a mirror is found
 * by its own row as well, and another row that is deleted hides it from nobody.
 */
export const up = (knex: Knex): Promise<void> =>
  isMysql(knex)
    ? addPrefixIndex(knex, 'records', 'federation', 120)
    : addIndex(knex, 'records', ['federation'], 'federation IS NOT NULL');
