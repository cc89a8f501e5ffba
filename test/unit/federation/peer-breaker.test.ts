import { describe, expect, it } from 'vitest';
import {
  CLOSED_BREAKER,
  peerFailed,
  peerLetsLeave,
  peerProbed,
} from '../../../domain/federation/peer-breaker.ts';

const at = (seconds: number): string =>
  new Date(Date.parse('2026-03-01T00:00:00Z') + seconds * 1000).toISOString();
const failedTimes = (times: number, now = at(0)) =>
  Array.from({ length: times }).reduce<typeof CLOSED_BREAKER>(
    (breaker) => peerFailed(breaker, now),
    CLOSED_BREAKER,
  );

describe('the breaker of a peer', () => {
  it('opens at the tenth failure in a row', () => {
    expect(peerLetsLeave(failedTimes(9), at(0))).toBe('any');
    expect(peerLetsLeave(failedTimes(10), at(0))).toBe('none');
  });

  it('lets one probe a minute leave, whatever comes of it', () => {
    const open = failedTimes(10);
    expect(peerLetsLeave(open, at(59))).toBe('none');
    expect(peerLetsLeave(open, at(60))).toBe('probe');
    const probed = peerProbed(open, at(60));
    expect(peerLetsLeave(probed, at(119))).toBe('none');
    expect(peerLetsLeave(peerFailed(probed, at(61)), at(119))).toBe('none');
    expect(peerLetsLeave(peerFailed(probed, at(61)), at(120))).toBe('probe');
  });

  it('is not held open by a probe that somebody else put off', () => {
    const held = { ...failedTimes(10), probeAt: '9999-01-01T00:00:00.000Z' };
    expect(peerLetsLeave(held, at(0))).toBe('probe');
  });

  it('keeps the time of its opening', () => {
    expect(peerFailed(failedTimes(10), at(500)).openedAt).toBe(at(0));
  });
});
