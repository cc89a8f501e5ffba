import type { Knex } from 'knex';
import { isMysql } from '../create-table.ts';
import { RETIRED_KEY_MESSAGE } from '../database-error.ts';

/**
 * Nothing is stored that a retired key signed after its retirement. The trigger rides on the insert, so it costs no round
 * trip; on MySQL it takes the shared lock on the key's row that a rotation waits for.
 */
export const up = async (knex: Knex): Promise<void> => {
  for (const table of ['chain_entries', 'vault_checkpoints']) await refuseRetiredKeys(knex, table);
};

export const refuseRetiredKeys = async (knex: Knex, table: string): Promise<void> => {
  const name = `${table}_by_active_key`;
  await knex.raw(`DROP TRIGGER IF EXISTS ${name}`);
  await knex.raw(isMysql(knex) ? mysqlTrigger(name, table) : sqliteTrigger(name, table));
};

const mysqlTrigger = (name: string, table: string): string => `
  CREATE TRIGGER ${name} BEFORE INSERT ON ${table} FOR EACH ROW
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM vault_signing_keys WHERE key_id = NEW.signing_key_id AND status = 'active' LOCK IN SHARE MODE)
    THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${RETIRED_KEY_MESSAGE}';
    END IF;
  END`;

const sqliteTrigger = (name: string, table: string): string => `
  CREATE TRIGGER ${name} BEFORE INSERT ON ${table}
  WHEN NOT EXISTS (SELECT 1 FROM vault_signing_keys WHERE key_id = NEW.signing_key_id AND status = 'active')
  BEGIN SELECT RAISE(ABORT, '${RETIRED_KEY_MESSAGE}'); END`;
