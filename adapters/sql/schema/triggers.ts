import { RETIRED_KEY_MESSAGE } from '../base/database-error.ts';

export interface TriggerDefinition {
  readonly name: string;
  /** What follows the name in CREATE TRIGGER, if the database has this trigger. */
  readonly mysql?: string;
  readonly sqlite?: string;
}

/**
 * Refuse UPDATE and DELETE. On SQLite they refuse REPLACE too, provided that recursive_triggers is on.
 */
export const appendOnly = (table: string): readonly TriggerDefinition[] => {
  const message = `${table} is append-only`;
  return (['UPDATE', 'DELETE'] as const).map((event) => ({
    name: `${table}_no_${event.toLowerCase()}`,
    mysql: `BEFORE ${event} ON ${table} FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${message}'`,
    sqlite: `BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, '${message}'); END`,
  }));
};

/**
 * Refuses a row that a retired key signed after its retirement. The trigger is part of the insert, so it costs no round
 * trip. On MySQL it takes the shared lock on the row of the key, which a rotation waits for.
 */
export const signedByActiveKey = (table: string): TriggerDefinition => {
  const active =
    "SELECT 1 FROM vault_signing_keys WHERE key_id = NEW.signing_key_id AND status = 'active'";
  return {
    name: `${table}_by_active_key`,
    mysql: refuseUnless(table, active, RETIRED_KEY_MESSAGE),
    sqlite: `BEFORE INSERT ON ${table} WHEN NOT EXISTS (${active}) BEGIN SELECT RAISE(ABORT, '${RETIRED_KEY_MESSAGE}'); END`,
  };
};

const refuseUnless = (table: string, found: string, message: string): string =>
  `BEFORE INSERT ON ${table} FOR EACH ROW BEGIN IF NOT EXISTS (${found} LOCK IN SHARE MODE) THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${message}'; END IF; END`;

/**
 * An insert shares the lock of its org first, and then the lock of the key. So a process that locks the org, because
 * others were faster, gets its turn. SQLite has one writer in any case.
 */
export const ORG_READS_IN_TURN: TriggerDefinition = {
  name: 'org_admin_reads_in_turn',
  mysql: refuseUnless(
    'org_admin_reads',
    'SELECT 1 FROM orgs WHERE id = NEW.org_id',
    'there is no such org',
  ),
};

const TIMED =
  'INSERT INTO completion_times (performer_agent_id, elapsed_ms, completion_id, type) SELECT r.performer_agent_id, NEW.submitted_at - r.activated_at, NEW.id, r.type FROM records r WHERE r.id = NEW.record_id AND r.activated_at IS NOT NULL AND r.performer_agent_id <> r.principal_agent_id';

/**
 * Writes the time of a submission with the submission. The values that it is computed from never change afterwards: the
 * performer and the time of activation are fixed before anything can be submitted.
 */
export const COMPLETION_TIMED: TriggerDefinition = {
  name: 'completions_timed',
  mysql: `AFTER INSERT ON completions FOR EACH ROW ${TIMED}`,
  sqlite: `AFTER INSERT ON completions BEGIN ${TIMED}; END`,
};
