import type { TableDefinition } from './create-table.ts';

export const INSTANCE_TABLES: readonly TableDefinition[] = [
  /** The identity of this hub: one row, whose key is the constant 1. */
  {
    name: 'instance',
    columns: { id: 'integer', hub_id: 'uuid', predicate_base: 'short' },
    primaryKey: ['id'],
  },
  /** Checks of the secrets that this database is used with: a value derived from each, which does not reveal it. */
  {
    name: 'secret_checks',
    columns: {
      secret: 'key',
      generation: 'integer',
      salt: 'hash',
      check_value: 'hash',
      created_at: 'time',
    },
    primaryKey: ['secret', 'generation'],
    isAppendOnly: true,
  },
  /** Rows that provisioning files created, each under the natural key that the files use for it. They never change. */
  {
    name: 'provisioned_rows',
    columns: {
      id: 'uuid',
      kind: 'key',
      org_slug: 'key',
      name: 'short',
      created_at: 'time',
      row_key: 'row-key',
      row_mac: 'hash',
    },
    primaryKey: ['id'],
    unique: [['kind', 'org_slug', 'name']],
  },
];
