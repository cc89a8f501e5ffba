import type { Knex } from 'knex';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { SqlValue } from '../session.ts';
import { booleanToSql, uuidToSql } from '../values.ts';
import type { IndexedPart, Walk } from './keyset.ts';

type Indexes = Pick<Dialect, 'byIndex' | 'estimatesRows'>;

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
    disputed: disputed === undefined ? undefined : booleanToSql(disputed),
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
  { byIndex, estimatesRows }: Indexes,
): Walk =>
  walk.party && !estimatesRows
    ? { ...walk, by: [partOf(walk.party.column, walk.party.id, sort, byIndex)] }
    : walk;

/** The index of all records in the order of the listing. */
export const inOrder = (
  sort: RecordFilter['sort'],
  { byIndex }: Pick<Dialect, 'byIndex'>,
): string =>
  byIndex(sort.endsWith('updatedAt') ? 'records_by_updated_at' : 'records_by_created_at');

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
    rows: (query) => query.where(column, value as Knex.Value),
    isOrdered: !isByChange || BY_CHANGE.has(column),
  };
};

/** Columns that have an index in the order of the changes too. */
const BY_CHANGE: ReadonlySet<string> = new Set([
  'org_id',
  'performer_org_id',
  'principal_agent_id',
]);
