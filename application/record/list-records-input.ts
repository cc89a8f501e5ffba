import { Type } from 'typebox';
import { STATUSES } from '../../domain/record/record-status.ts';
import { oneOf, OrgFilter, PAGE_INPUT, Timestamp, Uuid } from '../call/schemas.ts';

/** The filters of a listing of records. */
export const ListRecordsInput = Type.Object(
  {
    status: Type.Optional(oneOf(STATUSES)),
    type: Type.Optional(Type.String({ minLength: 1, maxLength: 96 })),
    publisher: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    principalAgentId: Type.Optional(Uuid),
    performerAgentId: Type.Optional(Uuid),
    parentRecordId: Type.Optional(Uuid),
    rootRecordId: Type.Optional(Uuid),
    platform: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    platformRef: Type.Optional(Type.String({ maxLength: 256 })),
    orgId: Type.Optional(OrgFilter),
    disputed: Type.Optional(Type.Boolean()),
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
