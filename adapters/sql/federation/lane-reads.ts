import type {
  DlqFilter,
  FederationDeadLetter,
  LaneReads,
} from '../../../domain/federation/lane-store.port.ts';
import type { LaneStop } from '../../../domain/federation/lane.ts';
import type { PeerBreaker } from '../../../domain/federation/peer-breaker.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { Dialect } from '../base/dialect.ts';
import { exists, findAll } from '../tables/find.ts';
import { BREAKERS } from './lane-row.ts';
import { firstOf, type SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { dueAt, filtered, HEADS, MISSED } from './lane-store.ts';
import { timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';

export class SqlLaneReads implements LaneReads {
  constructor(
    private readonly reader: Reader,
    private readonly dialect: Dialect,
  ) {}

  async breakers(): Promise<ReadonlyMap<Uuid, PeerBreaker>> {
    const sql = `${BREAKERS.select} WHERE consecutive_failures > 0`;
    const found = await findAll(this.reader, BREAKERS, sql, []);
    return new Map(found.map((breaker) => [breaker.peerHubId, breaker]));
  }

  hasDue(peerHubId: Uuid, now: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${HEADS} AND ${dueAt(this.dialect.now)} LIMIT 1`;
    return exists(this.reader, sql, [uuidToSql(peerHubId), timeToSql(now), timeToSql(now)]);
  }

  isMissed(peerHubId: Uuid, now: string): Promise<boolean> {
    const sql = `SELECT 1 FROM federation_lanes WHERE ${MISSED} LIMIT 1`;
    return exists(this.reader, sql, [uuidToSql(peerHubId), timeToSql(now)]);
  }

  async deadLetters(
    filter: DlqFilter,
    { limit, after }: SliceRequest,
  ): Promise<Slice<FederationDeadLetter>> {
    const { condition, values } = filtered(filter);
    const from = `federation_lanes l JOIN federation_outgoing o ON o.record_id = l.record_id WHERE l.stopped_at IS NOT NULL AND o.in_lane = 'waits'${condition}`;
    const counted = await this.reader.all<{ readonly n: number }>(
      `SELECT COUNT(*) AS n FROM ${from}`,
      values,
    );
    const beyond = after ? ' AND (o.queued_at < ? OR (o.queued_at = ? AND o.message_id < ?))' : '';
    const place: readonly SqlValue[] = after
      ? [timeToSql(after.key), timeToSql(after.key), uuidToSql(after.id)]
      : [];
    const found = await this.reader.all<LetterRow>(
      `SELECT o.message_id, o.record_id, o.peer_hub_id, o.sequence, o.route, o.queued_at, l.stopped_reason, l.stopped_at, l.attempts, l.last_status, l.last_error FROM ${from}${beyond} ORDER BY o.queued_at DESC, o.message_id DESC LIMIT ?`,
      [...values, ...place, limit + 1],
    );
    const rows = found.slice(0, limit).map(letterOf);
    const last = found.length > limit ? rows.at(-1) : undefined;
    return {
      rows,
      total: Number(firstOf(counted)?.n ?? 0),
      totalIsCapped: false,
      next: last ? { key: last.queuedAt, id: last.id } : null,
    };
  }
}

interface LetterRow {
  readonly message_id: Uint8Array;
  readonly record_id: Uint8Array;
  readonly peer_hub_id: Uint8Array;
  readonly sequence: number;
  readonly route: string;
  readonly queued_at: number;
  readonly stopped_reason: LaneStop;
  readonly stopped_at: number;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

const letterOf = (row: LetterRow): FederationDeadLetter => ({
  id: uuidFromSql(row.message_id),
  recordId: uuidFromSql(row.record_id),
  peerHubId: uuidFromSql(row.peer_hub_id),
  sequence: Number(row.sequence),
  route: row.route as FederationDeadLetter['route'],
  reason: row.stopped_reason,
  attempts: Number(row.attempts),
  lastStatus: row.last_status === null ? null : Number(row.last_status),
  lastError: row.last_error,
  queuedAt: timeFromSql(row.queued_at),
  stoppedAt: timeFromSql(row.stopped_at),
});
