const DAY_MS = 86_400_000;

/** Length of each period where the caller gives none. */
export const DEFAULT_WINDOW_DAYS = 7;

/** Two periods of the same length, one just before the other. Each holds what happened after `from`, up to and including `to` (ISO 8601). */
export interface DriftWindow {
  readonly days: number;
  readonly currentFrom: string;
  readonly currentTo: string;
  readonly baselineFrom: string;
  readonly baselineTo: string;
}

export const driftWindow = (days: number, currentTo: string): DriftWindow => {
  const back = (periods: number): string =>
    new Date(Date.parse(currentTo) - periods * days * DAY_MS).toISOString();
  return { days, currentFrom: back(1), currentTo, baselineFrom: back(2), baselineTo: back(1) };
};

/**
 * What happened in one period, each event at its own moment. A verdict counts as it was given; a
 * dispute that overturns it is counted separately.
 */
export interface Activity {
  readonly records: number;
  readonly completions: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly overturned: number;
  /** From activation to submission, ms; null without submissions. */
  readonly medianCompletionMs: number | null;
}

export interface PeriodFigures extends Activity {
  readonly verdicts: number;
  readonly acceptanceRate: number | null;
}

/** Current minus baseline; null where either side is. */
export type Change = PeriodFigures;

export interface Drift {
  readonly current: PeriodFigures & { readonly from: string; readonly to: string };
  readonly baseline: PeriodFigures & { readonly from: string; readonly to: string };
  readonly change: Change;
}

export interface BothPeriods {
  readonly current: Activity;
  readonly baseline: Activity;
}

export const NO_ACTIVITY: Activity = {
  records: 0,
  completions: 0,
  accepted: 0,
  rejected: 0,
  overturned: 0,
  medianCompletionMs: null,
};

export const driftOf = (window: DriftWindow, { current, baseline }: BothPeriods): Drift => {
  const [now, before] = [figuresOf(current), figuresOf(baseline)];
  return {
    current: { from: window.currentFrom, to: window.currentTo, ...now },
    baseline: { from: window.baselineFrom, to: window.baselineTo, ...before },
    change: {
      records: now.records - before.records,
      completions: now.completions - before.completions,
      verdicts: now.verdicts - before.verdicts,
      accepted: now.accepted - before.accepted,
      rejected: now.rejected - before.rejected,
      overturned: now.overturned - before.overturned,
      acceptanceRate: difference(now.acceptanceRate, before.acceptanceRate),
      medianCompletionMs: difference(now.medianCompletionMs, before.medianCompletionMs),
    },
  };
};

const figuresOf = ({
  records,
  completions,
  accepted,
  rejected,
  overturned,
  medianCompletionMs,
}: Activity): PeriodFigures => {
  const verdicts = accepted + rejected;
  return {
    records,
    completions,
    verdicts,
    accepted,
    rejected,
    overturned,
    acceptanceRate: verdicts === 0 ? null : accepted / verdicts,
    medianCompletionMs,
  };
};

const difference = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : now - before;
