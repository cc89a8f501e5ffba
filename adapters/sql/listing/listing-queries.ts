import type { Knex } from 'knex';
import type { Keyset, SliceRequest } from '../../../domain/kernel/page.ts';
import { timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import type { Condition, Listing, Order, Walk } from './keyset.ts';

/** What lies between two places of an order: behind the one, up to the other and with it. Null: without an end. */
export interface Stretch {
  readonly order: Order;
  readonly after: Keyset | null;
  readonly until: Keyset | null;
}

/** The statements of a listing. */
export class ListingQueries {
  constructor(private readonly knex: Knex) {}

  /** One extra row shows whether there is a next page. */
  page<Row, T>(
    { table, columns, select, order }: Listing<Row, T>,
    walk: Walk,
    { limit, after }: SliceRequest,
    until: Keyset | null = null,
  ): Knex.QueryBuilder {
    const query = sorted(
      walk.rows(this.#from(table, walk).select(select ? this.knex.raw(select) : columns)),
      order,
    );
    return between(query.limit(limit + 1), { order, after, until });
  }

  /** The row of the index that is so many rows behind a place, whatever the other conditions say of it. */
  stepEnd<Row>(
    { table, order, within }: Pick<Listing<Row, unknown>, 'table' | 'order' | 'within'>,
    walk: Walk & { readonly among: Condition },
    after: Keyset | null,
    step: number,
  ): Knex.QueryBuilder {
    const all = walk.among(this.#from(table, walk).select([order.column, 'id']));
    const query = sorted(within ? within(all) : all, order);
    return between(query.limit(1).offset(step - 1), { order, after, until: null });
  }

  /** Counts up to the cap and one more; null: everything. */
  count(
    { table }: { readonly table: string },
    walk: Pick<Walk, 'rows' | 'fresh' | 'hint'>,
    cap: number | null,
    stretch?: Stretch,
  ): Knex.QueryBuilder {
    const { rows, fresh } = walk;
    const selected = rows(this.#from(table, walk).select(this.knex.raw('1 AS one')));
    const counted = fresh ? fresh(selected) : selected;
    if (stretch) void between(counted, stretch);
    if (cap !== null) void counted.limit(cap + 1);
    return this.knex.count({ n: '*' }).from(counted.as('counted'));
  }

  #from(table: string, { hint }: Pick<Walk, 'hint'>): Knex.QueryBuilder {
    return this.knex(hint === undefined ? table : this.knex.raw(`${table} ${hint}`));
  }
}

const sorted = (query: Knex.QueryBuilder, { column, direction }: Order): Knex.QueryBuilder =>
  query.orderBy([
    { column, order: direction },
    { column: 'id', order: direction },
  ]);

/**
 * Each end is written as a range on the first column plus a filter: databases use an index for that, but not always for a
 * row comparison.
 */
const between = (query: Knex.QueryBuilder, { order, after, until }: Stretch): Knex.QueryBuilder => {
  const { column, direction } = order;
  const beyond = direction === 'asc' ? '>' : '<';
  const before = direction === 'asc' ? '<' : '>';
  if (after) {
    const key = timeToSql(after.key);
    void query
      .where(column, `${beyond}=`, key)
      .where((or) => void or.where(column, beyond, key).orWhere('id', beyond, uuidToSql(after.id)));
  }
  if (until) {
    const key = timeToSql(until.key);
    void query
      .where(column, `${before}=`, key)
      .where(
        (or) => void or.where(column, before, key).orWhere('id', `${before}=`, uuidToSql(until.id)),
      );
  }
  return query;
};

/** Where a row stands in an order. */
export const placeOf = (row: unknown, { column }: Order): Keyset => ({
  key: timeFromSql(sortKeyOf(row, column)),
  id: uuidFromSql(idOf(row)),
});

export const sortKeyOf = (row: unknown, column: string): number =>
  (row as Record<string, number>)[column]!;
export const idOf = (row: unknown): Uint8Array => (row as { readonly id: Uint8Array }).id;
