import type { TObject } from 'typebox';
import { isGovernance, type Access } from '../../application/call/access.ts';
import type { ErrorCode } from '../../domain/kernel/errors.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { AnswerDoc, RouteDoc } from '../http/route-doc.ts';
import { bodyExample, bodyMembersOf, formsOf, type RestBinding } from './binding.ts';
import { DEPRECATION_WORDS } from './deprecation.ts';
import type { Links } from './links.ts';
import { renderOf } from './render.ts';

/**
 * The description of a binding for the OpenAPI document. @param links gives the URLs of the steps
 * that examples name.
 */
export const docOf = (binding: RestBinding, links: Links): RouteDoc => {
  const { operation, options, operationId, params, query, body, fixed = {} } = binding;
  const { words, budget, problems, isVersioned } = operation;
  const description = options.description ?? (options.operationId ? undefined : words.description);
  return {
    method: options.method,
    path: options.path,
    operationId,
    summary: options.summary ?? words.summary,
    ...(description === undefined ? {} : { description }),
    tag: words.group,
    access: operation.access(fixed),
    limit: budget,
    params,
    query,
    body: options.documentedBody ?? body,
    bodyOptional: binding.isBodyOptional,
    examples: examplesOf(binding),
    answers: answersOf(binding, links),
    problems: [
      ...problems.filter((code) => code !== 'SCHEMA_VALIDATION_ERROR' || takesContent(binding)),
      ...behind(operation.id, operation.access(fixed)),
    ].map((code) => options.problems?.[code] ?? code),
    produces: formsOf(binding).map(({ mediaType }) => mediaType),
    ...(options.takes === undefined ? {} : { consumes: options.takes }),
    ifMatch: isVersioned,
    ...(options.deprecated ? { isDeprecated: true } : {}),
    headers: options.headers ?? {},
  };
};

/** Refusals that follow from what stands behind a credential, whatever the operation does. */
const behind = (operationId: string, access: Access): readonly ErrorCode[] => {
  if (access === 'public') return [];
  return [
    // Rows that somebody edited in the database are refused, to whoever reads them too.
    'CONFLICT',
    // An org may demand co-signatures, and an API key is bound to no key to sign with.
    ...(isGovernance(operationId, access) ? [] : (['FORBIDDEN'] as const)),
  ];
};

/** Whether this path takes what a record type has a schema for: an alias may fix an action that takes none. */
const takesContent = ({ body }: RestBinding): boolean =>
  body !== null && bodyMembersOf(body).some((member) => CONTENT.has(member));
const CONTENT: ReadonlySet<string> = new Set(['criteria', 'evidence']);

const examplesOf = ({ operation, options, body }: RestBinding): RouteDoc['examples'] => {
  if (!body) return {};
  const members = bodyMembersOf(body);
  return Object.fromEntries(
    Object.entries(options.examples ?? operation.examples).map(([name, example]) => [
      name,
      bodyExample(example, members, options.whole),
    ]),
  );
};

const answersOf = (binding: RestBinding, links: Links): RouteDoc['answers'] => {
  const { result, output } = binding.operation;
  const { location, etag, status = 200, body, bodySchema, answerHeaders } = binding.options;
  const place = { requestId: EXAMPLE_REQUEST_ID, instance: binding.options.path };
  const render = renderOf(output);
  const answer = (description: string, example: unknown, isNew: boolean): AnswerDoc => {
    const texts = textsOf(binding, example);
    const rendered = render(example, { links, place });
    const headers = {
      ...(location && isNew ? { Location: locationWords(binding) } : {}),
      ...(etag ? { ETag: etag } : {}),
      ...answerHeaders?.words,
      ...(binding.options.deprecated ? DEPRECATION_WORDS : {}),
    };
    return {
      description,
      schema: bodySchema ?? output,
      example: body ? body(rendered) : rendered,
      isSealed: isSealed(binding, example),
      ...(Object.keys(texts).length > 0 ? { texts } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    };
  };
  const made = answer(result.description, result.example, true);
  const { found } = result;
  return found
    ? { [status]: made, 200: answer(found.description, found.example, false) }
    : { [status]: made };
};

/** What documents show of the forms that are not JSON: of bytes, their base64. */
const textsOf = (binding: RestBinding, example: unknown): { [mediaType: string]: string } =>
  Object.fromEntries(
    formsOf(binding).flatMap((form) => {
      const text = form.bytes ? encodeBase64(form.bytes(example)) : form.example;
      return text === undefined ? [] : [[form.mediaType, text]];
    }),
  );

/**
 * Whether every answer like this example has a statement, where others of its schema have null. A
 * PATCH may find nothing to change.
 */
const isSealed = ({ operation, options }: RestBinding, example: unknown): boolean => {
  const { signedStatement } = ((operation.output as Partial<TObject>).properties ?? {}) as {
    readonly signedStatement?: { readonly anyOf?: unknown };
  };
  const given = (example as { readonly signedStatement?: unknown }).signedStatement;
  return Boolean(signedStatement?.anyOf && given) && options.method !== 'PATCH';
};

const EXAMPLE_REQUEST_ID = '019c1f00-0000-7000-8000-00000000000a';

const locationWords = ({ options }: RestBinding): string => options.locationWords ?? 'Path of it';
