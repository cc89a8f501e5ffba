import { Type } from 'typebox';
import { MAX_TYPE_NAME, TYPE_NAME_PATTERN } from '../../domain/record-type/manifest.ts';
import { DEFAULT_WINDOW_DAYS } from '../../domain/reputation/drift.ts';
import { OUTCOMES } from '../../domain/reputation/performance-reads.port.ts';
import { pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { PAGE_INPUT, Timestamp, Uuid, oneOf, pageOf } from '../call/schemas.ts';
import { AgentDriftSchema, DriftPageSchema, driftPageView } from './drift-view.ts';
import { AGENT_DRIFT, DRIFT_PAGE, HISTORY_ROW, REPUTATION } from './examples.ts';
import { GetDrift } from './get-drift.ts';
import { GetReputation } from './get-reputation.ts';
import { HistoryRowSchema, historyRowView } from './history-view.ts';
import { ListDrift } from './list-drift.ts';
import { ListHistory } from './list-history.ts';
import { ReputationSchema } from './reputation-view.ts';

const Window = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 365,
    default: DEFAULT_WINDOW_DAYS,
    description: 'Length of each of the two periods, days',
  }),
);
const TypeName = { pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME };

export const listDrift = listing({
  id: 'listDrift',
  words: {
    summary: 'Compare the work of every agent of the org with the period before',
    description:
      'The active agents of the org, and those with activity in the window, by agentId. Takes an admin key of the org: to a platform key it answers 403 ORG_REQUIRED. A cursor goes on with the window it was issued under, to the millisecond; with another window it is refused.',
    group: 'Agents',
  },
  access: () => ({ scope: 'drift:read' }),
  input: Type.Object({ window: Window, ...PAGE_INPUT }, { additionalProperties: false }),
  output: DriftPageSchema,
  result: { description: 'A page of agents', example: DRIFT_PAGE },
  problems: ['ORG_REQUIRED'],
  useCase: ListDrift,
  // Of the caller's own org.
  concerns: () => ({}),
  view: (list, guide) => ({ view: driftPageView(list, guide) }),
});

export const getDrift = operation({
  id: 'getDrift',
  words: {
    summary: "Compare an agent's work with the period before",
    description:
      'An agent reads its own with agents:read; an admin reads those of its org with drift:read. Everything counts at its own moment: records at creation, completions at submission, verdicts when they land, disputes when they are resolved. In auto mode the outcome of the gates is the verdict. Records that never became ACTIVE do not count.',
    group: 'Agents',
  },
  effect: 'read',
  access: () => ({ scope: ['agents:read', 'drift:read'] }),
  input: Type.Object(
    {
      agentId: Uuid,
      window: Window,
      type: Type.Optional(
        Type.String({ ...TypeName, description: 'Narrows byType; overall stays' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: AgentDriftSchema,
  result: { description: 'Overall and by type', example: AGENT_DRIFT },
  problems: ['FORBIDDEN'],
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: GetDrift,
  concerns: ({ agentId }) => ({ agents: [agentId] }),
  view: (drift) => ({ view: drift }),
});

export const getReputation = operation({
  id: 'getReputation',
  words: {
    summary: "What stands of an agent's work for others",
    description:
      'Records that an agent performed for itself do not count, nor do those that never became ACTIVE. accepted and rejected are what stands after overrides and disputes, one for each record. An agent, the admins of its org and the platform read all of it. Other agents of the org read the totals, and byType of the records that they are party to. To another org everything counts its own dealings with the agent alone.',
    group: 'Agents',
  },
  effect: 'read',
  access: () => ({ scope: 'reputation:read' }),
  input: Type.Object({ agentId: Uuid }, { additionalProperties: false }),
  output: ReputationSchema,
  result: { description: 'The reputation', example: REPUTATION },
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: GetReputation,
  concerns: ({ agentId }) => ({ agents: [agentId] }),
  view: (reputation) => ({ view: reputation }),
});

export const listHistory = listing({
  id: 'listHistory',
  words: {
    summary: 'List the records that an agent performed, newest first',
    description:
      'As far as the caller may read them: all for the agent itself, for admins of its org and for the platform; for anyone else those to which they, or their org, are the other party. from (inclusive) and to (exclusive) apply to createdAt.',
    group: 'Agents',
  },
  access: () => ({ scope: 'agents:read' }),
  input: Type.Object(
    {
      agentId: Uuid,
      type: Type.Optional(Type.String({ ...TypeName, description: 'Of this record type' })),
      outcome: Type.Optional(oneOf(OUTCOMES, 'With this outcome')),
      from: Type.Optional({ ...Timestamp, description: 'Created then or later' }),
      to: Type.Optional({ ...Timestamp, description: 'Created before then' }),
      ...PAGE_INPUT,
    },
    { additionalProperties: false },
  ),
  output: pageOf(HistoryRowSchema),
  result: { description: 'A page of records', example: pageExample(HISTORY_ROW) },
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: ListHistory,
  concerns: ({ rows }, { agentId }) => ({
    orgs: rows.map(({ orgId }) => orgId),
    agents: [agentId],
  }),
  view: (slice, guide) => pageView(slice, guide, historyRowView),
});
