import { Type } from 'typebox';
import { SIEM_FORMATS } from '../../domain/siem/siem-line.ts';
import { operation } from '../call/operation.ts';
import { Timestamp, oneOf } from '../call/schemas.ts';
import { streamed } from '../call/streamed-view.ts';
import { SIEM_LINE } from './examples.ts';
import { StreamSiem } from './stream-siem.ts';

export const streamSiem = operation({
  id: 'streamSiem',
  words: {
    summary: 'Read events as lines for a SIEM',
    description:
      'A walk along the numbers of events, a page a call: since begins it, the cursor of each answer continues it, and neither begins with the oldest event. An empty answer has the cursor that was sent: ask again later. An agent gets what it gets in GET /v1/events, an admin the same of its org, a platform key everything. Events keep their ids, so whoever reads a page twice can tell. 503 where events have waited for their numbers for more than a minute.',
    group: 'Events',
  },
  effect: 'read',
  access: () => ({ scope: 'audit:read' }),
  input: Type.Object(
    {
      since: Type.Optional({
        ...Timestamp,
        description:
          'Begins a walk: none that happened since is missed, and a few older ones may come',
      }),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description: 'Continues a walk: X-Service-Stream-Cursor of its last answer, as it came',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Most lines' }),
      ),
      format: Type.Optional({
        ...oneOf(SIEM_FORMATS, 'OCSF 1.4.0, or type, payload, timestamp and id'),
        default: 'ocsf',
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    lines: streamed(Type.Array(Type.String())),
    cursor: Type.String(),
    holdbackSeconds: Type.Integer({ minimum: 0 }),
  }),
  result: {
    description: 'A line an event, by ascending number',
    example: { lines: [SIEM_LINE], cursor: 'WyJzaW5jZSAiLCIiXQ.AAAA', holdbackSeconds: 0 },
  },
  problems: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  examples: { begin: { since: '2026-02-03T12:00:00.000Z' } },
  isStreamed: true,
  useCase: StreamSiem,
  concerns: ({ events }) => ({
    orgs: events.flatMap(({ orgId, counterpartyOrgId }) => [orgId, counterpartyOrgId]),
    isExact: true,
  }),
  view: ({ lines, cursor, holdbackSeconds }) => ({
    view: { lines: lines(), cursor, holdbackSeconds },
  }),
});
