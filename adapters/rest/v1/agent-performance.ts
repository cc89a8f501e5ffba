import { Type } from 'typebox';
import type { DriftListView } from '../../../application/reputation/list-drift.ts';
import {
  OUTCOMES,
  type PerformedRecord,
} from '../../../domain/reputation/performance-reads.port.ts';
import { MAX_TYPE_NAME, TYPE_NAME_PATTERN } from '../../../domain/record-type/manifest.ts';
import { route, type Route } from '../../http/route.ts';
import { AGENT_DRIFT, DRIFT_PAGE, HISTORY_ROW, REPUTATION, pageExample } from '../examples.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Sha256, Status, Timestamp, Uuid, nullable, oneOf, pageOf, withInstants } from '../wire.ts';

/** How agents do as performers, counted by the database at the time of the call. */
export const agentPerformanceRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/agents/drift',
    operationId: 'listDrift',
    summary: 'Compare the work of every agent of the org with the period before',
    description:
      'The active agents of the org, and those with activity in the window, by agentId. Takes an admin key of the org: to a platform key it answers 403 ORG_REQUIRED. A cursor goes on with the window it was issued under, to the millisecond; with another window it is refused.',
    tag: 'Agents',
    access: { scope: 'drift:read' },
    query: Type.Object({ window: Window }),
    paged: true,
    answers: {
      200: { description: 'A page of agents', schema: DriftPageSchema, example: DRIFT_PAGE },
    },
    problems: ['ORG_REQUIRED'],
    execute: (context, { query, slice }) =>
      useCases.listDrift.execute(context, { days: query.window ?? DEFAULT_WINDOW, slice }),
    present: (list: DriftListView, view) => {
      const { body, ...answer } = presentPage(list, view, (row) => row);
      return { ...answer, body: { window: list.window, ...(body as object) } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/agents/{agentId}/drift',
    operationId: 'getDrift',
    summary: "Compare an agent's work with the period before",
    description:
      'An agent reads its own with agents:read; an admin reads those of its org with drift:read. Everything counts at its own moment: records at creation, completions at submission, verdicts when they land, disputes when they are resolved. In auto mode the outcome of the gates is the verdict. Records that never became ACTIVE do not count.',
    tag: 'Agents',
    access: { scope: ['agents:read', 'drift:read'] },
    params: AgentPath,
    query: Type.Object({
      window: Window,
      type: Type.Optional({ ...TypeName, description: 'Narrows byType; overall stays' }),
    }),
    answers: {
      200: { description: 'Overall and by type', schema: AgentDriftSchema, example: AGENT_DRIFT },
    },
    problems: ['FORBIDDEN'],
    execute: (context, { params, query }) =>
      useCases.getDrift.execute(context, {
        agentId: params.agentId,
        days: query.window ?? DEFAULT_WINDOW,
        ...(query.type === undefined ? {} : { type: query.type }),
      }),
    present: (drift) => ({ status: 200, body: drift }),
  }),
  route({
    method: 'GET',
    path: '/v1/agents/{agentId}/reputation',
    operationId: 'getReputation',
    summary: "What stands of an agent's work for others",
    description:
      'Records that an agent performed for itself do not count, nor do those that never became ACTIVE. accepted and rejected are what stands after overrides and disputes, one for each record.',
    tag: 'Agents',
    access: { scope: 'reputation:read' },
    params: AgentPath,
    answers: {
      200: { description: 'The reputation', schema: ReputationSchema, example: REPUTATION },
    },
    execute: (context, { params }) => useCases.getReputation.execute(context, params),
    present: (reputation) => ({ status: 200, body: reputation }),
  }),
  route({
    method: 'GET',
    path: '/v1/agents/{agentId}/history',
    operationId: 'listHistory',
    summary: 'List the records that an agent performed, newest first',
    description:
      'As far as the caller may read them: all for the agent itself, for admins of its org and for the platform; for anyone else those to which they, or their org, are the other party. from (inclusive) and to (exclusive) apply to createdAt.',
    tag: 'Agents',
    access: { scope: 'agents:read' },
    params: AgentPath,
    query: HistoryQuery,
    paged: true,
    answers: {
      200: {
        description: 'A page of records',
        schema: pageOf(HistoryRowSchema),
        example: pageExample(HISTORY_ROW),
      },
    },
    execute: (context, { params, query, slice }) =>
      useCases.listHistory.execute(context, {
        filter: { ...withInstants(query, ['from', 'to']), agentId: params.agentId },
        slice,
      }),
    present: (slice, view) => presentPage(slice, view, presentPerformed),
  }),
];

const DEFAULT_WINDOW = 7;

const Window = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 365,
    default: DEFAULT_WINDOW,
    description: 'Length of each of the two periods, days',
  }),
);
const AgentPath = Type.Object({ agentId: Uuid });
const TypeName = Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME });

const HistoryQuery = Type.Object({
  type: Type.Optional(TypeName),
  outcome: Type.Optional(oneOf(OUTCOMES)),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
});

const Count = Type.Integer({ minimum: 0 });
const Rate = nullable(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'accepted over all verdicts; null without verdicts',
  }),
);
const MedianMs = nullable(
  Type.Integer({ description: 'From activation to submission; null without submissions' }),
);

export const STANDING = {
  score: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Lower bound of the 95 % Wilson interval of accepted over all verdicts; null without verdicts',
    }),
  ),
  sampleSize: { ...Count, description: 'Verdicts that the score rests on' },
  acceptanceRate: Rate,
};

const TALLY = {
  ...STANDING,
  records: Count,
  completions: Count,
  accepted: Count,
  rejected: Count,
  overturned: Count,
  expired: Count,
  medianCompletionMs: MedianMs,
};

export const ReputationSchema = Type.Object({
  agentId: Uuid,
  ...TALLY,
  byType: Type.Array(Type.Object({ type: Type.String(), ...TALLY })),
  since: nullable(Timestamp),
});

const PeriodSchema = Type.Object({
  from: Timestamp,
  to: Timestamp,
  records: Count,
  completions: Count,
  verdicts: Count,
  accepted: Count,
  rejected: Count,
  overturned: Count,
  acceptanceRate: Rate,
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

export const AgentDriftSchema = Type.Object({
  agentId: Uuid,
  window: WindowSchema,
  overall: Type.Object(DRIFT),
  byType: Type.Array(Type.Object({ type: Type.String(), ...DRIFT })),
});

const DriftPageSchema = Type.Object({
  window: WindowSchema,
  ...pageOf(Type.Object({ agentId: Uuid, displayName: Type.String(), ...DRIFT })).properties,
});

const HistoryRowSchema = Type.Object({
  recordId: Uuid,
  type: Type.String(),
  status: Status,
  outcome: oneOf(OUTCOMES),
  completionId: nullable(Uuid),
  evidenceHash: nullable(Sha256),
  createdAt: Timestamp,
  activatedAt: Timestamp,
  submittedAt: nullable(Timestamp),
  decidedAt: nullable({ ...Timestamp, description: 'When a verdict or a dispute set the outcome' }),
  completionMs: nullable(Type.Integer({ description: 'From activation to the latest submission' })),
});

const presentPerformed = ({ expiresAt: _, ...row }: PerformedRecord): object => row;
