import { Type } from 'typebox';
import { STATUSES } from '../../domain/record/record-status.ts';
import { oneOf, OrgFilter, PAGE_INPUT, Timestamp, Uuid } from '../call/schemas.ts';

/** The filters of a listing of records. */
export const ListRecordsInput = Type.Object(
  {
    status: Type.Optional(oneOf(STATUSES, 'In this status')),
    type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 96, description: 'Of this record type' }),
    ),
    publisher: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Of a type of this publisher' }),
    ),
    principalAgentId: Type.Optional({ ...Uuid, description: 'With this agent as principal' }),
    performerAgentId: Type.Optional({ ...Uuid, description: 'With this agent as performer' }),
    parentRecordId: Type.Optional({ ...Uuid, description: 'Directly below this record' }),
    rootRecordId: Type.Optional({
      ...Uuid,
      description: 'Anywhere below this record, itself included',
    }),
    platform: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Created for this platform' }),
    ),
    platformRef: Type.Optional(
      Type.String({ maxLength: 256, description: 'With exactly this platformRef' }),
    ),
    orgId: Type.Optional(OrgFilter),
    disputed: Type.Optional(Type.Boolean({ description: 'With this value of disputed' })),
    createdFrom: Type.Optional({ ...Timestamp, description: 'Inclusive' }),
    createdTo: Type.Optional({ ...Timestamp, description: 'Exclusive' }),
    updatedFrom: Type.Optional({ ...Timestamp, description: 'Inclusive' }),
    updatedTo: Type.Optional({ ...Timestamp, description: 'Exclusive' }),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Prefix of platformRef or of the id',
      }),
    ),
    sort: Type.Optional(
      oneOf(['createdAt', '-createdAt', 'updatedAt', '-updatedAt'], 'Default -createdAt'),
    ),
    ...PAGE_INPUT,
  },
  { additionalProperties: false },
);
