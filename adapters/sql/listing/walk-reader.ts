import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Keyset, SliceRequest } from '../../../domain/kernel/page.ts';
import { rowsOf } from '../tables/find.ts';
import type { SealedTable } from '../tables/sealed-table.ts';
import type { SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { Condition, Listing, Walk } from './keyset.ts';
import { ListingQueries, placeOf, type Stretch } from './listing-queries.ts';

/** How far a listing looks at once, in rows of an index and in steps of so many. */
export interface Pace {
  readonly step: number;
  readonly ofPage: number;
  readonly ofCount: number;
  readonly patience: { readonly few: number; readonly sorted: number; readonly many: number };
}

/**
 * How far the rows of an index are counted to find the rarest condition: those that are read as if all were wanted, those
 * that can be sorted, and those that still are fewer than others.
 */
const PATIENCE = { few: 1_000, sorted: 5_000, many: 100_000 };

/**
 * What the index holds for one condition may be a million rows of which the others leave few. A statement looks through so
 * many of them, the loop of the process goes on between two, and after so many statements the page is at its end, however
 * few it has: its cursor goes on from there.
 */
export const PACE: Pace = { step: 2_000, ofPage: 6, ofCount: 6, patience: PATIENCE };

export interface Counted {
  readonly total: number;
  /** False where there may be more. */
  readonly isExact: boolean;
}

/** Reads one walk: by its narrowest index, and never more of it at once than the loop of the process can wait for. */
export class WalkReader {
  readonly queries: ListingQueries;

  constructor(
    knex: Knex,
    private readonly reader: Reader,
    private readonly pace = PACE,
  ) {
    this.queries = new ListingQueries(knex);
  }

  /**
   * By the index with the fewest rows, where one has few: to look for what two conditions share, somebody has to know
   * which of them is rare. An index alone counts fast, so they are asked, each time with more patience.
   */
  async narrowest<Row, T>({ table }: Listing<Row, T>, walk: Walk): Promise<Walk> {
    const { by = [], otherwise } = walk;
    if (!otherwise) return walk;
    const { few, sorted, many } = this.pace.patience;
    for (const patience of [few, sorted, many]) {
      const parts = patience === many ? by.filter(({ isOrdered }) => isOrdered) : by;
      if (parts.length === 0) continue;
      const sizes = await Promise.all(parts.map((part) => this.#number({ table }, part, patience)));
      const fewest = Math.min(...sizes);
      const part = fewest <= patience ? parts[sizes.indexOf(fewest)] : undefined;
      if (!part) continue;
      const { hint, rows, isOrdered } = part;
      return { ...walk, hint, ...(isOrdered && patience !== few ? { among: rows } : {}) };
    }
    return { ...walk, hint: otherwise.hint, among: otherwise.rows };
  }

  /**
   * The rows of a walk for a page. Of a walk among many rows that may not be wanted it looks through so many and no more:
   * then `end` is the last one that it came to.
   */
  async page<Row, T>(
    listing: Listing<Row, T>,
    walk: Walk,
    request: SliceRequest,
  ): Promise<{ readonly rows: readonly Row[]; readonly end: Row | null }> {
    const { among } = walk;
    if (!among)
      return {
        rows: await this.#rows<Row>(this.queries.page(listing, walk, request), listing),
        end: null,
      };
    const rows: Row[] = [];
    let end: Row | null = null;
    const steps = Math.ceil(this.pace.ofPage / listing.walks.length);
    for (let step = 0; step < steps && rows.length <= request.limit; step++) {
      if (step > 0) await setImmediate();
      const after: Keyset | null = end ? placeOf(end, listing.order) : request.after;
      end = await this.#stepEnd<Row>(listing, { ...walk, among }, after);
      const asked = { limit: request.limit - rows.length, after };
      const until = end && placeOf(end, listing.order);
      const query = this.queries.page(listing, walk, asked, until);
      rows.push(...(await this.#rows<Row>(query, listing)));
      if (!end) break;
    }
    return { rows, end: rows.length > request.limit ? null : end };
  }

  /** The last row of a step along the index; null where the index ends before. */
  async #stepEnd<Row>(
    listing: Pick<Listing<Row, unknown>, 'table' | 'order' | 'within'>,
    walk: Walk & { readonly among: Condition },
    after: Keyset | null,
  ): Promise<Row | null> {
    const [row] = await this.#rows<Row>(this.queries.stepEnd(listing, walk, after, this.pace.step));
    return row ?? null;
  }

  /** Up to the cap; without one, all of them, however long that takes. */
  count<Row, T>(listing: Listing<Row, T>, walk: Walk, cap: number | null): Promise<Counted> {
    return this.#counted(listing, walk, cap, cap === null ? Infinity : this.pace.ofCount);
  }

  /** Among many rows that may not be wanted it counts in so many steps at most. */
  async #counted<Row, T>(
    listing: Listing<Row, T>,
    walk: Walk,
    cap: number | null,
    steps: number,
  ): Promise<Counted> {
    const { among } = walk;
    if (!among) return { total: await this.#number(listing, walk, cap), isExact: true };
    let total = 0;
    let after: Keyset | null = null;
    for (let step = 0; step < steps; step++) {
      if (step > 0) await setImmediate();
      const end: Row | null = await this.#stepEnd<Row>(listing, { ...walk, among }, after);
      const until: Keyset | null = end && placeOf(end, listing.order);
      total += await this.#number(listing, walk, cap, { order: listing.order, after, until });
      if (!until || (cap !== null && total > cap)) return { total, isExact: true };
      after = until;
    }
    return { total, isExact: false };
  }

  async #number(
    listing: { readonly table: string },
    walk: Walk,
    cap: number | null,
    stretch?: Stretch,
  ): Promise<number> {
    const [row] = await this.#rows<{ readonly n: number }>(
      this.queries.count(listing, walk, cap, stretch),
    );
    return Number(row?.n ?? 0);
  }

  #rows<Row>(
    query: Knex.QueryBuilder,
    table: { readonly sealed?: SealedTable } = {},
  ): Promise<readonly Row[]> {
    const { sql, bindings } = query.toSQL().toNative();
    return rowsOf<Row>(this.reader, table, sql, bindings as readonly SqlValue[]);
  }
}
