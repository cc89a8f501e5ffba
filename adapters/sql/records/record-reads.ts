import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { CLOCKS_APART_MS } from '../../../domain/kernel/due.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type {
  RecordFilter,
  RecordReads,
  TreeRecord,
} from '../../../domain/record/record-store.port.ts';
import { ColumnMap } from '../tables/column-map.ts';
import { contentLengths, RECORD_CONTENTS, withContents } from './content-row.ts';
import { findAll, findOne } from '../tables/find.ts';
import type { Dialect } from '../base/dialect.ts';
import { NO_MIRROR, RECORDS, type RecordRow } from './record-row.ts';
import { rowsToRecords } from './record-rows.ts';
import { firstOf, type SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { hexToSql, jsonFromSql, timeFromSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import type { Lister } from '../listing/keyset.ts';
import { IS_DUE, recordListing } from './record-listing.ts';

export class SqlRecordReads implements RecordReads {
  readonly #byId: string;

  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
    private readonly dialect: Dialect,
  ) {
    this.#byId = `SELECT ${RECORDS.listed(dialect, 'id')}, ${dialect.now} AS db_now FROM records WHERE id = ?`;
  }

  async find(id: Uuid): Promise<{ readonly record: RecordState; readonly now: Date } | null> {
    const row = firstOf(
      await this.reader.all<RecordRow & { readonly db_now: number }>(this.#byId, [uuidToSql(id)]),
    );
    const record = row && firstOf(await rowsToRecords(this.reader, [row]));
    return record && { record, now: new Date(timeFromSql(row.db_now)) };
  }

  async whole(record: RecordState): Promise<RecordState> {
    return firstOf(await withContents(this.reader, [record]))!;
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
    return {
      ...page,
      rows: await withContents(this.reader, await rowsToRecords(this.reader, page.rows)),
    };
  }

  ids(filter: RecordFilter, slice: SliceRequest): Promise<Slice<Uuid>> {
    const listing = recordListing(filter, this.dialect);
    return this.lister.slice(
      {
        ...listing,
        select: `id, ${listing.order.column}`,
        toDomain: ({ id }) => uuidFromSql(id),
      },
      slice,
    );
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
      `SELECT id FROM records WHERE awaiting = 'gate' AND ${NO_MIRROR} AND (updated_at <= ${this.dialect.statementTime} - ? OR updated_at > ${this.dialect.statementTime} + ?) ORDER BY updated_at LIMIT ?`,
      [forMs, CLOCKS_APART_MS, limit],
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
