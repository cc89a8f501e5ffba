import type { TellEventFault } from '../../../application/event/event-fault.ts';
import type { NumberedEvent } from '../../../domain/event/event.ts';
import type { EventPlaces } from '../../../domain/event/event-places.port.ts';
import type {
  EventFilter,
  EventListing,
  EventPage,
  EventRange,
  EventReads,
  EventRoute,
  EventViewer,
} from '../../../domain/event/event-reads.port.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import {
  FORGOTTEN,
  GREATEST,
  numberedFromRow,
  numberHolds,
  OUTBOX,
  type OutboxRow,
} from './outbox-row.ts';
import { firstOf, placeholders, type RawReader, type SqlValue } from '../base/session.ts';
import { orNull, timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import { TOTAL_CAP } from '../listing/keyset.ts';

/** Numbered events, read by the index of whoever asks. */
export class SqlEventReads implements EventReads {
  constructor(
    private readonly reader: RawReader,
    private readonly seals: RowSeals,
    private readonly tell: TellEventFault,
    private readonly places: Pick<EventPlaces, 'before'>,
    private readonly settle: () => Promise<void>,
  ) {}

  /** Numbers beyond it were written by somebody else: who went on behind them would miss what is numbered next. */
  async newest(): Promise<number> {
    let below = GREATEST;
    for (let limit = 1; ; limit = LOOKED_OVER) {
      const rows = await this.reader.all<OutboxRow>(
        `${OUTBOX.select} WHERE sequence <= ? ORDER BY sequence DESC LIMIT ${limit}`,
        [below],
      );
      for (const row of rows) if (this.#holds(row)) return Number(row.sequence);
      if (rows.length < limit) return 0;
      below = Number(rows.at(-1)!.sequence) - 1;
    }
  }

  async settled(): Promise<number> {
    await this.settle();
    return this.newest();
  }

  async after({ viewer, filter = {}, after, limit }: EventRange): Promise<EventPage> {
    // Read before the rows: whatever has a number up to it is among them.
    const newest = await this.newest();
    if (newest <= after) return { events: [], through: after, hasMore: false };
    const walks = walksOf(viewer, filter);
    const pages = await Promise.all(
      walks.map(({ sql, values }) =>
        this.reader.all<OutboxRow>(
          `${OUTBOX.select} WHERE sequence > ? AND sequence <= ?${sql} ORDER BY sequence LIMIT ?`,
          [after, newest, ...values, limit],
        ),
      ),
    );
    const rows = merged(pages).slice(0, limit);
    const hasMore = rows.length === limit;
    const through = hasMore ? Number(rows.at(-1)!.sequence) : newest;
    if (viewer.kind === 'platform' && walks[0]!.isWhole) this.#assertNoHole(after, rows, through);
    return { events: this.#verified(rows), through, hasMore };
  }

  async numbered(numbers: readonly number[]): Promise<readonly NumberedEvent[]> {
    if (numbers.length === 0) return [];
    const sql = `${OUTBOX.select} WHERE sequence IN (${placeholders(numbers.length)}) ORDER BY sequence`;
    return this.#verified(await this.reader.all<OutboxRow>(sql, numbers));
  }

  async list(
    { viewer, order, type, ...filter }: EventListing,
    { limit, after }: SliceRequest,
  ): Promise<Slice<NumberedEvent>> {
    const known = type === undefined ? filter : { ...filter, types: [type] };
    const walks = walksOf(viewer, known).map((walk) =>
      // A forgotten one names no org and no agent.
      viewer.kind === 'platform' && type === undefined
        ? { ...walk, sql: `${walk.sql} AND type <> '${FORGOTTEN}'` }
        : walk,
    );
    // No event is numbered before it is created, so what was created since then has a greater number.
    const floor = filter.since === undefined ? 0 : await this.places.before(filter.since);
    const start = after === null ? null : Number(after.key);
    const from = order === 'asc' ? Math.max(floor, start ?? 0) : floor;
    const to = order === 'desc' && start !== null ? start : GREATEST;
    const [pages, counts] = await Promise.all([
      Promise.all(
        walks.map(({ sql, values }) =>
          this.reader.all<OutboxRow>(
            `${OUTBOX.select} WHERE sequence > ? AND sequence < ?${sql} ORDER BY sequence ${order} LIMIT ?`,
            [from, to, ...values, limit + 1],
          ),
        ),
      ),
      Promise.all(walks.map((walk) => this.#count(walk, floor))),
    ]);
    const found = merged(pages, order);
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    const total = counts.reduce((sum, count) => sum + count, 0);
    return {
      rows: this.#verified(rows),
      total: Math.min(total, TOTAL_CAP),
      totalIsCapped: total > TOTAL_CAP,
      next: last ? { key: String(last.sequence), id: uuidFromSql(last.id) } : null,
    };
  }

  /** Up to the cap. Nobody is both parties of an event, so two walks share no row. */
  async #count({ sql, values }: Walk, after: number): Promise<number> {
    const counted = `SELECT 1 AS one FROM outbox WHERE sequence > ?${sql} LIMIT ${TOTAL_CAP + 1}`;
    const rows = await this.reader.all<{ readonly n: number }>(
      `SELECT COUNT(*) AS n FROM (${counted}) counted`,
      [after, ...values],
    );
    return Number(firstOf(rows)?.n ?? 0);
  }

  async routes(after: number, limit: number): Promise<readonly EventRoute[]> {
    const rows = await this.reader.all<RouteRow>(
      `SELECT ${ROUTE.join(', ')} FROM outbox WHERE sequence > ? AND sequence <= ${GREATEST} ORDER BY sequence LIMIT ?`,
      [after, limit],
    );
    if (rows.length === 0) return [];
    const newest = await this.newest();
    const genuine = rows.filter(({ sequence }) => Number(sequence) <= newest);
    return genuine.map((row) => ({
      sequence: Number(row.sequence),
      orgIds: present(row.org_id, row.counterparty_org_id),
      agentIds: present(row.party_agent_id, row.counterparty_agent_id),
      recordId: orNull(row.record_id, uuidFromSql),
    }));
  }

  #verified(rows: readonly OutboxRow[]): readonly NumberedEvent[] {
    return rows.flatMap((row) =>
      this.#holds(row) && (row.type as string) !== FORGOTTEN ? [numberedFromRow(row)] : [],
    );
  }

  /** False with an alarm. */
  #holds(row: OutboxRow): boolean {
    const { macs } = this.seals;
    const holds = macs.holds(OUTBOX, row);
    if (holds && numberHolds(macs, row)) return true;
    const sequence = Number(row.sequence);
    this.tell({ fault: holds ? 'number' : 'row', id: uuidFromSql(row.id), sequence });
    return false;
  }

  #assertNoHole(after: number, rows: readonly OutboxRow[], through: number): void {
    let last = after;
    for (const { sequence } of rows) {
      const next = Number(sequence);
      if (next !== last + 1) this.tell({ fault: 'hole', after: last, before: next });
      last = next;
    }
    if (last !== through) this.tell({ fault: 'hole', after: last, before: through + 1 });
  }
}

/** Rows of a walk past numbers that somebody else wrote. */
const LOOKED_OVER = 200;

const ROUTE = [
  'sequence',
  'org_id',
  'counterparty_org_id',
  'party_agent_id',
  'counterparty_agent_id',
  'record_id',
] as const;
type RouteRow = Pick<OutboxRow, (typeof ROUTE)[number]>;

const present = (...ids: readonly (Uint8Array | null)[]): readonly string[] =>
  ids.flatMap((id) => (id === null ? [] : [uuidFromSql(id)]));

/** One walk along an index. Two may meet the same row. */
interface Walk {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** It meets every number. */
  readonly isWhole: boolean;
}

const READERS = {
  org: ['org_id', 'counterparty_org_id'],
  agent: ['party_agent_id', 'counterparty_agent_id'],
} as const;

/** Says to SQLite which index is meant: the condition of those of a type, or of a reader whatever the type. */
const BY_INDEX = ' AND sequence > 0';

const walksOf = (viewer: EventViewer, filter: Conditions): readonly Walk[] => {
  const { sql, values } = conditionsOf(filter);
  const isOfOneType = filter.types?.length === 1;
  if (viewer.kind === 'platform') {
    const byType = isOfOneType && filter.agentId === undefined ? BY_INDEX : '';
    return [{ sql: sql + byType, values, isWhole: sql === '' }];
  }
  const id = uuidToSql(viewer.kind === 'org' ? viewer.orgId : viewer.agentId);
  const columns = READERS[viewer.kind];
  // The events of one record are few, and most of those of an agent are for its org: one walk along them, and both columns looked at.
  if (filter.recordId !== undefined || (filter.agentId !== undefined && !filter.types))
    return [
      {
        sql: `${sql} AND (${columns.map((column) => `${column} = ?`).join(' OR ')})`,
        values: [...values, id, id],
        isWhole: false,
      },
    ];
  return columns.map((column) => ({
    sql: ` AND ${column} = ?${sql}${isOfOneType ? '' : BY_INDEX}`,
    values: [id, ...values],
    isWhole: false,
  }));
};

type Conditions = EventFilter & Pick<EventListing, 'agentId' | 'since' | 'until'>;

const conditionsOf = ({
  recordId,
  types,
  agentId,
  since,
  until,
}: Conditions): { readonly sql: string; readonly values: readonly SqlValue[] } => {
  let sql = '';
  const values: SqlValue[] = [];
  const add = (condition: string, ...bound: readonly SqlValue[]): void => {
    sql += ` AND ${condition}`;
    values.push(...bound);
  };
  if (recordId !== undefined) add('record_id = ?', uuidToSql(recordId));
  if (agentId !== undefined) add('agent_id = ?', uuidToSql(agentId));
  if (since !== undefined) add('created_at >= ?', timeToSql(since));
  if (until !== undefined) add('created_at < ?', timeToSql(until));
  if (types?.length === 0) add('1 = 0');
  else if (types?.length === 1) add('type = ?', types[0]!);
  // Along one index or another these would have to be sorted by number: so they are looked for along all numbers.
  else if (types !== undefined)
    add(`COALESCE(type, '') IN (${placeholders(types.length)})`, ...types);
  return { sql, values };
};

const merged = (
  pages: readonly (readonly OutboxRow[])[],
  order: 'asc' | 'desc' = 'asc',
): readonly OutboxRow[] => {
  if (pages.length === 1) return pages[0]!;
  const sign = order === 'asc' ? 1 : -1;
  const rows = pages.flat().sort((a, b) => sign * (Number(a.sequence) - Number(b.sequence)));
  return rows.filter((row, at) => at === 0 || row.sequence !== rows[at - 1]!.sequence);
};
