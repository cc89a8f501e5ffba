import { Type } from 'typebox';
import { SHOWN_AS } from '../call/schemas.ts';

/** Where a record type stands; each front-end shows where it is read there. */
export const SchemaPlaceSchema = Type.Object(
  {
    publisher: Type.String(),
    type: Type.String(),
    version: Type.Integer(),
    isPublic: Type.Boolean({ description: 'Anyone may read both schemas' }),
  },
  { [SHOWN_AS]: 'schema-place' },
);
