import type { TObject } from 'typebox';
import { ERROR_CATALOGUE, NotaryError, type ErrorCode } from '../../domain/kernel/errors.ts';
import { scopesOf } from '../../application/call/access.ts';
import { KIND_STATUS, problemOf } from '../http/problem.ts';
import type { AnswerDoc, RouteDoc } from '../http/route-doc.ts';
import { COMPONENTS, schemaJson } from './components.ts';

/** The version of the interface; the release has its own. */
export const INTERFACE_VERSION = '1.4.0';

type Json = { readonly [member: string]: unknown };

/** The OpenAPI 3.1 document of a route table. It is made of the rows that the requests run through, so the two cannot disagree. */
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

const DESCRIPTION = [
  'Records what agents are authorized to do and what they report back, in signed, hash-chained entries that anyone can verify offline.',
  'Errors are problem documents (RFC 9457). Unknown body members and query parameters are refused. Paths in answers (href, Location, schemaUrl, refreshUrl) are relative to the base URL.',
  'A POST may carry an Idempotency-Key: the answer is kept for 24 hours and given again to whoever repeats the request.',
].join('\n\n');

const TAGS = [
  { name: 'Records', description: 'Opening and reading records' },
  { name: 'Transitions', description: 'Moving a record through its lifecycle' },
  { name: 'Completions', description: 'Delivering work, and judging it' },
  { name: 'Disputes', description: 'Objections to the outcome of a record' },
  { name: 'Audit', description: 'Exports for offline verification' },
  { name: 'Schemas', description: 'Record types' },
  { name: 'Agents', description: 'Agents' },
  { name: 'Authentication', description: 'The calling credential' },
  { name: 'Administration', description: 'Orgs, agents and keys' },
  { name: 'Verification', description: 'What an auditor needs' },
  { name: 'Discovery', description: 'The closed sets of the service, as data' },
  { name: 'Operations', description: 'Health' },
  { name: 'Documentation', description: 'This document' },
];

const HEADERS = {
  'X-Request-ID': {
    description: 'The id of this request, in every log line and signed entry it causes',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests a minute in the tightest window',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'Requests left in it', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'Seconds until it is empty again',
    schema: { type: 'integer' },
  },
  RateLimit: { description: 'The same, as the IETF field', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'All windows that apply', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'RFC 6750 challenge', schema: { type: 'string' } },
} as const;

const PARAMETERS = {
  RequestId: {
    name: 'X-Request-ID',
    in: 'header',
    description: 'At most 128 letters, digits and hyphens; an invalid one is replaced',
    schema: { type: 'string', maxLength: 128 },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes a repetition of this request act once; kept for 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 256 },
  },
  AgentSignature: {
    name: 'X-Agent-Signature',
    in: 'header',
    description:
      'Co-signature by the key of a certificate: base64 of an Ed25519 signature over the 32 bytes of the SHA-256 of the raw body. Or sign the whole request (RFC 9421: @method, @target-uri and content-digest, with created, a nonce and the tag service-cosign). It is sealed with what the call does',
    schema: { type: 'string' },
  },
  AgentSignatureContentHash: {
    name: 'X-Agent-Signature-Content-Hash',
    in: 'header',
    description: 'Comes with X-Agent-Signature: the SHA-256 of the raw body, lowercase hex',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  SubjectToken: {
    name: 'X-Service-Subject-Token',
    in: 'header',
    description:
      'A JWT of a trusted issuer (RFC 8693) whose outermost act is the calling agent: its subject, and who acts for it, are sealed as validated',
    schema: { type: 'string', maxLength: 16384 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Act only where the record still has this ETag; else 412',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 where the record still has this ETag',
    schema: { type: 'string' },
    example: '"3"',
  },
} as const;

/** What a call may prove beyond its credential; sealed where it leads to an entry of a record. */
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

const ref = (place: string): Json => ({ $ref: `#/components/${place}` });

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
    const { description, ...rest } = property as unknown as { readonly description?: string };
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

const headersFor = (own: Iterable<readonly [string, Json]> = []): Json =>
  Object.fromEntries([
    ...(
      [
        'X-Request-ID',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'RateLimit',
        'RateLimit-Policy',
      ] as const
    ).map((name) => [name, ref(`headers/${name}`)] as const),
    ...own,
  ]);

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

/** Every refusal that the row can meet: what follows from its shape, and what it names. */
export const problemCodesOf = (route: RouteDoc): readonly ErrorCode[] => {
  const isProtected = route.access !== 'public';
  const codes: readonly (ErrorCode | false)[] = [
    'VALIDATION_ERROR',
    isProtected && 'UNAUTHORIZED',
    isProtected && scopesOf(route.access).length > 0 && 'INSUFFICIENT_SCOPE',
    isProtected && route.access.roles !== undefined && 'FORBIDDEN',
    isProtected && 'ACCOUNT_DEACTIVATED',
    isProtected && route.params !== null && 'NOT_FOUND',
    'NOT_ACCEPTABLE',
    isProtected && route.method === 'POST' && 'IN_FLIGHT',
    route.ifMatch && 'PRECONDITION_FAILED',
    route.body !== null && 'PAYLOAD_TOO_LARGE',
    route.body !== null && 'UNSUPPORTED_MEDIA_TYPE',
    isProtected && route.method === 'POST' && 'UNPROCESSABLE',
    ...route.problems,
    route.limit !== 'probe' && 'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
  return [...new Set(codes.filter((code): code is ErrorCode => code !== false))];
};

const problemsOf = (route: RouteDoc): Json => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of problemCodesOf(route)) {
    const status = KIND_STATUS[ERROR_CATALOGUE[code].kind];
    if (!route.answers[status]) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), problemResponse(status, codes, route)]),
  );
};

const problemResponse = (status: number, codes: readonly ErrorCode[], route: RouteDoc): Json => ({
  description: codes.map((code) => ERROR_CATALOGUE[code].title).join('; '),
  headers: headersFor([
    ...(status === 401 || status === 403
      ? [['WWW-Authenticate', ref('headers/WWW-Authenticate')] as const]
      : []),
    ...(status === 429 || status === 503 || codes.includes('IN_FLIGHT')
      ? [['Retry-After', ref('headers/Retry-After')] as const]
      : []),
  ]),
  content: {
    'application/problem+json': {
      schema: ref('schemas/Problem'),
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: exampleProblem(code, route) }]),
      ),
    },
  },
});

const exampleProblem = (code: ErrorCode, route: RouteDoc): unknown => {
  const scopes = scopesOf(route.access);
  const members = code === 'INSUFFICIENT_SCOPE' ? { missingScopes: scopes } : {};
  return problemOf(new NotaryError(code, `${ERROR_CATALOGUE[code].title}.`, members), {
    requestId: '019c1f00-0000-7000-8000-00000000000a',
    instance: route.path,
  });
};
