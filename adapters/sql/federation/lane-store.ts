import type {
  DlqFilter,
  DueLane,
  LaneState,
  LaneStore,
  Recovered,
} from '../../../domain/federation/lane-store.port.ts';
import {
  LONGEST_LANE_WAIT_MS,
  NO_FAILURES,
  type LaneStop,
} from '../../../domain/federation/lane.ts';
import { CLOSED_BREAKER, type PeerBreaker } from '../../../domain/federation/peer-breaker.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { MAX_DELIVERY_LEASE_MS } from '../base/max-lease.ts';
import { findOne } from '../tables/find.ts';
import { BREAKERS, LANES } from './lane-row.ts';
import { firstOf, placeholders, type SqlValue } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { timeFromSql, timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';

/**
 * The first message that waits in each lane, and the row of the lane, which one that never failed does not have. `o` is
 * the message, `l` the lane.
 */
export const HEADS =
  "federation_outgoing o LEFT JOIN federation_lanes l ON l.record_id = o.record_id WHERE o.in_lane = 'waits' AND NOT EXISTS (SELECT 1 FROM federation_outgoing b WHERE b.in_lane = 'waits' AND b.record_id = o.record_id AND b.sequence < o.sequence)";

/**
 * What follows: a peer, and the time twice; `now` is the time of the database. A wait or a lease that lasts longer than any
 * that this service writes comes from a clock that was ahead or from another program, so the lane goes on.
 */
export const dueAt = (now: string): string =>
  `o.peer_hub_id = ? AND (l.record_id IS NULL OR (l.stopped_at IS NULL AND (l.due_at <= ? OR l.due_at > ? + ${LONGEST_LANE_WAIT_MS}) AND (l.lease_until <= ${now} OR l.lease_until > ${now} + ${MAX_DELIVERY_LEASE_MS})))`;

/** What follows: a peer and the time. An answer that says nothing of the message is none. */
export const MISSED =
  'peer_hub_id = ? AND due_at > ? AND stopped_at IS NULL AND (last_status IS NULL OR last_status >= 500 OR last_status IN (401, 408))';

export class SqlLaneStore implements LaneStore {
  constructor(private readonly unit: UnitContext) {}

  async lockPeer(peerHubId: Uuid): Promise<PeerBreaker> {
    const id = uuidToSql(peerHubId);
    const sql = `${BREAKERS.select} WHERE peer_hub_id = ?${this.unit.dialect.forUpdate}`;
    const found = await findOne(this.unit, BREAKERS, sql, [id]);
    if (found) return found;
    await this.unit.run(
      `${this.unit.dialect.insertIgnore} INTO federation_breakers (peer_hub_id, consecutive_failures) VALUES (?, 0)`,
      [id],
    );
    return (await findOne(this.unit, BREAKERS, sql, [id])) ?? CLOSED_BREAKER;
  }

  async saveBreaker(peerHubId: Uuid, breaker: PeerBreaker): Promise<void> {
    await this.unit.run(
      `UPDATE federation_breakers SET ${BREAKER.assignments} WHERE peer_hub_id = ?`,
      [...BREAKER.toRow(breaker), uuidToSql(peerHubId)],
    );
  }

  async countLeased(peerHubId: Uuid, but: Uuid): Promise<number> {
    const sql = `SELECT COUNT(*) AS n FROM federation_lanes WHERE peer_hub_id = ? AND lease_until > ${this.unit.dialect.now} AND lease_until <= ${this.unit.dialect.now} + ${MAX_DELIVERY_LEASE_MS} AND (lease_token IS NULL OR lease_token <> ?)`;
    return this.#count(sql, [uuidToSql(peerHubId), uuidToSql(but)]);
  }

  async due(peerHubId: Uuid, now: string, limit: number): Promise<readonly DueLane[]> {
    const rows = await this.unit.all<DueRow>(
      `SELECT o.record_id, l.attempts, l.failing_since FROM ${HEADS} AND ${dueAt(this.unit.dialect.now)} ORDER BY o.queued_at LIMIT ?`,
      [uuidToSql(peerHubId), timeToSql(now), timeToSql(now), limit],
    );
    return rows.map((row) => ({
      recordId: uuidFromSql(row.record_id),
      peerHubId,
      failures: {
        attempts: Number(row.attempts ?? 0),
        since: row.failing_since === null ? null : timeFromSql(row.failing_since),
      },
    }));
  }

  async lease(lanes: readonly DueLane[], token: Uuid, forMs: number): Promise<void> {
    const ids = lanes.map(({ recordId }) => uuidToSql(recordId));
    const rows = lanes.map(() => '(?, ?, 0, 0, 0)').join(', ');
    await this.unit.run(
      `${this.unit.dialect.insertIgnore} INTO federation_lanes (record_id, peer_hub_id, attempts, due_at, lease_until) VALUES ${rows}`,
      lanes.flatMap(({ recordId, peerHubId }) => [uuidToSql(recordId), uuidToSql(peerHubId)]),
    );
    await this.unit.run(
      `UPDATE federation_lanes SET lease_token = ?, lease_until = ${this.unit.dialect.now} + ? WHERE record_id IN (${placeholders(ids.length)})`,
      [uuidToSql(token), forMs, ...ids],
    );
  }

  async renew(peerHubId: Uuid, token: Uuid, forMs: number): Promise<void> {
    await this.unit.run(
      `UPDATE federation_lanes SET lease_until = ${this.unit.dialect.now} + ? WHERE peer_hub_id = ? AND lease_token = ? AND lease_until > 0`,
      [forMs, uuidToSql(peerHubId), uuidToSql(token)],
    );
  }

  async release(states: readonly LaneState[], token: Uuid): Promise<void> {
    const isAsNew = (state: LaneState): boolean =>
      state.failures.attempts === NO_FAILURES.attempts && state.stopped === null;
    const done = states.filter(isAsNew).map(({ recordId }) => uuidToSql(recordId));
    if (done.length > 0)
      await this.unit.run(
        `DELETE FROM federation_lanes WHERE record_id IN (${placeholders(done.length)}) AND lease_token = ? AND stopped_at IS NULL`,
        [...done, uuidToSql(token)],
      );
    for (const state of states.filter((one) => !isAsNew(one)))
      // One that was stopped meanwhile, because its peer was revoked, stays so.
      await this.unit.run(
        `UPDATE federation_lanes SET ${STATE.assignments}, lease_token = NULL, lease_until = 0 WHERE record_id = ? AND lease_token = ? AND stopped_at IS NULL`,
        [...STATE.toRow(state), uuidToSql(state.recordId), uuidToSql(token)],
      );
  }

  async hasten(peerHubId: Uuid, now: string): Promise<void> {
    await this.lockPeer(peerHubId);
    await this.saveBreaker(peerHubId, CLOSED_BREAKER);
    const at = timeToSql(now);
    await this.unit.run(`UPDATE federation_lanes SET due_at = ? WHERE ${MISSED}`, [
      at,
      uuidToSql(peerHubId),
      at,
    ]);
  }

  async stopAll(peerHubId: Uuid, reason: LaneStop, at: string): Promise<void> {
    const peer = uuidToSql(peerHubId);
    await this.unit.run(
      `${this.unit.dialect.insertIgnore} INTO federation_lanes (record_id, peer_hub_id, attempts, due_at, lease_until) SELECT DISTINCT record_id, peer_hub_id, 0, 0, 0 FROM federation_outgoing WHERE in_lane = 'waits' AND peer_hub_id = ?`,
      [peer],
    );
    await this.unit.run(
      'UPDATE federation_lanes SET stopped_reason = ?, stopped_at = ?, lease_token = NULL, lease_until = 0 WHERE peer_hub_id = ?',
      [reason, timeToSql(at), peer],
    );
  }

  async recover(filter: DlqFilter, now: string): Promise<Recovered> {
    const { condition, values } = filtered(filter);
    const held = `federation_lanes l JOIN federation_outgoing o ON o.record_id = l.record_id WHERE l.stopped_at IS NOT NULL AND o.in_lane = 'waits'${condition}`;
    const movable = " AND l.stopped_reason <> 'peer_revoked'";
    const count = `SELECT COUNT(*) AS n FROM ${held}`;
    const recovered = await this.#count(`${count}${movable}`, values);
    const all = await this.#count(count, values);
    await this.unit.run(
      `UPDATE federation_lanes AS l SET attempts = 0, failing_since = NULL, stopped_reason = NULL, stopped_at = NULL, due_at = ? WHERE l.stopped_at IS NOT NULL${condition}${movable}`,
      [timeToSql(now), ...values],
    );
    return { recovered, remaining: all - recovered };
  }

  async #count(sql: string, values: readonly SqlValue[]): Promise<number> {
    return Number(firstOf(await this.unit.all<{ readonly n: number }>(sql, values))?.n ?? 0);
  }
}

/** Of lanes `l`. */
export const filtered = ({
  peerHubId,
  recordId,
}: DlqFilter): { readonly condition: string; readonly values: readonly SqlValue[] } => ({
  condition: `${peerHubId === undefined ? '' : ' AND l.peer_hub_id = ?'}${recordId === undefined ? '' : ' AND l.record_id = ?'}`,
  values: [peerHubId, recordId].flatMap((id) => (id === undefined ? [] : [uuidToSql(id)])),
});

interface DueRow {
  readonly record_id: Uint8Array;
  readonly attempts: number | null;
  readonly failing_since: number | null;
}

const BREAKER = BREAKERS.only('consecutiveFailures', 'openedAt', 'probeAt');
const STATE = LANES.only('failures', 'dueAt', 'stopped', 'lastStatus', 'lastError');
