import type { Knex } from 'knex';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import { rowsOf, type RowReader } from '../rows/find.ts';
import type { SealedTable } from '../rows/sealed-table.ts';
import type { Reader, SqlValue, Table } from '../session.ts';
import { timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../values.ts';

/** A page ends before its content is longer than this, in UTF-16 units, but has one row at least. */
export const PAGE_CONTENT = 512 * 1024;

/** Counting stops here: a larger total is shown as "at least". */
export const TOTAL_CAP = 10_000;

export type Condition = (query: Knex.QueryBuilder) => Knex.QueryBuilder;

/**
 * One index walk of a listing. `rows` holds conditions that an index serves; walks may overlap.
 * `fresh` excludes the rows of the earlier walks. Counting needs it; paging does not use it,
 * because a page could then skip a million rows to find one.
 */
export interface Walk {
  readonly rows: Condition;
  readonly fresh?: Condition;
  /** SQL after the name of the table: the index to read by, where the planner would choose another. */
  readonly hint?: string;
}

/** The time column that the listing is sorted by (ties by id), and the direction. */
export interface Order {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

export interface Listing<Row, T> {
  readonly table: string;
  readonly columns: readonly string[];
  readonly order: Order;
  readonly walks: readonly Walk[];
  readonly toDomain: (row: Row) => T;
  /** Present where the rows are under a MAC. */
  readonly sealed?: SealedTable;
  /** How long the content of each row is, in UTF-16 units. Present where it may be long. */
  readonly sizes?: (rows: readonly Row[]) => Promise<readonly number[]>;
}

/**
 * One page by keyset pagination: each walk reads at most one page from its own index, and the
 * results are merged here. So a condition with OR costs two short walks and never a scan, and page
 * 1,000 costs as much as page 1.
 */
export class Lister {
  constructor(
    private readonly knex: Knex,
    private readonly reader: Reader,
  ) {}

  async slice<Row, T>(listing: Listing<Row, T>, request: SliceRequest): Promise<Slice<T>> {
    const { column } = listing.order;
    const [pages, total] = await Promise.all([
      Promise.all(
        listing.walks.map((walk) =>
          this.#rows<Row>(this.pageQuery(listing, walk, request), listing),
        ),
      ),
      this.#total(listing),
    ]);
    const merged = pages.length === 1 ? pages[0]! : merge(pages, listing.order);
    const asked = merged.slice(0, request.limit);
    const rows = listing.sizes ? cut(asked, await listing.sizes(asked)) : asked;
    const last = merged.length > rows.length ? rows.at(-1) : undefined;
    return {
      rows: rows.map((row) => listing.toDomain(row)),
      total: Math.min(total, TOTAL_CAP),
      totalIsCapped: total > TOTAL_CAP,
      next:
        last === undefined
          ? null
          : { key: timeFromSql(sortKeyOf(last, column)), id: uuidFromSql(idOf(last)) },
    };
  }

  /** One extra row shows whether there is a next page. */
  pageQuery<Row, T>(
    { table, columns, order: { column, direction } }: Listing<Row, T>,
    walk: Walk,
    { limit, after }: SliceRequest,
  ): Knex.QueryBuilder {
    const query = walk
      .rows(this.#from(table, walk).select(columns))
      .orderBy([
        { column, order: direction },
        { column: 'id', order: direction },
      ])
      .limit(limit + 1);
    if (!after) return query;
    // Written as a range on the first column plus a filter: databases use an index for that, but
    // not always for a row comparison.
    const beyond = direction === 'asc' ? '>' : '<';
    const key = timeToSql(after.key);
    return query
      .where(column, `${beyond}=`, key)
      .where((or) => void or.where(column, beyond, key).orWhere('id', beyond, uuidToSql(after.id)));
  }

  /** Counts up to the cap. */
  countQuery<Row, T>({ table }: Listing<Row, T>, walk: Walk): Knex.QueryBuilder {
    const { rows, fresh } = walk;
    const selected = rows(this.#from(table, walk).select(this.knex.raw('1 AS one')));
    return this.knex
      .count({ n: '*' })
      .from((fresh ? fresh(selected) : selected).limit(TOTAL_CAP + 1).as('counted'));
  }

  /**
   * The walks are counted one after the other, up to the cap, so `fresh` never skips more rows than
   * the cap.
   */
  async #total<Row, T>(listing: Listing<Row, T>): Promise<number> {
    let total = 0;
    for (const walk of listing.walks) {
      if (total > TOTAL_CAP) break;
      const [row] = await this.#rows<{ readonly n: number }>(this.countQuery(listing, walk));
      total += Number(row?.n ?? 0);
    }
    return total;
  }

  #from(table: string, { hint }: Walk): Knex.QueryBuilder {
    return this.knex(hint === undefined ? table : this.knex.raw(`${table} ${hint}`));
  }

  #rows<Row>(
    query: Knex.QueryBuilder,
    table: { readonly sealed?: SealedTable } = {},
  ): Promise<readonly Row[]> {
    const { sql, bindings } = query.toSQL().toNative();
    return rowsOf<Row>(this.reader, table, sql, bindings as readonly SqlValue[]);
  }
}

/** The first rows, as many as a page takes by their content. */
const cut = <Row>(rows: readonly Row[], sizes: readonly number[]): readonly Row[] => {
  let content = 0;
  const end = sizes.findIndex((size, at) => (content += size) > PAGE_CONTENT && at > 0);
  return end < 0 ? rows : rows.slice(0, end);
};

/** The rows of a table that meet the condition, newest first. */
export const newestFirst = <Row, T>(
  table: Table & RowReader<Row, T>,
  rows: Condition,
  column = 'created_at',
): Listing<Row, T> => ({
  table: table.name,
  columns: table.columns,
  order: { column, direction: 'desc' },
  walks: [{ rows }],
  toDomain: (row) => table.fromRow(row),
  ...(table.sealed ? { sealed: table.sealed } : {}),
});

/** Conditions of equality; an undefined value adds none. */
export const equalities =
  (values: Readonly<Record<string, SqlValue | undefined>>): Condition =>
  (query) => {
    for (const [column, value] of Object.entries(values))
      if (value !== undefined) void query.where(column, value as Knex.Value);
    return query;
  };

/**
 * The first pages of all walks together contain the first page of the listing; a row that two walks
 * share counts once.
 */
const merge = <Row>(
  pages: readonly (readonly Row[])[],
  { column, direction }: Order,
): readonly Row[] => {
  const sorted = pages
    .flat()
    .sort((a, b) => compare(a, b, column) * (direction === 'asc' ? 1 : -1));
  return sorted.filter(
    (row, i) => i === 0 || Buffer.compare(idOf(row), idOf(sorted[i - 1]!)) !== 0,
  );
};

const sortKeyOf = (row: unknown, column: string): number =>
  (row as Record<string, number>)[column]!;
const idOf = (row: unknown): Uint8Array => (row as { readonly id: Uint8Array }).id;
const compare = (a: unknown, b: unknown, column: string): number =>
  sortKeyOf(a, column) - sortKeyOf(b, column) || Buffer.compare(idOf(a), idOf(b));
