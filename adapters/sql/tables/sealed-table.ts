import type { SqlValue } from '../base/session.ts';
import { BYTES } from './codec.ts';
import { derived, type Members } from './column.ts';
import { hexFromSql, uuidFromSql } from '../base/values.ts';
import { MappedTable, orderOf, type TableName } from './tables.ts';

/** A row as the driver gives it. */
export type RawRow = Readonly<Record<string, SqlValue>>;

/** Which version of which row this is, as the platform chain counts them. */
export interface Revision {
  readonly id: string;
  readonly version: number;
}

export interface SealedColumns {
  /** The primary key; `id` where it is not named. */
  readonly key?: string;
  /** Columns that change without an entry, and that decide nothing. */
  readonly except?: readonly string[];
  /**
   * Null for a row that needs no comparison, because it grants nothing. Left out where rows never
   * change.
   */
  readonly revision?: (row: RawRow) => Revision | null;
}

/**
 * A table whose rows carry a MAC over the name of the table and every column but a few, so a new
 * column is covered from its first day. A column that is NULL is left out of the MAC: to add one
 * that may be NULL invalidates no row.
 */
export class SealedTable<M extends Members = Members> extends MappedTable<M> {
  readonly sealed = this;
  readonly key: string;
  readonly revision: (row: RawRow) => Revision | null;
  /** The columns under the MAC, by name, with their place in a row. */
  private readonly covered: readonly { readonly name: string; readonly at: number }[];

  constructor(
    name: string,
    order: number,
    members: M,
    { key = 'id', except = [], revision }: SealedColumns,
  ) {
    super(name, order, { ...members, ...MAC });
    this.key = key;
    this.revision = revision ?? (() => null);
    const left = new Set([...except, ...MAC_COLUMNS]);
    this.covered = this.columns
      .map((column, at) => ({ name: column, at }))
      .filter((column) => !left.has(column.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** For an alarm: a UUID or hex; null where the row does not say. */
  idOf(row: RawRow): string | null {
    const id = row[this.key];
    if (!(id instanceof Uint8Array)) return null;
    return id.length === 16 ? uuidFromSql(id) : hexFromSql(id);
  }

  /** The text under the MAC of a row as it is stored, by name. */
  macTextOf(row: RawRow): string {
    let text = `${this.name}\n`;
    for (const { name } of this.covered) text += macPart(name, row[name] ?? null);
    return text;
  }

  /** The same of a row that is to be written: values in the order of `columns`. */
  macTextOfValues(values: readonly SqlValue[]): string {
    let text = `${this.name}\n`;
    for (const { name, at } of this.covered) text += macPart(name, values[at] ?? null);
    return text;
  }
}

export const sealedTable = <M extends Members>(
  name: TableName,
  members: M,
  columns: SealedColumns = {},
): SealedTable<M> => new SealedTable(name, orderOf(name), members, columns);

/** They stand last, and the adapter fills them in; no value of the domain has them. */
export const MAC_COLUMNS = ['row_key', 'row_mac'] as const;
const UNSET = new Uint8Array(0);
const MAC = {
  rowKey: derived(MAC_COLUMNS[0], BYTES, () => UNSET),
  rowMac: derived(MAC_COLUMNS[1], BYTES, () => UNSET),
};

/** Kind and length come before each value, so no two rows have the same text. */
const macPart = (name: string, value: SqlValue): string => {
  if (value === null) return '';
  if (typeof value === 'string') return `${name}:s${value.length}:${value}\n`;
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
    return `${name}:b${hex}\n`;
  }
  return `${name}:n${value}\n`;
};
