import { SignedStatementSchema } from '../../application/call/schemas.ts';
import { Type } from 'typebox';
import type { AnswerDoc, RouteDoc } from '../http/route-doc.ts';
import { headerRef, headersFor, type Json, ref } from './openapi-components.ts';
import type { AnswerExamples } from './openapi-examples.ts';
import { isConditional, isReplayable } from './openapi-parameters.ts';
import type { SchemaWriter } from './openapi-schemas.ts';

/** What answers share. */
export interface AnswerParts {
  readonly schemas: SchemaWriter;
  readonly examples: AnswerExamples;
}

/** The answers of an operation that are no refusals, by status. */
export const successesOf = (route: RouteDoc, parts: AnswerParts): Json => ({
  ...Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => [
      status,
      successOf(route, answer, parts),
    ]),
  ),
  ...(isConditional(route) ? { 304: ref('responses/NotModified') } : {}),
});

/** The answers that several operations share. */
export const SHARED_ANSWERS: Json = {
  NotModified: {
    description: 'What If-None-Match names is current; no body',
    headers: headersFor([['ETag', { description: 'The current one', schema: { type: 'string' } }]]),
    content: {},
  },
};

/** A component, beside the schemas of what calls return. */
export const SealedSchema = Type.Object(
  { signedStatement: SignedStatementSchema },
  { description: 'Where the call wrote a chain entry, or read its newest, it is here' },
);

const successOf = (route: RouteDoc, answer: AnswerDoc, parts: AnswerParts): Json => ({
  description: answer.description,
  headers: headersFor([
    ...Object.entries(answer.headers ?? {}).map(
      ([name, description]) => [name, { description, schema: { type: 'string' } }] as const,
    ),
    ...(isReplayable(route) ? [headerRef('Idempotency-Replayed')] : []),
  ]),
  content: Object.fromEntries(
    route.produces.map((mediaType) => [mediaType, contentOf(mediaType, answer, parts)]),
  ),
});

const contentOf = (
  mediaType: string,
  answer: AnswerDoc,
  { schemas, examples }: AnswerParts,
): Json => {
  const { schema, example, texts, isSealed } = answer;
  const sample = texts?.[mediaType];
  if (sample !== undefined) return { schema: { type: 'string' }, example: sample };
  if (mediaType === 'text/html') return { schema: { type: 'string' } };
  const written = schemas.write(schema);
  return {
    schema: isSealed ? { allOf: [written, schemas.write(SealedSchema)] } : written,
    ...examples.show(example),
  };
};
