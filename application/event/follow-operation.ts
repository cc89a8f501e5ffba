import { Type } from 'typebox';
import { EVENT_TYPES } from '../../domain/event/event-types.ts';
import { IDS } from '../call/example-story.ts';
import { liveOperation } from '../call/operation.ts';
import { Uuid, oneOf } from '../call/schemas.ts';
import { EventSchema, eventView } from './event-view.ts';
import { EVENT } from './examples.ts';
import { FollowEvents } from './follow-events.ts';

export const followEvents = liveOperation({
  id: 'followEvents',
  words: {
    summary: 'Follow events as they come, by number',
    description:
      'First those after the given number, then what comes; without a number, what comes from now on. Go on after a break with the sequence of the last event: none is missed, and none comes twice. Who gets which events is as in a listing. A key has at most five streams open (RATE_LIMIT_STREAMS), and a stream ends with its credential.',
    group: 'Events',
  },
  effect: 'read',
  access: () => ({ scope: 'events:read' }),
  input: Type.Object(
    {
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'Events with a greater number; 0 begins with the oldest',
        }),
      ),
      recordId: Type.Optional({ ...Uuid, description: 'About this record' }),
      types: Type.Optional(
        Type.Array(oneOf(EVENT_TYPES), {
          minItems: 1,
          maxItems: 64,
          description: 'Of these types',
        }),
      ),
      orgId: Type.Optional({
        ...Uuid,
        description: 'What an admin of this org gets; for platform keys',
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Array(EventSchema),
  problems: ['FORBIDDEN'],
  result: { description: 'The events of a page', example: [EVENT] },
  examples: { record: { recordId: IDS.record, after: 0 } },
  useCase: FollowEvents,
  concerns: ({ events }) => ({
    orgs: events.flatMap(({ orgId, counterpartyOrgId }) => [orgId, counterpartyOrgId]),
    isExact: true,
  }),
  view: ({ events }) => ({ view: events.map(eventView) }),
});
