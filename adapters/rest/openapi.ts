import type { TObject, TSchema } from 'typebox';
import { scopesOf } from '../../application/call/access.ts';
import type { AnswerDoc, RouteDoc } from '../http/route-doc.ts';
import { COMPONENTS, schemaJson } from './components.ts';
import { HEADERS, headersFor, type Json, PARAMETERS, ref } from './openapi-components.ts';
import { DESCRIPTION, TAGS } from './openapi-words.ts';
import { problemsOf } from './openapi-problems.ts';

/** The version of the interface. The release has a version of its own. */
export const INTERFACE_VERSION = '1.4.0';

/**
 * The OpenAPI 3.1 document of a route table. It is derived from the routes that serve the requests,
 * so the two cannot disagree.
 */
export const openApiDocument = (routes: readonly RouteDoc[], baseUrl: string): Json => ({
  openapi: '3.1.0',
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  info: {
    title: 'Notary Service',
    version: INTERFACE_VERSION,
    summary: 'A cryptographic notary for automated work',
    description: DESCRIPTION,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: baseUrl }],
  security: [{ bearer: [] }],
  tags: TAGS.filter(({ name }) => routes.some((route) => route.tag === name)),
  paths: pathsOf(routes),
  components: {
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'API key',
        description: 'Authorization: Bearer <API_KEY>',
      },
    },
    headers: HEADERS,
    parameters: PARAMETERS,
    schemas: Object.fromEntries(
      Object.entries(COMPONENTS).map(([name, schema]) => [name, schemaJson(schema, true)]),
    ),
  },
});

/** What a call may prove beyond its credential; sealed where the call adds an entry to a record. */
const PROOFS = ['AgentSignature', 'AgentSignatureContentHash', 'SubjectToken'] as const;

const pathsOf = (routes: readonly RouteDoc[]): Json => {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return paths;
};

const operationOf = (route: RouteDoc): Json => {
  const scopes = scopesOf(route.access);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, accessText(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security:
      route.access === 'public'
        ? []
        : scopes.length === 0
          ? [{ bearer: [] }]
          : scopes.map((scope) => ({ bearer: [scope] })),
    ...(route.access === 'public'
      ? {}
      : { 'x-required-scopes': scopes, 'x-required-roles': route.access.roles ?? [] }),
    parameters: parametersOf(route),
    ...(route.body ? { requestBody: bodyOf(route) } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, successOf(route, answer)]),
      ),
      ...(isConditional(route) ? { 304: NOT_MODIFIED } : {}),
      ...problemsOf(route),
    },
  };
};

const accessText = (route: RouteDoc): string => {
  if (route.access === 'public') return 'No credential is needed.';
  const scopes = scopesOf(route.access);
  const roles = route.access.roles ? ` with the role ${route.access.roles.join(' or ')}` : '';
  return scopes.length === 0
    ? `Takes any valid credential${roles}.`
    : `Takes a credential${roles} that holds ${scopes.join(' or ')}.`;
};

const isConditional = (route: RouteDoc): boolean =>
  route.method === 'GET' && route.answers[200]?.headers?.['ETag'] !== undefined;

const parametersOf = (route: RouteDoc): readonly Json[] => [
  ...(route.params ? parametersIn('path', route.params) : []),
  ...(route.query ? parametersIn('query', route.query) : []),
  ref('parameters/RequestId'),
  ...(route.method === 'POST' && route.access !== 'public'
    ? [ref('parameters/IdempotencyKey')]
    : []),
  ...(route.method !== 'GET' && route.path.startsWith('/v1/records')
    ? PROOFS.map((name) => ref(`parameters/${name}`))
    : []),
  ...(route.ifMatch ? [ref('parameters/IfMatch')] : []),
  ...Object.entries(route.headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  })),
  ...(isConditional(route) ? [ref('parameters/IfNoneMatch')] : []),
];

const parametersIn = (place: 'path' | 'query', schema: TObject): readonly Json[] =>
  Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { readonly description?: string };
    return {
      name,
      in: place,
      required: place === 'path' || (schema.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema: schemaJson(rest),
    };
  });

const bodyOf = (route: RouteDoc): Json => ({
  required: !route.bodyOptional,
  content: {
    'application/json': {
      schema: schemaJson(route.body),
      examples: Object.fromEntries(
        Object.entries(route.examples).map(([name, value]) => [name, { value }]),
      ),
    },
  },
});

const NOT_MODIFIED: Json = {
  description: 'What If-None-Match names is current; no body',
  headers: headersFor(),
  content: {},
};

const successOf = (route: RouteDoc, answer: AnswerDoc): Json => ({
  description: answer.description,
  headers: headersFor(
    Object.entries(answer.headers ?? {}).map(
      ([name, description]) => [name, { description, schema: { type: 'string' } }] as const,
    ),
  ),
  content: Object.fromEntries(
    route.produces.map((mediaType) => [mediaType, contentOf(mediaType, answer)]),
  ),
});

const contentOf = (mediaType: string, { schema, example, texts }: AnswerDoc): Json => {
  const sample = texts?.[mediaType];
  if (sample !== undefined) return { schema: { type: 'string' }, example: sample };
  return mediaType === 'text/html'
    ? { schema: { type: 'string' } }
    : { schema: schemaJson(schema), example };
};
