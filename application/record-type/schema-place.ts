import { Type } from 'typebox';
import { SHOWN_AS } from '../call/schemas.ts';

/** Where a record type can be read; each front-end shows its own form of the place. */
export const SchemaPlaceSchema = Type.Object(
  {
    publisher: Type.String(),
    type: Type.String(),
    version: Type.Integer(),
    isPublic: Type.Boolean({ description: 'Anyone may read both schemas' }),
  },
  { [SHOWN_AS]: 'schema-place' },
);
