import type { Dialect } from '../base/dialect.ts';
import type { SqlValue } from '../base/session.ts';
import { singleColumnsOf, type Members } from './column.ts';
import type { GivenValue, ReadValue, StoredRow, WrittenValue } from './column-types.ts';
import { readerOf } from './member-reader.ts';
import { writerOf } from './member-writer.ts';

/**
 * The mapping between a value of the domain and columns. One line for each member gives the list of
 * columns, the type of a row, and both directions.
 */
export class ColumnMap<M extends Members> {
  /** In the order of the values of `toRow`. */
  readonly columns: readonly string[];
  /** The columns that may be NULL. */
  readonly nullable: ReadonlySet<string>;
  /** `a, b`: columns are always named, so that a newer schema does not change what is read. */
  readonly columnList: string;
  readonly #short: ReadonlySet<string>;
  /** `a = ?, b = ?`, for an UPDATE. */
  readonly assignments: string;
  readonly #write: ReturnType<typeof writerOf>;
  readonly #read: ReturnType<typeof readerOf>;

  constructor(readonly members: M) {
    const columns = singleColumnsOf(members);
    this.columns = columns.map(({ name }) => name);
    this.nullable = new Set(columns.filter((column) => column.isNullable).map(({ name }) => name));
    this.columnList = this.columns.join(', ');
    this.#short = new Set(columns.flatMap((column) => (column.readsDigits ? [column.name] : [])));
    this.assignments = this.columns.map((name) => `${name} = ?`).join(', ');
    this.#write = writerOf(members);
    this.#read = readerOf(members);
  }

  /**
   * The columns of a SELECT, short bytes as the database gives them fastest, except those that the caller takes from the
   * row itself.
   */
  listed({ shortBytes }: Pick<Dialect, 'shortBytes'>, ...itself: readonly string[]): string {
    return this.columns
      .map((name) => (this.#short.has(name) && !itself.includes(name) ? shortBytes(name) : name))
      .join(', ');
  }

  /** In the order of `columns`. */
  toRow(value: WrittenValue<M>): readonly SqlValue[] {
    const row: SqlValue[] = [];
    this.#write(value, row);
    return row;
  }

  /** @param given the members that the row does not hold. */
  fromRow(
    row: StoredRow<M>,
    ...given: keyof GivenValue<M> extends never ? [] : [given: GivenValue<M>]
  ): ReadValue<M> {
    const value = this.#read(row as Readonly<Record<string, SqlValue>>);
    if (given[0]) Object.assign(value, given[0]);
    return value as ReadValue<M>;
  }

  /** The map of a few of the members, for a statement that reads or changes no more. */
  only<Name extends keyof M & string>(...names: readonly Name[]): ColumnMap<Pick<M, Name>> {
    const members = Object.fromEntries(names.map((name) => [name, this.members[name]]));
    return new ColumnMap(members as Pick<M, Name>);
  }
}

/** A row of a map, as the driver gives it. */
export type RowOf<Map> = Map extends ColumnMap<infer M> ? StoredRow<M> : never;
