import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';
import { refuseRetiredKeys } from './0102-signed-by-the-active-key.ts';

/**
 * An insert shares the lock of its org first, then that of the key: so whoever locks the org, because others were faster,
 * has its turn. On SQLite there is one writer in any case.
 */
export const up = async (knex: Knex): Promise<void> => {
  if (isMysql(knex)) {
    await knex.raw('DROP TRIGGER IF EXISTS org_admin_reads_in_turn');
    await knex.raw(`
      CREATE TRIGGER org_admin_reads_in_turn BEFORE INSERT ON org_admin_reads FOR EACH ROW
      BEGIN
        IF NOT EXISTS (SELECT 1 FROM orgs WHERE id = NEW.org_id LOCK IN SHARE MODE)
        THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'there is no such org';
        END IF;
      END`);
  }
  for (const table of ['org_admin_reads', 'org_admin_reads_checkpoints'])
    await refuseRetiredKeys(knex, table);
};
