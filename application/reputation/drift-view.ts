import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { pageView } from '../call/page-view.ts';
import { Timestamp, Uuid, nullable, pageOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { DriftList } from './list-drift.ts';
import { AcceptanceRate, Count, MedianMs } from './reputation-view.ts';

const PeriodSchema = Type.Object({
  from: Timestamp,
  to: Timestamp,
  records: Count,
  completions: Count,
  verdicts: Count,
  accepted: Count,
  rejected: Count,
  overturned: Count,
  acceptanceRate: AcceptanceRate,
  medianCompletionMs: MedianMs,
});

const ChangeSchema = Type.Object(
  {
    records: Type.Integer(),
    completions: Type.Integer(),
    verdicts: Type.Integer(),
    accepted: Type.Integer(),
    rejected: Type.Integer(),
    overturned: Type.Integer(),
    acceptanceRate: nullable(Type.Number()),
    medianCompletionMs: nullable(Type.Integer()),
  },
  { description: 'current minus baseline; null where either side is' },
);

const DRIFT = { current: PeriodSchema, baseline: PeriodSchema, change: ChangeSchema };

const WindowSchema = Type.Object({
  days: Type.Integer(),
  currentFrom: Timestamp,
  currentTo: Timestamp,
  baselineFrom: Timestamp,
  baselineTo: Timestamp,
});

/** The view shows the drift as it is computed. */
export const AgentDriftSchema = Type.Object({
  agentId: Uuid,
  window: WindowSchema,
  overall: Type.Object(DRIFT),
  byType: Type.Array(Type.Object({ type: Type.String(), ...DRIFT })),
});

export const DriftPageSchema = Type.Object({
  window: WindowSchema,
  ...pageOf(Type.Object({ agentId: Uuid, displayName: Type.String(), ...DRIFT })).properties,
});

export const driftPageView = (list: DriftList, guide: Guide): ViewOf<typeof DriftPageSchema> => ({
  window: list.window,
  ...pageView(list, guide, (row) => row).view,
});
