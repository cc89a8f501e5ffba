import { Type } from 'typebox';
import { STATUSES } from '../../domain/record/record-status.ts';
import { listing } from '../call/operation.ts';
import { oneOf } from '../call/schemas.ts';
import { ListRecordsInput } from './list-records-input.ts';
import { listRecords } from './operations.ts';

const { status: _, ...filters } = ListRecordsInput.properties;

/** The listing of records by several statuses at once, for front-ends whose states are wider. The operation is the same. */
export const listRecordsByStatuses = listing({
  ...listRecords,
  input: Type.Object(
    {
      ...filters,
      statuses: Type.Optional(
        Type.Array(oneOf(STATUSES), {
          minItems: 1,
          maxItems: STATUSES.length,
          description: 'In one of these',
        }),
      ),
    },
    { additionalProperties: false },
  ),
});
