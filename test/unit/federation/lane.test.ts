import { describe, expect, it } from 'vitest';
import {
  failedAgain,
  isAway,
  laneVerdict,
  NO_FAILURES,
  type LaneFailures,
  type LaneOutcome,
} from '../../../domain/federation/lane.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const DAY = 24 * 3_600_000;

const answered = (status: number, members: Partial<LaneOutcome> = {}): LaneOutcome => ({
  kind: 'answered',
  status,
  isAttested: false,
  expectedSequence: null,
  retryAfterSeconds: null,
  ...members,
});
const after = (outcome: LaneOutcome, failures: LaneFailures = NO_FAILURES, isProbe = false) =>
  laneVerdict(outcome, { sent: 4, failures, now: NOW, isProbe });

describe('a lane', () => {
  it('waits 5, 15, 40, 90, 150 and then 300 s, again and again', () => {
    let failures = NO_FAILURES;
    const waits = Array.from({ length: 9 }, () => {
      const verdict = after({ kind: 'unreachable' }, failures);
      failures = failedAgain(failures, NOW);
      return verdict.kind === 'waits' ? verdict.afterMs / 1000 : verdict.kind;
    });
    expect(waits).toEqual([5, 15, 40, 90, 150, 300, 300, 300, 300]);
  });

  it('gives up seven days after the first attempt, and not before', () => {
    const since = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString();
    expect(after(answered(503), { attempts: 2_000, since: since(7 * DAY - 1) }).kind).toBe('waits');
    expect(after(answered(503), { attempts: 3, since: since(7 * DAY) })).toEqual({
      kind: 'stopped',
      reason: 'attempts_exhausted',
    });
  });

  it('gives nothing up by a probe', () => {
    const since = new Date(Date.parse(NOW) - 30 * DAY).toISOString();
    expect(after({ kind: 'unreachable' }, { attempts: 9, since }, true).kind).toBe('waits');
  });

  it.each([500, 502, 503, 401, 408, 409, 425, 429])('sends again after %i', (status) => {
    expect(after(answered(status)).kind).toBe('waits');
  });

  it.each([200, 201])('sends again after a %i that no attestation proves', (status) => {
    expect(after(answered(status)).kind).toBe('waits');
  });

  it.each([404, 413, 422, 400, 403, 410, 301])('stops at a %i without an attestation', (status) => {
    expect(after(answered(status))).toEqual({ kind: 'stopped', reason: 'blocked' });
  });

  it.each([200, 422])('counts a %i as delivered where its attestation verified', (status) => {
    expect(after(answered(status, { isAttested: true }))).toEqual({ kind: 'delivered' });
  });

  it('goes back to the sequence that the peer waits for, and never forward', () => {
    expect(after(answered(409, { expectedSequence: 2 }))).toEqual({ kind: 'rewound', sequence: 2 });
    expect(after(answered(409, { expectedSequence: 4 })).kind).toBe('waits');
    expect(after(answered(409, { expectedSequence: 9 })).kind).toBe('waits');
  });

  it('waits as long as the peer asks, and no longer than 300 s', () => {
    expect(after(answered(429, { retryAfterSeconds: 60 }))).toEqual({
      kind: 'waits',
      afterMs: 60_000,
    });
    expect(after(answered(429, { retryAfterSeconds: 86_400 }))).toEqual({
      kind: 'waits',
      afterMs: 300_000,
    });
    expect(after(answered(429, { retryAfterSeconds: 1 }))).toEqual({
      kind: 'waits',
      afterMs: 5_000,
    });
  });

  it('takes a peer for away where its answer says nothing of the message', () => {
    expect(isAway({ kind: 'unreachable' })).toBe(true);
    for (const status of [500, 503, 401, 408]) expect(isAway(answered(status))).toBe(true);
    for (const status of [200, 404, 409, 413, 422, 429])
      expect(isAway(answered(status))).toBe(false);
  });
});
