import { appendOnly, type TriggerDefinition } from './triggers.ts';

/**
 * The type of a column, independent of the database. `key` is text of at most 64 characters,
 * `short` of at most 256; both can be indexed.
 */
export type ColumnType =
  | 'uuid'
  | 'hash'
  | 'row-key'
  | 'key'
  | 'short'
  | 'text'
  | 'long-text'
  | 'bytes'
  | 'long-bytes'
  | 'integer'
  | 'time'
  | 'flag';

export interface IndexDefinition {
  /** SQLite takes expressions, too. */
  readonly columns: readonly string[];
  /** `<table>_by_<columns>` by default. */
  readonly name?: string;
  readonly isUnique?: boolean;
  /** SQLite keeps other rows out of the index. MySQL has no partial indexes, so there it has every row. */
  readonly where?: string;
  /** How many characters of the last column MySQL indexes; a whole text is too long there. */
  readonly mysqlPrefix?: number;
  /** Set if the other database does not have the index. */
  readonly only?: 'sqlite' | 'mysql';
}

export interface TableDefinition {
  readonly name: string;
  /** A trailing `?` on the name: nullable. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly primaryKey: readonly string[];
  /** Named `<table>_<columns>_unique`. */
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly IndexDefinition[];
  readonly references?: readonly { readonly column: string; readonly table: string }[];
  /**
   * For small rows that are found by their key alone: SQLite stores them in the tree of the key.
   */
  readonly clustered?: boolean;
  /** Triggers refuse UPDATE and DELETE. */
  readonly isAppendOnly?: boolean;
  readonly triggers?: readonly TriggerDefinition[];
  /** Rows that exist from the start. */
  readonly rows?: readonly Readonly<Record<string, string | number>>[];
}

/** A kind of database, and for MySQL the collation of its texts. */
export type Target =
  { readonly database: 'sqlite' } | { readonly database: 'mysql'; readonly collation: string };

/**
 * The statements that create a table with its indexes, triggers and first rows. They can run again after an interruption,
 * because the DDL of MySQL commits implicitly. The names are the service's own, so they need no quotes.
 */
export const createTable = (definition: TableDefinition, target: Target): readonly string[] => {
  const { name, isAppendOnly = false, triggers = [], rows = [] } = definition;
  const { database } = target;
  return [
    ...(target.database === 'mysql'
      ? [mysqlTable(definition, target.collation)]
      : sqliteTable(definition)),
    ...[...(isAppendOnly ? appendOnly(name) : []), ...triggers].flatMap((trigger) =>
      createTrigger(trigger, database),
    ),
    ...rows.map(
      (row) =>
        `INSERT ${database === 'mysql' ? 'IGNORE' : 'OR IGNORE'} INTO ${name} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`,
    ),
  ];
};

/** MySQL has IF NOT EXISTS for triggers from 8.0.29 on only. */
const createTrigger = (
  { name, mysql, sqlite }: TriggerDefinition,
  database: Target['database'],
): readonly string[] => {
  if (database === 'sqlite')
    return sqlite === undefined ? [] : [`CREATE TRIGGER IF NOT EXISTS ${name} ${sqlite}`];
  return mysql === undefined
    ? []
    : [`DROP TRIGGER IF EXISTS ${name}`, `CREATE TRIGGER ${name} ${mysql}`];
};

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value}'`;

const TYPES: Readonly<Record<ColumnType, { readonly mysql: string; readonly sqlite: string }>> = {
  uuid: { mysql: 'BINARY(16)', sqlite: 'BLOB' },
  'row-key': { mysql: 'BINARY(8)', sqlite: 'BLOB' },
  hash: { mysql: 'BINARY(32)', sqlite: 'BLOB' },
  key: { mysql: 'VARCHAR(64)', sqlite: 'TEXT' },
  short: { mysql: 'VARCHAR(256)', sqlite: 'TEXT' },
  text: { mysql: 'TEXT', sqlite: 'TEXT' },
  'long-text': { mysql: 'LONGTEXT', sqlite: 'TEXT' },
  bytes: { mysql: 'BLOB', sqlite: 'BLOB' },
  'long-bytes': { mysql: 'MEDIUMBLOB', sqlite: 'BLOB' },
  integer: { mysql: 'BIGINT', sqlite: 'INTEGER' },
  time: { mysql: 'BIGINT', sqlite: 'INTEGER' },
  flag: { mysql: 'TINYINT', sqlite: 'INTEGER' },
};

const mysqlTable = (
  { name, columns, primaryKey, unique = [], indexes = [], references = [] }: TableDefinition,
  collation: string,
): string => {
  const parts = [
    ...columnLines(columns, 'mysql'),
    `PRIMARY KEY (${primaryKey.join(', ')})`,
    ...unique.map((key) => `UNIQUE KEY ${uniqueName(name, key)} (${key.join(', ')})`),
    ...indexes
      .filter(({ only }) => only !== 'sqlite')
      .map(
        (index) =>
          `${index.isUnique === true ? 'UNIQUE KEY' : 'KEY'} ${indexName(name, index)} (${index.columns.join(', ')}${index.mysqlPrefix === undefined ? '' : `(${index.mysqlPrefix})`})`,
      ),
    ...references.map(
      ({ column, table }) =>
        `CONSTRAINT ${name}_${column}_fk FOREIGN KEY (${column}) REFERENCES ${table} (id)`,
    ),
  ];
  return `CREATE TABLE IF NOT EXISTS ${name} (${parts.join(', ')}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=${collation}`;
};

const sqliteTable = ({
  name,
  columns,
  primaryKey,
  unique = [],
  indexes = [],
  references = [],
  clustered = false,
}: TableDefinition): readonly string[] => {
  const parts = [
    ...columnLines(columns, 'sqlite'),
    `PRIMARY KEY (${primaryKey.join(', ')})`,
    ...references.map(({ column, table }) => `FOREIGN KEY (${column}) REFERENCES ${table} (id)`),
  ];
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (${parts.join(', ')})${clustered ? ' WITHOUT ROWID' : ''}`,
    ...unique.map(
      (key) =>
        `CREATE UNIQUE INDEX IF NOT EXISTS ${uniqueName(name, key)} ON ${name} (${key.join(', ')})`,
    ),
    ...indexes
      .filter(({ only }) => only !== 'mysql')
      .map(
        (index) =>
          `CREATE ${index.isUnique === true ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${indexName(name, index)} ON ${name} (${index.columns.join(', ')})${index.where === undefined ? '' : ` WHERE ${index.where}`}`,
      ),
  ];
};

const columnLines = (
  columns: Readonly<Record<string, ColumnType>>,
  database: Target['database'],
): readonly string[] =>
  Object.entries(columns).map(([name, type]) => {
    const nullable = name.endsWith('?');
    return `${nullable ? name.slice(0, -1) : name} ${TYPES[type][database]}${nullable ? ' NULL' : ' NOT NULL'}`;
  });

const uniqueName = (table: string, columns: readonly string[]): string =>
  `${table}_${columns.join('_')}_unique`.slice(0, MAX_NAME);

const indexName = (table: string, { name, columns }: IndexDefinition): string =>
  name ?? `${table}_by_${columns.filter((column) => column !== 'id').join('_')}`.slice(0, MAX_NAME);

/** MySQL limits names to so many characters. */
const MAX_NAME = 64;
