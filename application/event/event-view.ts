import { Type } from 'typebox';
import type { NumberedEvent } from '../../domain/event/event.ts';
import { Timestamp, Uuid, nullable } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

export const EventSchema = Type.Object({
  id: { ...Uuid, description: 'Of the event, and of each of its deliveries' },
  sequence: Type.Integer({
    minimum: 1,
    description: 'Its number: 1, 2, 3 … over all orgs, of one record in the order of its chain',
  }),
  type: Type.String(),
  orgId: nullable({ ...Uuid, description: 'null for events of the platform alone' }),
  recordId: nullable(Uuid),
  recordType: nullable(Type.String()),
  agentId: nullable({
    ...Uuid,
    description: 'Whom it is about (agent.*, key.*, cert.*), else who acted',
  }),
  data: Type.Object(
    { requestId: Type.String({ description: 'The request, or the job, that caused it' }) },
    {
      additionalProperties: true,
      description: 'What its type holds; never criteria, evidence or a secret',
    },
  ),
  createdAt: Timestamp,
});

export const eventView = ({
  id,
  sequence,
  type,
  orgId,
  recordId,
  recordType,
  agentId,
  data,
  createdAt,
}: NumberedEvent): ViewOf<typeof EventSchema> => ({
  id,
  sequence,
  type,
  orgId,
  recordId,
  recordType,
  agentId,
  data: data as ViewOf<typeof EventSchema>['data'],
  createdAt,
});
