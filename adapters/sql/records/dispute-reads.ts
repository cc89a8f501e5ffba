import type { Knex } from 'knex';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { Dispute, DisputeEvidence, DisputeHead } from '../../../domain/dispute/dispute.ts';
import type {
  DisputeFilter,
  DisputeOpening,
  DisputeReads,
  ListedDispute,
} from '../../../domain/dispute/dispute-store.port.ts';
import type { RowOf } from '../tables/column-map.ts';
import { DISPUTE_EVIDENCE, DISPUTES, type DisputeRow } from './dispute-row.ts';
import { findOne } from '../tables/find.ts';
import { wholeDispute } from './dispute-rows.ts';
import { firstOf, placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { DISPUTE_BY_ID } from './dispute-store.ts';
import { uuidFromSql, uuidToSql } from '../base/values.ts';
import { equalities, type Condition, type Lister, type Listing } from '../listing/keyset.ts';
import { readerWalks } from '../listing/reader-walks.ts';

export class SqlDisputeReads implements DisputeReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(id: Uuid): Promise<Dispute | null> {
    return this.#whole(DISPUTE_BY_ID, id);
  }

  head(id: Uuid): Promise<DisputeHead | null> {
    return findOne(this.reader, DISPUTES, DISPUTE_BY_ID, [uuidToSql(id)]);
  }

  newestOf(recordId: Uuid): Promise<Dispute | null> {
    return this.#whole(NEWEST_OF_RECORD, recordId);
  }

  async openingOf(id: Uuid): Promise<DisputeOpening | null> {
    const rows = await this.reader.all<RowOf<typeof OPENING>>(OPENING_OF, [uuidToSql(id)]);
    const row = firstOf(rows);
    return row && OPENING.fromRow(row);
  }

  async contentAt(id: Uuid, ordinal: number): Promise<JsonObject | null> {
    const rows = await this.reader.all<RowOf<typeof CONTENT>>(CONTENT_AT, [uuidToSql(id), ordinal]);
    const row = firstOf(rows);
    return row && CONTENT.fromRow(row).content;
  }

  async list(filter: DisputeFilter, slice: SliceRequest): Promise<Slice<ListedDispute>> {
    const page = await this.lister.slice(disputeListing(filter), slice);
    const evidence = await this.#evidenceOf(page.rows);
    return {
      ...page,
      rows: page.rows.map((row) => ({
        ...DISPUTES.fromRow(row),
        orgId: uuidFromSql(row.org_id),
        performerOrgId: row.performer_org_id && uuidFromSql(row.performer_org_id),
        evidence: evidence.get(uuidFromSql(row.id)) ?? [],
      })),
    };
  }

  async #whole(sql: string, id: Uuid): Promise<Dispute | null> {
    const row = firstOf(await this.reader.all<DisputeRow>(sql, [uuidToSql(id)]));
    return row && wholeDispute(this.reader, row);
  }

  /** The evidence of a whole page, read by one statement, by the id of its dispute. */
  async #evidenceOf(
    rows: readonly DisputeRow[],
  ): Promise<ReadonlyMap<string, readonly Omit<DisputeEvidence, 'content'>[]>> {
    const found = new Map<string, Omit<DisputeEvidence, 'content'>[]>();
    if (rows.length === 0) return found;
    const sql = `SELECT ${LISTED.columnList} FROM dispute_evidence WHERE dispute_id IN (${placeholders(rows.length)}) ORDER BY dispute_id, ordinal`;
    const ids = rows.map(({ id }) => id);
    for (const row of await this.reader.all<RowOf<typeof LISTED>>(sql, ids)) {
      const disputeId = uuidFromSql(row.dispute_id);
      found.set(disputeId, [...(found.get(disputeId) ?? []), LISTED.fromRow(row)]);
    }
    return found;
  }
}

const NEWEST_OF_RECORD = `${DISPUTES.select} WHERE record_id = ? ORDER BY opened_at DESC, id DESC LIMIT 1`;

const OPENING = DISPUTES.only('recordId', 'grounds', 'statement');
const OPENING_OF = `SELECT ${OPENING.columnList} FROM disputes WHERE id = ?`;
const CONTENT = DISPUTE_EVIDENCE.only('content');
const CONTENT_AT = `SELECT ${CONTENT.columnList} FROM dispute_evidence WHERE dispute_id = ? AND ordinal = ?`;

/** A listing describes the evidence and leaves out its content. */
const LISTED = DISPUTE_EVIDENCE.only(
  'disputeId',
  'id',
  'submittedBy',
  'side',
  'contentHash',
  'submittedAt',
);

export const disputeListing = (filter: DisputeFilter): Listing<DisputeRow, DisputeRow> => ({
  table: DISPUTES.name,
  columns: DISPUTES.columns,
  order: { column: 'opened_at', direction: 'desc' },
  walks: readerWalks(filter.reader).map((walk) => ({
    ...walk,
    rows: (query: Knex.QueryBuilder) => walk.rows(conditionsOf(filter)(query)),
  })),
  toDomain: (row) => row,
});

const conditionsOf = ({ status, phase, tier, recordId }: DisputeFilter): Condition => {
  const equal = equalities({
    phase,
    tier,
    record_id: recordId === undefined ? undefined : uuidToSql(recordId),
  });
  return (query) => {
    if (status === 'open') void query.whereNull('resolved_at');
    if (status === 'ended') void query.whereNotNull('resolved_at');
    return equal(query);
  };
};
