import type { Knex } from 'knex';
import { BoundedCache } from '../../../domain/kernel/bounded-cache.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import { rowsOf, type RowReader } from '../rows/find.ts';
import type { SealedTable } from '../rows/sealed-table.ts';
import type { Reader, SqlValue, Table } from '../session.ts';
import { timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../values.ts';

/** A page ends before its content is longer than this, in UTF-16 units, but has one row at least. */
export const PAGE_CONTENT = 512 * 1024;

/** Counting stops here: a larger total is shown as "at least". */
export const TOTAL_CAP = 10_000;

/** Rows that can be sorted. */
const FEW = 1_000;
/** How far the rows of an index are counted to find the rarest condition. */
const PATIENCE = [FEW, 20_000, 200_000] as const;

/** Listings of which it is kept in mind that they are beyond the cap. */
const KNOWN_TOTALS = 5_000;

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
  /** The column of a party that has to have this value. */
  readonly party?: { readonly column: string; readonly id: Uint8Array };
  /** The conditions of `rows` of which an index holds all rows together. Present where the planner does not know how many. */
  readonly by?: readonly IndexedPart[];
  /** As `hint`, where all of those have many rows. */
  readonly otherwise?: string;
  /** Names these rows where none of them ever ceases to be one: what is beyond the cap once is beyond it for ever. */
  readonly growing?: string;
}

/** All rows that meet one condition of a walk, and the index that has them. */
export interface IndexedPart {
  /** As `hint` of a walk; empty where it is the primary key. */
  readonly hint: string;
  readonly rows: Condition;
  /** The index has the order of the listing. */
  readonly isOrdered: boolean;
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
  /** The walks that were found to have more rows than are counted. */
  readonly #beyondCap = new BoundedCache<true>(KNOWN_TOTALS);

  constructor(
    private readonly knex: Knex,
    private readonly reader: Reader,
  ) {}

  async slice<Row, T>(asked: Listing<Row, T>, request: SliceRequest): Promise<Slice<T>> {
    const walks = await Promise.all(asked.walks.map((walk) => this.#narrowest(asked, walk)));
    return this.#slice({ ...asked, walks }, request);
  }

  async #slice<Row, T>(listing: Listing<Row, T>, request: SliceRequest): Promise<Slice<T>> {
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

  /** All rows, however long that takes. */
  async count<Row, T>(listing: Listing<Row, T>): Promise<number> {
    let total = 0;
    for (const walk of listing.walks) {
      const query = this.countQuery(listing, walk, null);
      const [row] = await this.#rows<{ readonly n: number }>(query);
      total += Number(row?.n ?? 0);
    }
    return total;
  }

  /** Counts up to the cap. */
  countQuery<Row, T>(
    { table }: Pick<Listing<Row, T>, 'table'>,
    walk: Walk,
    cap: number | null = TOTAL_CAP,
  ): Knex.QueryBuilder {
    const { rows, fresh } = walk;
    const selected = rows(this.#from(table, walk).select(this.knex.raw('1 AS one')));
    const counted = fresh ? fresh(selected) : selected;
    if (cap !== null) void counted.limit(cap + 1);
    return this.knex.count({ n: '*' }).from(counted.as('counted'));
  }

  /**
   * The walks are counted one after the other, up to the cap, so `fresh` never skips more rows than
   * the cap.
   */
  async #total<Row, T>(listing: Listing<Row, T>): Promise<number> {
    let total = 0;
    for (const walk of listing.walks) {
      if (total > TOTAL_CAP) break;
      total += await this.#upToCap(listing, walk);
    }
    return total;
  }

  /** Ten thousand rows are the larger part of what a short page costs. */
  async #upToCap<Row, T>(listing: Listing<Row, T>, walk: Walk): Promise<number> {
    const { growing } = walk;
    if (growing !== undefined && this.#beyondCap.get(growing)) return TOTAL_CAP + 1;
    const [row] = await this.#rows<{ readonly n: number }>(this.countQuery(listing, walk));
    const counted = Number(row?.n ?? 0);
    if (growing !== undefined && counted > TOTAL_CAP) this.#beyondCap.set(growing, true);
    return counted;
  }

  /**
   * By the index with the fewest rows, where one has few: to look for what two conditions share, somebody has to know
   * which of them is rare. An index alone counts fast, so they are asked, each time with more patience.
   */
  async #narrowest<Row, T>({ table }: Listing<Row, T>, walk: Walk): Promise<Walk> {
    const { by = [], otherwise } = walk;
    if (by.length < 2 && otherwise === undefined) return walk;
    for (const patience of PATIENCE) {
      const parts = patience === FEW ? by : by.filter(({ isOrdered }) => isOrdered);
      if (parts.length === 0) break;
      const sizes = await Promise.all(
        parts.map(async ({ hint, rows }) => {
          const query = this.countQuery({ table }, { hint, rows }, patience);
          const [row] = await this.#rows<{ readonly n: number }>(query);
          return Number(row?.n ?? 0);
        }),
      );
      const fewest = Math.min(...sizes);
      const part = fewest <= patience ? parts[sizes.indexOf(fewest)] : undefined;
      if (part) return { ...walk, hint: part.hint };
    }
    return otherwise === undefined ? walk : { ...walk, hint: otherwise };
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
