import { describe, expect, it } from 'vitest';
import { hasPassed, isAhead, isDue } from '../../../domain/kernel/due.ts';

const now = '2026-11-30T12:00:00.000Z';
const at = (seconds: number): string => new Date(Date.parse(now) + seconds * 1_000).toISOString();

describe('a wait of at most ten minutes', () => {
  it.each([
    ['ended', -1, true],
    ['ends now', 0, true],
    ['ends in a second', 1, false],
    ['ends in ten minutes', 600, false],
    ['ends in three hours', 10_800, true],
  ])('that %s: due %s s from now is %s', (_what, seconds, due) => {
    expect(isDue(at(seconds), now, 600_000)).toBe(due);
    expect(isDue(new Date(at(seconds)), Date.parse(now), 600_000)).toBe(due);
  });
});

describe('ten minutes', () => {
  it.each([
    ['ten minutes ago', -600, true],
    ['nine minutes ago', -540, false],
    ['now', 0, false],
    ['by a clock that is 60 s ahead', 60, false],
    ['by a clock that was three hours ahead', 10_800, true],
  ])('after a time that was noted %s (%s s) have passed: %s', (_what, seconds, passed) => {
    expect(hasPassed(600_000, at(seconds), now)).toBe(passed);
  });

  it('are not what two clocks are apart', () => {
    expect([isAhead(at(60), now), isAhead(at(61), now)]).toEqual([false, true]);
  });
});
