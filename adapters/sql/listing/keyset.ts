import type { Knex } from 'knex';
import { BoundedCache } from '../../../domain/kernel/bounded-cache.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { RowReader } from '../tables/find.ts';
import type { SealedTable } from '../tables/sealed-table.ts';
import type { SqlValue, Table } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { idOf, placeOf, sortKeyOf } from './listing-queries.ts';
import { PACE, WalkReader, type Counted } from './walk-reader.ts';

/** A page ends before its content is longer than this, in UTF-16 units, but has one row at least. */
export const PAGE_CONTENT = 512 * 1024;

/** Counting stops here: a larger total is shown as "at least". */
export const TOTAL_CAP = 10_000;

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
  /** The index in the order of the listing to read by, where none of those has few rows. */
  readonly otherwise?: IndexedPart;
  /** Present where many rows that the index holds may not be wanted: all that it holds, which are looked through step by step. */
  readonly among?: Condition;
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
  /** What a page selects instead of the columns. */
  readonly select?: string;
  readonly order: Order;
  readonly walks: readonly Walk[];
  /** The range of the column of the order in which every row lies. */
  readonly within?: Condition;
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
  readonly #walks: WalkReader;

  constructor(knex: Knex, reader: Reader, pace = PACE) {
    this.#walks = new WalkReader(knex, reader, pace);
  }

  async slice<Row, T>(asked: Listing<Row, T>, request: SliceRequest): Promise<Slice<T>> {
    const walks = await Promise.all(asked.walks.map((walk) => this.#walks.narrowest(asked, walk)));
    return this.#slice({ ...asked, walks }, request);
  }

  async #slice<Row, T>(listing: Listing<Row, T>, request: SliceRequest): Promise<Slice<T>> {
    const { order } = listing;
    const [pages, counted] = await Promise.all([
      Promise.all(listing.walks.map((walk) => this.#walks.page(listing, walk, request))),
      this.#total(listing),
    ]);
    const end = nearest(
      pages.flatMap((page) => page.end ?? []),
      order,
    );
    const merged = reached(
      pages.length === 1
        ? pages[0]!.rows
        : merge(
            pages.map(({ rows }) => rows),
            order,
          ),
      end,
      order,
    );
    const asked = merged.slice(0, request.limit);
    const rows = listing.sizes ? cut(asked, await listing.sizes(asked)) : asked;
    const last = merged.length > rows.length ? rows.at(-1) : end;
    const total = Math.max(counted.total, rows.length);
    return {
      rows: rows.map((row) => listing.toDomain(row)),
      total: Math.min(total, TOTAL_CAP),
      totalIsCapped: !counted.isExact || total > TOTAL_CAP,
      next: last ? placeOf(last, order) : null,
    };
  }

  /** @see ListingQueries.page */
  pageQuery<Row, T>(
    listing: Listing<Row, T>,
    walk: Walk,
    request: SliceRequest,
  ): Knex.QueryBuilder {
    return this.#walks.queries.page(listing, walk, request);
  }

  /** Counts up to the cap. */
  countQuery<Row, T>(listing: Listing<Row, T>, walk: Walk): Knex.QueryBuilder {
    return this.#walks.queries.count(listing, walk, TOTAL_CAP);
  }

  /** All rows, however long that takes. */
  async count<Row, T>(listing: Listing<Row, T>): Promise<number> {
    let total = 0;
    for (const walk of listing.walks) {
      const chosen = await this.#walks.narrowest(listing, walk);
      total += (await this.#walks.count(listing, chosen, null)).total;
    }
    return total;
  }

  /**
   * The walks are counted one after the other, up to the cap, so `fresh` never skips more rows than
   * the cap.
   */
  async #total<Row, T>(listing: Listing<Row, T>): Promise<Counted> {
    let total = 0;
    let isExact = true;
    for (const walk of listing.walks) {
      if (total > TOTAL_CAP) break;
      const counted = await this.#upToCap(listing, walk);
      total += counted.total;
      isExact &&= counted.isExact;
    }
    return { total, isExact };
  }

  /** Ten thousand rows are the larger part of what a short page costs. */
  async #upToCap<Row, T>(listing: Listing<Row, T>, walk: Walk): Promise<Counted> {
    const { growing } = walk;
    if (growing !== undefined && this.#beyondCap.get(growing))
      return { total: TOTAL_CAP + 1, isExact: true };
    const counted = await this.#walks.count(listing, walk, TOTAL_CAP);
    if (growing !== undefined && counted.total > TOTAL_CAP) this.#beyondCap.set(growing, true);
    return counted;
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
const merge = <Row>(pages: readonly (readonly Row[])[], order: Order): readonly Row[] => {
  const sorted = pages.flat().sort((a, b) => inOrderOf(a, b, order));
  return sorted.filter(
    (row, i) => i === 0 || Buffer.compare(idOf(row), idOf(sorted[i - 1]!)) !== 0,
  );
};

/** The rows up to the end, itself included: what lies behind it not every walk has come to. */
const reached = <Row>(rows: readonly Row[], end: Row | null, order: Order): readonly Row[] =>
  end === null ? rows : rows.filter((row) => inOrderOf(row, end, order) <= 0);

const nearest = <Row>(ends: readonly Row[], order: Order): Row | null =>
  ends.toSorted((a, b) => inOrderOf(a, b, order))[0] ?? null;

const inOrderOf = (a: unknown, b: unknown, { column, direction }: Order): number =>
  compare(a, b, column) * (direction === 'asc' ? 1 : -1);

const compare = (a: unknown, b: unknown, column: string): number =>
  sortKeyOf(a, column) - sortKeyOf(b, column) || Buffer.compare(idOf(a), idOf(b));
