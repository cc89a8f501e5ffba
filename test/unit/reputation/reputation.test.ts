import { describe, expect, it } from 'vitest';
import { driftOf, driftWindow, NO_ACTIVITY } from '../../../domain/reputation/drift.ts';
import { standingOf } from '../../../domain/reputation/reputation.ts';
import { wilsonLowerBound } from '../../../domain/reputation/wilson.ts';

describe('the score', () => {
  it.each([
    [0, 1, 0],
    [1, 1, 0.20654931],
    [1, 2, 0.09453121],
    [8, 10, 0.49016247],
    [10, 10, 0.7224672],
    [95, 100, 0.88824953],
    [900, 1000, 0.87984804],
  ])('%i accepted of %i give the 95 %% Wilson lower bound %f', (accepted, verdicts, bound) => {
    expect(wilsonLowerBound(accepted, verdicts)).toBeCloseTo(bound, 7);
  });

  it('is the lower root of the score equation: as far from the rate as 1.96 standard errors of its own', () => {
    for (const [accepted, verdicts] of [
      [1, 1],
      [3, 7],
      [40, 41],
      [500, 1200],
    ] as const) {
      const bound = wilsonLowerBound(accepted, verdicts) as number;
      expect(
        (accepted / verdicts - bound) / Math.sqrt((bound * (1 - bound)) / verdicts),
      ).toBeCloseTo(1.959964, 6);
    }
  });

  it('is null without verdicts, and so is the rate', () => {
    expect(standingOf({ accepted: 0, rejected: 0 })).toEqual({
      score: null,
      sampleSize: 0,
      acceptanceRate: null,
    });
  });

  it('stays within 0 and the acceptance rate', () => {
    for (let verdicts = 1; verdicts <= 60; verdicts++) {
      for (let accepted = 0; accepted <= verdicts; accepted++) {
        const { score, acceptanceRate, sampleSize } = standingOf({
          accepted,
          rejected: verdicts - accepted,
        });
        expect(sampleSize).toBe(verdicts);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(acceptanceRate as number);
      }
    }
  });

  it('rises with the number of verdicts at the same rate', () => {
    const scores = [1, 2, 5, 50, 500].map((n) => wilsonLowerBound(n * 4, n * 5) as number);
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });
});

describe('drift', () => {
  const window = driftWindow(7, '2026-03-15T10:00:00.001Z');

  it('compares with the window of the same length just before', () => {
    expect(window).toEqual({
      days: 7,
      currentFrom: '2026-03-08T10:00:00.001Z',
      currentTo: '2026-03-15T10:00:00.001Z',
      baselineFrom: '2026-03-01T10:00:00.001Z',
      baselineTo: '2026-03-08T10:00:00.001Z',
    });
  });

  it('is current minus baseline', () => {
    const drift = driftOf(window, {
      current: {
        records: 5,
        completions: 4,
        accepted: 3,
        rejected: 1,
        overturned: 1,
        medianCompletionMs: 500,
      },
      baseline: {
        records: 7,
        completions: 2,
        accepted: 1,
        rejected: 1,
        overturned: 0,
        medianCompletionMs: 800,
      },
    });
    expect(drift.current).toMatchObject({
      from: window.currentFrom,
      to: window.currentTo,
      verdicts: 4,
      acceptanceRate: 0.75,
    });
    expect(drift.baseline).toMatchObject({
      from: window.baselineFrom,
      to: window.baselineTo,
      verdicts: 2,
      acceptanceRate: 0.5,
    });
    expect(drift.change).toEqual({
      records: -2,
      completions: 2,
      verdicts: 2,
      accepted: 2,
      rejected: 0,
      overturned: 1,
      acceptanceRate: 0.25,
      medianCompletionMs: -300,
    });
  });

  it('has no change of a rate or a median that one side lacks', () => {
    const busy = {
      records: 1,
      completions: 1,
      accepted: 1,
      rejected: 0,
      overturned: 0,
      medianCompletionMs: 9,
    };
    for (const periods of [
      { current: busy, baseline: NO_ACTIVITY },
      { current: NO_ACTIVITY, baseline: busy },
      { current: NO_ACTIVITY, baseline: NO_ACTIVITY },
    ]) {
      expect(driftOf(window, periods).change).toMatchObject({
        acceptanceRate: null,
        medianCompletionMs: null,
        records: periods.current.records - periods.baseline.records,
      });
    }
  });
});
