import type { Knex } from 'knex';
import { createTable } from '../create-table.ts';

/**
 * `sequence` is null until an event is numbered. The unique key takes any number of nulls, and on MySQL, where events are
 * numbered after their commit, it finds them. The other indexes serve those who walk by number.
 */
export const up = async (knex: Knex): Promise<void> =>
  createTable(knex, {
    name: 'outbox',
    columns: {
      id: 'uuid',
      'sequence?': 'integer',
      type: 'key',
      'org_id?': 'uuid',
      'counterparty_org_id?': 'uuid',
      'party_agent_id?': 'uuid',
      'counterparty_agent_id?': 'uuid',
      'record_id?': 'uuid',
      'record_type?': 'short',
      'agent_id?': 'uuid',
      data: 'long-text',
      created_at: 'time',
      'position?': 'integer',
      ordinal: 'integer',
      row_key: 'row-key',
      row_mac: 'hash',
      'numbered_at?': 'time',
      'number_key?': 'row-key',
      'number_mac?': 'hash',
    },
    primaryKey: ['id'],
    unique: [['sequence']],
    indexes: WALKS,
  });

const READERS = ['org_id', 'counterparty_org_id', 'party_agent_id', 'counterparty_agent_id'];

/** The condition of indexes that SQLite would prefer, were they there for everybody: who means one says it as well. */
const ASKED_FOR = 'sequence > 0';

/**
 * Whoever's events are walked goes along the numbers. What is rare, of a type or by an agent, is found without passing what
 * is not: SQLite needs an index that gives the order of the numbers for that. MySQL knows what is rare, and sorts it; so its
 * indexes hold no number there, and to number an event does not touch them.
 */
const WALKS = [
  ...READERS.map((column) => ({
    columns: [column, 'sequence'],
    where: `${column} IS NOT NULL AND ${ASKED_FOR}`,
  })),
  ...READERS.map((column) => ({
    columns: [column, 'type', 'sequence'],
    where: `${column} IS NOT NULL`,
    only: 'sqlite' as const,
  })),
  { columns: ['record_id', 'sequence'], where: 'record_id IS NOT NULL' },
  { columns: ['agent_id', 'sequence'], where: 'agent_id IS NOT NULL', only: 'sqlite' as const },
  { columns: ['agent_id'], only: 'mysql' as const },
  { columns: ['type', 'sequence'], where: ASKED_FOR, only: 'sqlite' as const },
  { columns: ['type', 'org_id'], only: 'mysql' as const },
];
