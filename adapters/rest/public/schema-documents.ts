import { Type } from 'typebox';
import { publicRoute, type Route } from '../../http/route.ts';
import type { RestUseCases } from '../use-cases.ts';
import { JsonObjectSchema } from '../wire.ts';

const CACHED = { 'Cache-Control': 'public, max-age=300' };

/** The JSON Schemas of public record types, for editors and validators. */
export const schemaDocumentRoutes = (useCases: RestUseCases): readonly Route[] =>
  (['criteria', 'completion'] as const).map((name) => schemaDocument(useCases, name));

const schemaDocument = (useCases: RestUseCases, name: 'criteria' | 'completion'): Route =>
  publicRoute({
    method: 'GET',
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
    execute: ({ params }) =>
      useCases.getPublicSchema.execute({
        publisher: params.publisher,
        type: params.type,
        version: versionOf(params.version),
        name,
      }),
    present: (schema, _view, { mediaType }) => ({
      status: 200,
      headers: CACHED,
      text: { mediaType, content: JSON.stringify(schema) },
    }),
  });

const Params = Type.Object({
  publisher: Type.String({ maxLength: 256 }),
  type: Type.String({ maxLength: 256 }),
  version: Type.String({ maxLength: 256 }),
});

/** What is no version names none. */
const versionOf = (text: string): number => (/^[1-9][0-9]*$/.test(text) ? Number(text) : NaN);
