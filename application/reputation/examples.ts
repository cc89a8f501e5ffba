import { AT, HASH, IDS, LATER, pageExample } from '../call/example-story.ts';

const STANDING = { score: 0.6757, sampleSize: 8, acceptanceRate: 1 };
const TALLY = {
  ...STANDING,
  records: 9,
  completions: 8,
  accepted: 8,
  rejected: 0,
  overturned: 0,
  expired: 1,
  medianCompletionMs: 300_000,
};

export const REPUTATION = {
  agentId: IDS.performer,
  ...TALLY,
  byType: [{ type: 'report.weekly', ...TALLY }],
  since: AT,
};

export const HISTORY_ROW = {
  recordId: IDS.record,
  type: 'report.weekly',
  status: 'FULFILLED',
  outcome: 'accepted',
  completionId: IDS.completion,
  evidenceHash: HASH,
  createdAt: AT,
  activatedAt: AT,
  submittedAt: LATER,
  decidedAt: LATER,
  completionMs: 300_000,
};

const WINDOW = {
  days: 7,
  currentFrom: '2026-01-24T12:05:00.000Z',
  currentTo: LATER,
  baselineFrom: '2026-01-17T12:05:00.000Z',
  baselineTo: '2026-01-24T12:05:00.000Z',
};
const DRIFT = {
  current: {
    from: WINDOW.currentFrom,
    to: WINDOW.currentTo,
    records: 4,
    completions: 4,
    verdicts: 4,
    accepted: 3,
    rejected: 1,
    overturned: 0,
    acceptanceRate: 0.75,
    medianCompletionMs: 300_000,
  },
  baseline: {
    from: WINDOW.baselineFrom,
    to: WINDOW.baselineTo,
    records: 5,
    completions: 4,
    verdicts: 4,
    accepted: 4,
    rejected: 0,
    overturned: 0,
    acceptanceRate: 1,
    medianCompletionMs: 240_000,
  },
  change: {
    records: -1,
    completions: 0,
    verdicts: 0,
    accepted: -1,
    rejected: 1,
    overturned: 0,
    acceptanceRate: -0.25,
    medianCompletionMs: 60_000,
  },
};

export const AGENT_DRIFT = {
  agentId: IDS.performer,
  window: WINDOW,
  overall: DRIFT,
  byType: [{ type: 'report.weekly', ...DRIFT }],
};

export const DRIFT_PAGE = {
  window: WINDOW,
  ...pageExample({ agentId: IDS.performer, displayName: 'Reporter', ...DRIFT }),
};
