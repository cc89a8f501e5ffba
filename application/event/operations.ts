import { Type } from 'typebox';
import { EVENT_TYPES } from '../../domain/event/event-types.ts';
import { IDS, pageExample } from '../call/example-story.ts';
import { listing } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { PAGE_INPUT, Timestamp, Uuid, oneOf, pageOf } from '../call/schemas.ts';
import { EVENT } from './examples.ts';
import { EventSchema, eventView } from './event-view.ts';
import { ListEvents } from './list-events.ts';

export const listEvents = listing({
  id: 'listEvents',
  words: {
    summary: 'List events, newest first',
    description:
      'An agent gets those of the records that it is party to, and its own agent.*, key.* and cert.*; an admin those of records with a party in its org, and the operational ones of the org; a platform key all of them, or those of the org that orgId names. They come in the order of their numbers; an event has its number a moment after it happened. since (inclusive) and until (exclusive) apply to createdAt.',
    group: 'Events',
  },
  access: () => ({ scope: 'events:read' }),
  input: Type.Object(
    {
      type: Type.Optional(oneOf(EVENT_TYPES, 'Of this type')),
      recordId: Type.Optional({ ...Uuid, description: 'About this record' }),
      agentId: Type.Optional({
        ...Uuid,
        description: 'Of this agent: the one it is about (agent.*, key.*, cert.*), else who acted',
      }),
      since: Type.Optional({ ...Timestamp, description: 'Created then or later' }),
      until: Type.Optional({ ...Timestamp, description: 'Created before then' }),
      order: Type.Optional({
        ...oneOf(['desc', 'asc'], 'By number: the newest first, or the oldest'),
        default: 'desc',
      }),
      orgId: Type.Optional({
        ...Uuid,
        description: 'What an admin of this org gets; for platform keys',
      }),
      ...PAGE_INPUT,
    },
    { additionalProperties: false },
  ),
  output: pageOf(EventSchema),
  problems: ['FORBIDDEN'],
  result: {
    description: 'A page of events; total is exact up to 10,000',
    example: pageExample(EVENT),
  },
  examples: { record: { recordId: IDS.record, order: 'asc' } },
  useCase: ListEvents,
  concerns: ({ rows }) => ({
    orgs: rows.flatMap(({ orgId, counterpartyOrgId }) => [orgId, counterpartyOrgId]),
    isExact: true,
  }),
  view: (slice, guide) => pageView(slice, guide, eventView),
});
