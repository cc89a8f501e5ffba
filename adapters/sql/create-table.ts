import type { Knex } from 'knex';
import { exactCollation } from './exact-collation.ts';

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

export interface TableDefinition {
  readonly name: string;
  /** A trailing `?` on the name: nullable. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly primaryKey: readonly string[];
  /** Named `<table>_<columns>_unique`. */
  readonly unique?: readonly (readonly string[])[];
  /**
   * Named `<table>_by_<columns>`, unless a name is given. `where` keeps rows out of the index where the database can (SQLite);
   * `only` is of one that the other database does without.
   */
  readonly indexes?: readonly {
    readonly columns: readonly string[];
    readonly where?: string;
    readonly only?: 'sqlite' | 'mysql';
  }[];
  readonly references?: readonly { readonly column: string; readonly table: string }[];
  /**
   * For small rows that are found by their key alone: SQLite stores them in the tree of the key.
   */
  readonly clustered?: boolean;
}

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

/**
 * Creates a table with its indexes: one statement on MySQL, whose DDL commits implicitly. Safe to
 * run again after an interruption. The names are the service's own, so they need no quotes.
 */
export const createTable = async (knex: Knex, definition: TableDefinition): Promise<void> => {
  const statements = isMysql(knex)
    ? [mysqlTable(definition, await exactCollation(knex))]
    : sqliteTable(definition);
  for (const statement of statements) await knex.raw(statement);
};

/** Adds a column; a trailing `?` on the name: nullable. Can run again after it was interrupted. */
export const addColumn = async (
  knex: Knex,
  table: string,
  name: string,
  type: ColumnType,
): Promise<void> => {
  if (await knex.schema.hasColumn(table, name.replace(/\?$/, ''))) return;
  const [line] = columnLines({ [name]: type }, isMysql(knex) ? 'mysql' : 'sqlite');
  await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${line}`);
};

/**
 * Gives a column of MySQL a type that holds more; SQLite has no types that hold less. A trailing `?` on the name: nullable. Can
 * run again after it was interrupted.
 */
export const widenColumn = async (
  knex: Knex,
  table: string,
  name: string,
  type: ColumnType,
): Promise<void> => {
  if (!isMysql(knex)) return;
  const [line] = columnLines({ [name]: type }, 'mysql');
  await knex.raw(`ALTER TABLE ${table} MODIFY COLUMN ${line}`);
};

/**
 * Adds an index, named as by createTable; `where` works as there. Safe to run again after an
 * interruption.
 */
export const addIndex = async (
  knex: Knex,
  table: string,
  columns: readonly string[],
  where?: string,
): Promise<void> => {
  const name = indexName(table, columns);
  if (!isMysql(knex))
    return void (await knex.raw(
      `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (${columns.join(', ')})${where ? ` WHERE ${where}` : ''}`,
    ));
  if (!(await hasIndex(knex, table, name)))
    await knex.raw(`ALTER TABLE ${table} ADD INDEX ${name} (${columns.join(', ')})`);
};

/** The same on MySQL over the first characters of a text, which is too long to be indexed as a whole. */
export const addPrefixIndex = async (
  knex: Knex,
  table: string,
  column: string,
  length: number,
): Promise<void> => {
  const name = indexName(table, [column]);
  if (!(await hasIndex(knex, table, name)))
    await knex.raw(`ALTER TABLE ${table} ADD INDEX ${name} (${column}(${length}))`);
};

const hasIndex = async (knex: Knex, table: string, name: string): Promise<boolean> => {
  const [found] = (await knex.raw(
    'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ?',
    [table, name],
  )) as [readonly unknown[]];
  return found.length > 0;
};

/**
 * Refuses UPDATE and DELETE by triggers; on SQLite also REPLACE, provided that recursive_triggers
 * is on.
 */
export const makeAppendOnly = async (knex: Knex, table: string): Promise<void> => {
  for (const event of ['UPDATE', 'DELETE'] as const) {
    const name = `${table}_no_${event.toLowerCase()}`;
    const message = `${table} is append-only`;
    await knex.raw(`DROP TRIGGER IF EXISTS ${name}`);
    await knex.raw(
      isMysql(knex)
        ? `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${message}'`
        : `CREATE TRIGGER ${name} BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, '${message}'); END`,
    );
  }
};

export const isMysql = (knex: Knex): boolean =>
  (knex.client as Knex.Client).driverName === 'mysql2';

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
      .map((index) => `KEY ${indexName(name, index.columns)} (${index.columns.join(', ')})`),
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
        ({ columns: key, where }) =>
          `CREATE INDEX IF NOT EXISTS ${indexName(name, key)} ON ${name} (${key.join(', ')})${where ? ` WHERE ${where}` : ''}`,
      ),
  ];
};

const columnLines = (
  columns: Readonly<Record<string, ColumnType>>,
  database: 'mysql' | 'sqlite',
): readonly string[] =>
  Object.entries(columns).map(([name, type]) => {
    const nullable = name.endsWith('?');
    return `${nullable ? name.slice(0, -1) : name} ${TYPES[type][database]}${nullable ? ' NULL' : ' NOT NULL'}`;
  });

const uniqueName = (table: string, columns: readonly string[]): string =>
  `${table}_${columns.join('_')}_unique`.slice(0, 64);

/** MySQL limits names to 64 characters. */
const indexName = (table: string, columns: readonly string[]): string =>
  `${table}_by_${columns.filter((column) => column !== 'id').join('_')}`.slice(0, 64);
