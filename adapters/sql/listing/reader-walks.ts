import type { Knex } from 'knex';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import { uuidToSql } from '../base/values.ts';
import type { Condition, Walk } from './keyset.ts';

/** What a reader may see of rows that bear the parties of a record: as the principal's side, and beyond that as the performer's. */
export const readerWalks = (reader: RecordFilter['reader']): readonly Walk[] => {
  if (reader === null) return EVERYTHING;
  const [principal, performer, id] =
    'agentId' in reader
      ? (['principal_agent_id', 'performer_agent_id', uuidToSql(reader.agentId)] as const)
      : (['org_id', 'performer_org_id', uuidToSql(reader.orgId)] as const);
  const is =
    (column: string): Condition =>
    (query) =>
      query.where(column, id as Knex.Value);
  return [
    { rows: is(principal), party: { column: principal, id } },
    {
      rows: is(performer),
      party: { column: performer, id },
      fresh: (query) => query.whereNot(principal, id as Knex.Value),
    },
  ];
};

export const EVERYTHING: readonly Walk[] = [{ rows: (query) => query }];
