import type { Knex } from 'knex';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import { TERMINAL, type RecordStatus } from '../../../domain/record/record-status.ts';
import type { Dialect } from '../base/dialect.ts';
import { NO_MIRROR, RECORDS, type RecordRow } from './record-row.ts';
import { booleanToSql, timeToSql, uuidToSql } from '../base/values.ts';
import {
  equalities,
  type Condition,
  type IndexedPart,
  type Listing,
  type Walk,
} from '../listing/keyset.ts';
import {
  filteredParts,
  inOrder,
  statusPart,
  withoutIndex,
  withPart,
  wordsOfIndexes,
} from './record-parts.ts';
import { prefixRange, uuidPrefixRange } from '../listing/prefix.ts';
import { EVERYTHING, readerWalks } from '../listing/reader-walks.ts';

/** An open record whose expiry is not after what follows. The words of a partial index stand in it. */
export const IS_DUE = `terminal_at IS NULL AND ${NO_MIRROR} AND expires_at IS NOT NULL AND expires_at <=`;

export const recordListing = (
  filter: RecordFilter,
  dialect: Pick<Dialect, 'statementTime' | 'byIndex' | 'shortBytes'>,
): Listing<RecordRow, RecordRow> => {
  const conditions = conditionsOf(filter);
  return {
    table: RECORDS.name,
    columns: RECORDS.columns,
    select: RECORDS.listed(dialect, 'id'),
    order: {
      column: filter.sort.endsWith('createdAt') ? 'created_at' : 'updated_at',
      direction: filter.sort.startsWith('-') ? 'desc' : 'asc',
    },
    walks: product([
      readerWalks(filter.reader).map((walk) => withPart(walk, filter, dialect)),
      rootWalks(filter, dialect),
      prefixWalks(filter, dialect),
      statusWalks(filter, dialect),
    ]).map((walks, index) => ({
      rows: (query) => walks.reduce((all, { rows }) => rows(all), conditions(query)),
      fresh: (query) => walks.reduce((all, { fresh }) => (fresh ? fresh(all) : all), query),
      ...hintOf(walks),
      ...partsOf(walks, filter, dialect),
      // The first one is that of the principal's side, which no record ever leaves.
      ...(index === 0 && onlyGrows(filter) ? { growing: `records ${JSON.stringify(filter)}` } : {}),
    })),
    within: rangeOf(filter, filter.sort.endsWith('createdAt') ? 'created' : 'updated'),
    toDomain: (row) => row,
  };
};

/** Whether a record that it selects is selected for ever: none is deleted, and these members never change. */
const onlyGrows = ({
  status,
  statuses,
  disputed,
  performerAgentId,
  updatedTo,
}: RecordFilter): boolean =>
  [status, statuses, disputed, performerAgentId, updatedTo].every((asked) => asked === undefined);

/** The conditions that every walk shares: equalities and half-open ranges. */
const conditionsOf = (filter: RecordFilter): Condition => {
  const uuid = (id: Uuid | undefined): Uint8Array | undefined =>
    id === undefined ? undefined : uuidToSql(id);
  const equal = equalities({
    type: filter.type,
    publisher: filter.publisher,
    principal_agent_id: uuid(filter.principalAgentId),
    performer_agent_id: uuid(filter.performerAgentId),
    parent_record_id: uuid(filter.parentRecordId),
    platform: filter.platform,
    platform_ref: filter.platformRef,
    disputed: filter.disputed === undefined ? undefined : booleanToSql(filter.disputed),
  });
  const words = wordsOfIndexes(filter);
  return (query) => {
    const all = rangeOf(filter, 'updated')(rangeOf(filter, 'created')(equal(query)));
    return words.reduce((asked, word) => asked.whereRaw(word), all);
  };
};

/** The range of the time that the listing is not sorted by. */
const otherRange = (
  filter: RecordFilter,
  dialect: Pick<Dialect, 'byIndex'>,
): readonly IndexedPart[] => {
  const [time, sort] = filter.sort.endsWith('createdAt')
    ? (['updated', 'updatedAt'] as const)
    : (['created', 'createdAt'] as const);
  if (filter[`${time}From`] === undefined && filter[`${time}To`] === undefined) return [];
  const { hint } = inOrder(sort, dialect);
  return [{ hint, rows: rangeOf(filter, time), isOrdered: false }];
};

const rangeOf =
  (filter: RecordFilter, time: 'created' | 'updated'): Condition =>
  (query) => {
    const [from, to] = [filter[`${time}From`], filter[`${time}To`]];
    if (from !== undefined) void query.where(`${time}_at`, '>=', timeToSql(from));
    if (to !== undefined) void query.where(`${time}_at`, '<', timeToSql(to));
    return query;
  };

/** Only the records below a root store its id, but the root belongs to its own tree as well. */
const rootWalks = (
  { rootRecordId, sort }: RecordFilter,
  { byIndex }: Pick<Dialect, 'byIndex'>,
): readonly Walk[] => {
  if (rootRecordId === undefined) return EVERYTHING;
  const root = uuidToSql(rootRecordId) as Knex.Value;
  const itself: Condition = (query) => query.where('id', root).whereNull('root_record_id');
  const below: Condition = (query) => query.where('root_record_id', root);
  return [
    { rows: itself, by: [{ hint: '', rows: itself, isOrdered: false }] },
    {
      rows: below,
      by: [
        {
          hint: byIndex('records_by_root_record_id_created_at'),
          rows: below,
          isOrdered: sort.endsWith('createdAt'),
        },
      ],
    },
  ];
};

/**
 * Whether a record expired is judged by the time, not by the row, which a worker writes later. Those that are due and
 * not written stand together in an index of their own, and are few: they are sorted, and nothing else is read.
 */
const statusWalks = (
  { status, statuses, ...filter }: RecordFilter,
  dialect: Pick<Dialect, 'statementTime' | 'byIndex'>,
): readonly Walk[] => {
  const wanted = status === undefined ? statuses : [status];
  return wanted ? [...new Set(wanted)].flatMap((one) => walksOf(one, filter, dialect)) : EVERYTHING;
};

const walksOf = (
  status: RecordStatus,
  filter: RecordFilter,
  dialect: Pick<Dialect, 'statementTime' | 'byIndex'>,
): readonly Walk[] => {
  const { statementTime, byIndex } = dialect;
  const is: Condition = (query) => query.where('status', status);
  const by = [statusPart(status, filter, dialect)];
  if (status === 'EXPIRED')
    return [
      { rows: is, by },
      {
        rows: (query) => query.whereRaw(`${IS_DUE} ${statementTime}`),
        ...(isNarrow(filter) ? {} : { hint: byIndex('records_by_terminal_at_expires_at') }),
      },
    ];
  return TERMINAL.has(status)
    ? [{ rows: is, by }]
    : [
        {
          by,
          rows: (query) =>
            is(query).whereRaw(
              `(expires_at IS NULL OR expires_at > ${statementTime} OR NOT ${NO_MIRROR})`,
            ),
        },
      ];
};

/** Filters that leave few rows, so that their own index serves best. */
const isNarrow = ({ parentRecordId, rootRecordId, platformRef, q }: RecordFilter): boolean =>
  [parentRecordId, rootRecordId, platformRef, q].some((value) => value !== undefined);

/**
 * Where the index to read by is not known already. One condition alone whose index has the order of the listing needs no
 * choice: every row of that index is wanted.
 */
const partsOf = (
  walks: readonly Walk[],
  filter: RecordFilter,
  dialect: Pick<Dialect, 'byIndex'>,
): Pick<Walk, 'by' | 'otherwise'> => {
  if (walks.some(({ hint }) => hint !== undefined)) return {};
  const by = [
    ...walks.flatMap((walk) => walk.by ?? []),
    ...filteredParts(filter, dialect),
    ...otherRange(filter, dialect),
  ];
  const conditions = by.length + withoutIndex(filter);
  if (conditions === 0 || (conditions === 1 && by[0]?.isOrdered)) return {};
  const party = walks.find((walk) => walk.party)?.by?.find(({ isOrdered }) => isOrdered);
  return { by, otherwise: party ?? inOrder(filter.sort, dialect) };
};

const hintOf = (walks: readonly Walk[]): Pick<Walk, 'hint'> => {
  const hint = walks.find((walk) => walk.hint !== undefined)?.hint;
  return hint === undefined ? {} : { hint };
};

const prefixWalks = ({ q }: RecordFilter, dialect: Pick<Dialect, 'byIndex'>): readonly Walk[] => {
  if (q === undefined || q === '') return EVERYTHING;
  const [refFrom, refTo] = prefixRange(q);
  const byRef: Condition = (query) =>
    refTo === null
      ? query.where('platform_ref', '>=', refFrom)
      : query.where('platform_ref', '>=', refFrom).where('platform_ref', '<', refTo);
  const ids = uuidPrefixRange(q);
  const ofRef: Walk = {
    rows: byRef,
    by: [
      {
        hint: dialect.byIndex('records_by_platform_ref_created_at'),
        rows: byRef,
        isOrdered: false,
      },
    ],
  };
  if (!ids) return [ofRef];
  // Knex's types know bytes as Buffers only; both drivers bind a Uint8Array as well.
  const [first, last] = ids as unknown as readonly [Knex.Value, Knex.Value];
  const between: Condition = (query) => query.whereBetween('id', [first, last]);
  return [
    {
      rows: between,
      // A short prefix is that of nearly all ids, which begin with the time.
      by: [{ hint: '', rows: between, isOrdered: false }],
    },
    { ...ofRef, fresh: (query) => query.whereNotBetween('id', [first, last]) },
  ];
};

/** All combinations of one walk from each list. */
const product = (lists: readonly (readonly Walk[])[]): readonly (readonly Walk[])[] =>
  lists.reduce<readonly (readonly Walk[])[]>(
    (chosen, list) => chosen.flatMap((walks) => list.map((walk) => [...walks, walk])),
    [[]],
  );
