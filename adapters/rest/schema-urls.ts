import { Type, type Static } from 'typebox';
import type { SchemaPlaceSchema } from '../../application/record-type/schema-place.ts';
import { publicSchemaHref, schemaHref } from '../http/schema-href.ts';

/** The URLs of a record type and its schemas, as REST shows them. */
export const SchemaUrls = Type.Object({
  manifest: Type.String({ description: 'Path of this version' }),
  criteria: Type.Optional(
    Type.String({ description: 'Where anyone can read criteriaSchema; of a public type' }),
  ),
  completion: Type.Optional(
    Type.String({ description: 'Where anyone can read completionSchema; of a public type' }),
  ),
});

export const schemaUrls = (place: Static<typeof SchemaPlaceSchema>): Static<typeof SchemaUrls> => ({
  manifest: schemaHref(place),
  ...(place.isPublic
    ? {
        criteria: publicSchemaHref(place, 'criteria'),
        completion: publicSchemaHref(place, 'completion'),
      }
    : {}),
});
