import type { Knex } from 'knex';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import type { Dialect } from '../base/dialect.ts';
import type { SqlValue } from '../base/session.ts';
import { booleanToSql, uuidToSql } from '../base/values.ts';
import type { IndexedPart, Walk } from '../listing/keyset.ts';

type Indexes = Pick<Dialect, 'byIndex'>;

/** The conditions of a filter on records of which an index begins with the column. */
export const filteredParts = (
  filter: RecordFilter,
  { byIndex }: Indexes,
): readonly IndexedPart[] => {
  const { principalAgentId, performerAgentId, parentRecordId, disputed } = filter;
  const values: Readonly<Record<string, SqlValue | undefined>> = {
    principal_agent_id: principalAgentId && uuidToSql(principalAgentId),
    performer_agent_id: performerAgentId && uuidToSql(performerAgentId),
    parent_record_id: parentRecordId && uuidToSql(parentRecordId),
    platform_ref: filter.platformRef,
    type: filter.type,
    publisher: filter.publisher,
    platform: filter.platform === COMMON_PLATFORM ? undefined : filter.platform,
    // Those that are not have no index.
    disputed: disputed ? booleanToSql(true) : undefined,
  };
  return Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [partOf(column, value, filter.sort, byIndex)],
  );
};

export const statusPart = (
  status: string,
  { sort }: Pick<RecordFilter, 'sort'>,
  { byIndex }: Indexes,
): IndexedPart => partOf('status', status, sort, byIndex);

/** The walk of a reader with the index of the column by which it reads. */
export const withPart = (
  walk: Walk,
  { sort }: Pick<RecordFilter, 'sort'>,
  { byIndex }: Indexes,
): Walk =>
  walk.party ? { ...walk, by: [partOf(walk.party.column, walk.party.id, sort, byIndex)] } : walk;

/** The index of all records in the order of the listing. */
export const inOrder = (sort: RecordFilter['sort'], { byIndex }: Indexes): IndexedPart => ({
  hint: byIndex(sort.endsWith('updatedAt') ? 'records_by_updated_at' : 'records_by_created_at'),
  rows: (query) => query,
  isOrdered: true,
});

/** What a record names as its platform where its creator named none. */
const COMMON_PLATFORM = 'api';

/** How many conditions of a filter no index has. */
export const withoutIndex = ({ platform, disputed }: RecordFilter): number =>
  [platform === COMMON_PLATFORM, disputed === false].filter(Boolean).length;

/** What a partial index leaves out: a database takes one only where the statement says it too. */
export const wordsOfIndexes = ({ platform, disputed }: RecordFilter): readonly string[] => [
  ...(platform === undefined || platform === COMMON_PLATFORM ? [] : [IN_PARTIAL_INDEX.platform]),
  ...(disputed ? [IN_PARTIAL_INDEX.disputed] : []),
];

const IN_PARTIAL_INDEX = {
  platform: `platform <> '${COMMON_PLATFORM}'`,
  disputed: 'disputed = 1',
};

const partOf = (
  column: string,
  value: SqlValue,
  sort: RecordFilter['sort'],
  byIndex: Indexes['byIndex'],
): IndexedPart => {
  const isByChange = sort.endsWith('updatedAt');
  return {
    hint: byIndex(
      isByChange && BY_CHANGE.has(column)
        ? `records_by_${column}_updated_at`
        : `records_by_${column}_created_at`,
    ),
    rows: (query) => {
      const words = new Map(Object.entries(IN_PARTIAL_INDEX)).get(column);
      const equal = query.where(column, value as Knex.Value);
      return words === undefined ? equal : equal.whereRaw(words);
    },
    isOrdered: !isByChange || BY_CHANGE.has(column),
  };
};

/** Columns that have an index in the order of the changes too. */
const BY_CHANGE: ReadonlySet<string> = new Set([
  'org_id',
  'performer_org_id',
  'principal_agent_id',
]);
