import type { Knex } from 'knex';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type {
  RecordFilter,
  RecordReads,
  TreeRecord,
} from '../../../domain/record/record-store.port.ts';
import { TERMINAL, type RecordStatus } from '../../../domain/record/record-status.ts';
import { ColumnMap } from '../rows/column-map.ts';
import { contentLengths, RECORD_CONTENTS, withContents } from '../rows/content-row.ts';
import { findAll, findOne } from '../rows/find.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { NO_MIRROR, RECORDS, type RecordRow } from '../rows/record-row.ts';
import { rowsToRecords } from '../rows/record-rows.ts';
import { firstOf, type Reader, type SqlValue } from '../session.ts';
import {
  booleanToSql,
  hexToSql,
  jsonFromSql,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import {
  equalities,
  type Condition,
  type IndexedPart,
  type Lister,
  type Listing,
  type Walk,
} from './keyset.ts';
import { filteredParts, inOrder, statusPart, withPart } from './record-parts.ts';
import { prefixRange, uuidPrefixRange } from './prefix.ts';
import { EVERYTHING, readerWalks } from './reader-walks.ts';

export class SqlRecordReads implements RecordReads {
  readonly #byId: string;

  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
    private readonly dialect: Dialect,
  ) {
    this.#byId = `SELECT ${RECORDS.columnList}, ${dialect.now} AS db_now FROM records WHERE id = ?`;
  }

  async find(id: Uuid): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const row = firstOf(
      await this.reader.all<RecordRow & { readonly db_now: number }>(this.#byId, [uuidToSql(id)]),
    );
    const record = row && firstOf(await this.#whole([row]));
    return record && { record, now: new Date(timeFromSql(row.db_now)) };
  }

  async content(id: Uuid, hash: string): Promise<JsonObject | null> {
    const sql = `${RECORD_CONTENTS.select} WHERE record_id = ? AND hash = ?`;
    const row = await findOne(this.reader, RECORD_CONTENTS, sql, [uuidToSql(id), hexToSql(hash)]);
    return row && jsonFromSql<JsonObject>(row.content);
  }

  async tree(rootId: Uuid, limit: number): Promise<readonly TreeRecord[]> {
    const id = uuidToSql(rootId);
    const root = await findAll(this.reader, TREE, `${SELECT_TREE} WHERE id = ?`, [id]);
    const below = await findAll(
      this.reader,
      TREE,
      `${SELECT_TREE} WHERE root_record_id = ? ORDER BY depth, created_at, id LIMIT ?`,
      [id, limit],
    );
    return [...root, ...below].slice(0, limit);
  }

  async list(filter: RecordFilter, slice: SliceRequest): Promise<Slice<RecordState>> {
    const listing = { ...recordListing(filter, this.dialect), sizes: this.#sizes };
    const page = await this.lister.slice(listing, slice);
    return { ...page, rows: await this.#whole(page.rows) };
  }

  count(filter: RecordFilter): Promise<number> {
    return this.lister.count(recordListing(filter, this.dialect));
  }

  /** A second statement asks for what stands beside the records; it is not sent where there is nothing. */
  readonly #sizes = async (rows: readonly RecordRow[]): Promise<readonly number[]> => {
    const beside = await contentLengths(
      this.reader,
      rows.filter(({ criteria }) => criteria === null).map(({ id }) => id),
    );
    return rows.map(
      ({ id, criteria, counter_proposal: counter }) =>
        (criteria?.length ?? beside.get(uuidFromSql(id)) ?? 0) + (counter?.length ?? 0),
    );
  };

  async #whole(rows: readonly RecordRow[]): Promise<readonly RecordState[]> {
    return withContents(this.reader, await rowsToRecords(this.reader, rows));
  }

  async due(limit: number): Promise<readonly Uuid[]> {
    const { statementTime } = this.dialect;
    const expired = await this.#ids(
      `SELECT id FROM records WHERE ${IS_DUE} ${statementTime} ORDER BY expires_at LIMIT ?`,
      [limit],
    );
    const ended = await this.#ids(
      `SELECT id FROM records WHERE ${NO_MIRROR} AND dispute_deadline IS NOT NULL AND dispute_deadline <= ${statementTime} ORDER BY dispute_deadline LIMIT ?`,
      [limit - expired.length],
    );
    return [...expired, ...ended];
  }

  dueIn(
    tree: { readonly parentRecordId: Uuid } | { readonly rootRecordId: Uuid },
    limit: number,
  ): Promise<readonly Uuid[]> {
    const [where, ids] =
      'parentRecordId' in tree
        ? (['parent_record_id = ?', [uuidToSql(tree.parentRecordId)]] as const)
        : ([
            '(root_record_id = ? OR id = ?)',
            [uuidToSql(tree.rootRecordId), uuidToSql(tree.rootRecordId)],
          ] as const);
    return this.#ids(
      `SELECT id FROM records WHERE ${where} AND ${IS_DUE} ${this.dialect.statementTime} ORDER BY depth DESC, expires_at LIMIT ?`,
      [...ids, limit],
    );
  }

  duePhases(reader: RecordFilter['reader'], limit: number): Promise<readonly Uuid[]> {
    const [party, ids] = partyOf(reader);
    return this.#ids(
      `SELECT id FROM records ${this.dialect.byIndex('records_by_dispute_deadline')} WHERE dispute_deadline IS NOT NULL AND dispute_deadline <= ${this.dialect.statementTime} AND disputed = 1 AND ${NO_MIRROR}${party} ORDER BY dispute_deadline LIMIT ?`,
      [...ids, limit],
    );
  }

  async unevaluated(forMs: number, limit: number): Promise<readonly Uuid[]> {
    return this.#ids(
      `SELECT id FROM records WHERE awaiting = 'gate' AND ${NO_MIRROR} AND updated_at <= ${this.dialect.statementTime} - ? ORDER BY updated_at LIMIT ?`,
      [forMs, limit],
    );
  }

  async #ids(sql: string, bindings: readonly SqlValue[]): Promise<readonly Uuid[]> {
    const rows = await this.reader.all<{ readonly id: Uint8Array }>(sql, bindings);
    return rows.map(({ id }) => uuidFromSql(id));
  }

  async pinnedBy(
    reader: NonNullable<RecordFilter['reader']>,
    manifest: { readonly publisher: string; readonly type: string; readonly version: number },
  ): Promise<Uuid | null> {
    const [columns, id] =
      'agentId' in reader
        ? ([['principal_agent_id', 'performer_agent_id'], uuidToSql(reader.agentId)] as const)
        : ([['org_id', 'performer_org_id'], uuidToSql(reader.orgId)] as const);
    for (const column of columns) {
      const row = firstOf(
        await this.reader.all<{ readonly schema_org_id: Uint8Array }>(
          `SELECT schema_org_id FROM records WHERE ${column} = ? AND type = ? AND publisher = ? AND type_version = ? LIMIT 1`,
          [id, manifest.type, manifest.publisher, manifest.version],
        ),
      );
      if (row) return uuidFromSql(row.schema_org_id);
    }
    return null;
  }
}

const { id, parentRecordId, depth, status } = RECORDS.members;
const { orgId, performerOrgId, principalAgentId, performerAgentId } = RECORDS.members;

/** The columns that a tree shows of each record. */
const TREE = new ColumnMap({
  id,
  parentRecordId,
  depth,
  type: RECORDS.members.schema.members.type,
  status,
  orgId,
  performerOrgId,
  principalAgentId,
  performerAgentId,
});
const SELECT_TREE = `SELECT ${TREE.columnList} FROM records`;

/** An open record whose expiry is not after what follows. The words of a partial index stand in it. */
const IS_DUE = `terminal_at IS NULL AND ${NO_MIRROR} AND expires_at IS NOT NULL AND expires_at <=`;

const partyOf = (
  reader: RecordFilter['reader'],
): readonly [condition: string, bindings: readonly SqlValue[]] => {
  if (reader === null) return ['', []];
  const [columns, id] =
    'agentId' in reader
      ? (['principal_agent_id = ? OR performer_agent_id', uuidToSql(reader.agentId)] as const)
      : (['org_id = ? OR performer_org_id', uuidToSql(reader.orgId)] as const);
  return [` AND (${columns} = ?)`, [id, id]];
};

export const recordListing = (
  filter: RecordFilter,
  dialect: Pick<Dialect, 'statementTime' | 'byIndex' | 'estimatesRows'>,
): Listing<RecordRow, RecordRow> => {
  const conditions = conditionsOf(filter);
  const shared = dialect.estimatesRows ? [] : filteredParts(filter, dialect);
  return {
    table: RECORDS.name,
    columns: RECORDS.columns,
    order: {
      column: filter.sort.endsWith('createdAt') ? 'created_at' : 'updated_at',
      direction: filter.sort.startsWith('-') ? 'desc' : 'asc',
    },
    walks: product([
      readerWalks(filter.reader).map((walk) => withPart(walk, filter, dialect)),
      rootWalks(filter),
      prefixWalks(filter, dialect),
      statusWalks(filter, dialect),
    ]).map((walks, index) => ({
      rows: (query) => walks.reduce((all, { rows }) => rows(all), conditions(query)),
      fresh: (query) => walks.reduce((all, { fresh }) => (fresh ? fresh(all) : all), query),
      ...hintOf(walks),
      ...partsOf(walks, shared),
      // The first one is that of the principal's side, which no record ever leaves.
      ...(index === 0 && onlyGrows(filter) ? { growing: `records ${JSON.stringify(filter)}` } : {}),
    })),
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
  return (query) => {
    const all = equal(query);
    if (filter.createdFrom !== undefined)
      void all.where('created_at', '>=', timeToSql(filter.createdFrom));
    if (filter.createdTo !== undefined)
      void all.where('created_at', '<', timeToSql(filter.createdTo));
    if (filter.updatedFrom !== undefined)
      void all.where('updated_at', '>=', timeToSql(filter.updatedFrom));
    if (filter.updatedTo !== undefined)
      void all.where('updated_at', '<', timeToSql(filter.updatedTo));
    return all;
  };
};

/** Only the records below a root store its id, but the root belongs to its own tree as well. */
const rootWalks = ({ rootRecordId }: RecordFilter): readonly Walk[] => {
  if (rootRecordId === undefined) return EVERYTHING;
  const root = uuidToSql(rootRecordId) as Knex.Value;
  return [
    { rows: (query) => query.where('id', root).whereNull('root_record_id') },
    { rows: (query) => query.where('root_record_id', root) },
  ];
};

/**
 * Whether a record expired is judged by the time, not by the row, which a worker writes later. Those that are due and
 * not written stand together in an index of their own, and are few: they are sorted, and nothing else is read.
 */
const statusWalks = (
  { status, statuses, ...filter }: RecordFilter,
  dialect: Pick<Dialect, 'statementTime' | 'byIndex' | 'estimatesRows'>,
): readonly Walk[] => {
  const wanted = status === undefined ? statuses : [status];
  return wanted ? [...new Set(wanted)].flatMap((one) => walksOf(one, filter, dialect)) : EVERYTHING;
};

const walksOf = (
  status: RecordStatus,
  filter: RecordFilter,
  dialect: Pick<Dialect, 'statementTime' | 'byIndex' | 'estimatesRows'>,
): readonly Walk[] => {
  const { statementTime, byIndex } = dialect;
  const is: Condition = (query) => query.where('status', status);
  const by = dialect.estimatesRows ? [] : [statusPart(status, filter, dialect)];
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

/** Where the index to read by is not known already. */
const partsOf = (walks: readonly Walk[], shared: readonly IndexedPart[]): Pick<Walk, 'by'> =>
  walks.some(({ hint }) => hint !== undefined)
    ? {}
    : {
        by: [...walks.flatMap(({ by = [] }) => by), ...shared],
        ...otherwiseOf(walks),
      };

/** In the order of the listing, by the index of the party where there is one. */
const otherwiseOf = (walks: readonly Walk[]): Pick<Walk, 'otherwise'> => {
  const otherwise = walks.find((walk) => walk.otherwise !== undefined)?.otherwise;
  const party = walks.find((walk) => walk.party)?.by?.find(({ isOrdered }) => isOrdered);
  return otherwise === undefined ? {} : { otherwise: party?.hint ?? otherwise };
};

const hintOf = (walks: readonly Walk[]): Pick<Walk, 'hint'> => {
  const hint = walks.find((walk) => walk.hint !== undefined)?.hint;
  return hint === undefined ? {} : { hint };
};

const prefixWalks = (
  { q, sort }: RecordFilter,
  dialect: Pick<Dialect, 'byIndex' | 'estimatesRows'>,
): readonly Walk[] => {
  if (q === undefined || q === '') return EVERYTHING;
  const [refFrom, refTo] = prefixRange(q);
  const byRef: Condition = (query) =>
    refTo === null
      ? query.where('platform_ref', '>=', refFrom)
      : query.where('platform_ref', '>=', refFrom).where('platform_ref', '<', refTo);
  const ids = uuidPrefixRange(q);
  if (!ids) return [{ rows: byRef }];
  // Knex's types know bytes as Buffers only; both drivers bind a Uint8Array as well.
  const [first, last] = ids as unknown as readonly [Knex.Value, Knex.Value];
  const between: Condition = (query) => query.whereBetween('id', [first, last]);
  return [
    {
      rows: between,
      // A short prefix is that of nearly all ids, which begin with the time.
      ...(dialect.estimatesRows
        ? {}
        : {
            by: [{ hint: '', rows: between, isOrdered: false }],
            otherwise: inOrder(sort, dialect),
          }),
    },
    { rows: byRef, fresh: (query) => query.whereNotBetween('id', [first, last]) },
  ];
};

/** All combinations of one walk from each list. */
const product = (lists: readonly (readonly Walk[])[]): readonly (readonly Walk[])[] =>
  lists.reduce<readonly (readonly Walk[])[]>(
    (chosen, list) => chosen.flatMap((walks) => list.map((walk) => [...walks, walk])),
    [[]],
  );
