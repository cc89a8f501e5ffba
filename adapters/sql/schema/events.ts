import type { IndexDefinition, TableDefinition } from './create-table.ts';

const READERS = ['org_id', 'counterparty_org_id', 'party_agent_id', 'counterparty_agent_id'];

/** A condition that keeps SQLite from preferring an index for every query: a query that wants it repeats the condition. */
const REQUESTED = 'sequence > 0';

/**
 * The events of each reader are listed by their numbers. Rare events, of one type or by one agent, are found without reading
 * the others: SQLite needs an index in the order of the numbers for that. MySQL estimates what is rare and sorts it. So its
 * indexes have no number there, and numbering an event does not write to them.
 */
const EVENT_LISTINGS: readonly IndexDefinition[] = [
  ...READERS.map((column) => ({
    columns: [column, 'sequence'],
    where: `${column} IS NOT NULL AND ${REQUESTED}`,
  })),
  ...READERS.map((column) => ({
    columns: [column, 'type', 'sequence'],
    where: `${column} IS NOT NULL`,
    only: 'sqlite' as const,
  })),
  { columns: ['record_id', 'sequence'], where: 'record_id IS NOT NULL' },
  { columns: ['agent_id', 'sequence'], where: 'agent_id IS NOT NULL', only: 'sqlite' },
  { columns: ['agent_id'], only: 'mysql' },
  { columns: ['type', 'sequence'], where: REQUESTED, only: 'sqlite' },
  { columns: ['type', 'org_id'], only: 'mysql' },
];

export const EVENT_TABLES: readonly TableDefinition[] = [
  /**
   * `sequence` is null until an event is numbered. The unique key permits any number of nulls, and on MySQL, where
   * events are numbered after their commit, it finds them. The other indexes serve listings by number.
   */
  {
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
      // The position in a trace of the call that caused the event; null if it was not traced.
      'traceparent?': 'key',
    },
    primaryKey: ['id'],
    unique: [['sequence']],
    indexes: EVENT_LISTINGS,
  },
  /** The newest number of an event, and when it was given: one row, which the process that gives numbers locks first. */
  {
    name: 'event_counter',
    columns: {
      id: 'uuid',
      last: 'integer',
      numbered_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
  },
  /**
   * What each process counted of events that are emitted with a count: a row per process, deleted when they are
   * emitted.
   */
  {
    name: 'event_sums',
    columns: {
      id: 'uuid',
      sums: 'long-text',
      created_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    indexes: [{ columns: ['created_at'] }],
  },
  /** The position of each sink that events are pushed to. */
  {
    name: 'siem_sinks',
    columns: {
      id: 'uuid',
      name: 'key',
      sequence: 'integer',
      event_id: 'uuid',
      numbered_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
  },
];
