import { Type } from 'typebox';
import type { GetPublicSchema } from '../../../application/record-type/get-public-schema.ts';
import { page, type Page } from '../page.ts';
import { JsonObjectSchema } from '../../../application/call/schemas.ts';

type PublicSchemas = Pick<GetPublicSchema, 'execute'>;

const CACHED = { 'Cache-Control': 'public, max-age=300' };

/** The JSON Schemas of public record types, for editors and validators. */
export const schemaDocumentPages = (schemas: PublicSchemas): readonly Page[] =>
  (['criteria', 'completion'] as const).map((name) => schemaDocument(schemas, name));

const schemaDocument = (schemas: PublicSchemas, name: 'criteria' | 'completion'): Page =>
  page({
    path: `/schemas/{publisher}/{type}/{version}/${name}.json`,
    operationId: name === 'criteria' ? 'getCriteriaSchema' : 'getCompletionSchema',
    summary: `The JSON Schema of the ${name === 'criteria' ? 'criteria' : 'evidence'} of a public record type`,
    description:
      'Only where the manifest says public. Any other type looks like one that does not exist.',
    tag: 'Schemas',
    params: Params,
    produces: ['application/schema+json', 'application/json'],
    answers: {
      200: {
        description: 'JSON Schema 2020-12, as it was registered',
        schema: JsonObjectSchema,
        example: { type: 'object', required: ['week'] },
        headers: { 'Cache-Control': 'For five minutes' },
      },
    },
    problems: ['NOT_FOUND'],
    render: async ({ params: { publisher, type, version }, mediaType }) => {
      const schema = await schemas.execute({ publisher, type, version: versionOf(version), name });
      return {
        status: 200,
        headers: CACHED,
        text: { mediaType, content: JSON.stringify(schema) },
      };
    },
  });

const Params = Type.Object({
  publisher: Type.String({ maxLength: 256, description: 'Label of the publisher' }),
  type: Type.String({ maxLength: 256, description: 'Name of the record type' }),
  version: Type.String({ maxLength: 256, description: 'Its version, a whole number' }),
});

/** Text that is not a version number matches no version. */
const versionOf = (text: string): number => (/^[1-9][0-9]*$/.test(text) ? Number(text) : NaN);
