import { scopesOf } from '../../application/call/access.ts';
import type { RouteDoc } from '../http/route-doc.ts';
import { COMPONENTS } from './components.ts';
import { type AnswerParts, SHARED_ANSWERS, successesOf } from './openapi-answers.ts';
import { INTERFACE_VERSION } from './interface-version.ts';
import { AnswerExamples } from './openapi-examples.ts';
import { HEADERS, type Json, PARAMETERS } from './openapi-components.ts';
import { parametersOf, sharedParameters } from './openapi-parameters.ts';
import { problemComponents, problemsOf } from './openapi-problems.ts';
import { SchemaWriter } from './openapi-schemas.ts';
import { DESCRIPTION, TAGS } from './openapi-words.ts';

/**
 * The OpenAPI 3.1 document of a route table. It is derived from the routes that serve the requests,
 * so the two cannot disagree. What more than one operation says stands once, under components.
 */
export const openApiDocument = (routes: readonly RouteDoc[], baseUrl: string): Json => {
  const schemas = new SchemaWriter(COMPONENTS);
  const examples = new AnswerExamples(routes);
  const problems = problemComponents(routes);
  return {
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
    paths: pathsOf(routes, { schemas, examples }),
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
      parameters: { ...PARAMETERS, ...sharedParameters(routes, schemas) },
      responses: { ...SHARED_ANSWERS, ...problems.responses },
      examples: { ...problems.examples, ...examples.components },
      schemas: schemas.components,
    },
  };
};

const pathsOf = (routes: readonly RouteDoc[], parts: AnswerParts): Json => {
  const paths: { [path: string]: { [method: string]: Json } } = {};
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, parts);
  return paths;
};

const operationOf = (route: RouteDoc, parts: AnswerParts): Json => {
  const { schemas } = parts;
  const scopes = scopesOf(route.access);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, accessText(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    ...(route.isDeprecated ? { deprecated: true } : {}),
    security:
      route.access === 'public'
        ? []
        : scopes.length === 0
          ? [{ bearer: [] }]
          : scopes.map((scope) => ({ bearer: [scope] })),
    ...(route.access === 'public'
      ? {}
      : { 'x-required-scopes': scopes, 'x-required-roles': route.access.roles ?? [] }),
    parameters: parametersOf(route, schemas),
    ...(route.body ? { requestBody: bodyOf(route, schemas) } : {}),
    responses: { ...successesOf(route, parts), ...problemsOf(route) },
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

const bodyOf = (route: RouteDoc, schemas: SchemaWriter): Json => {
  const content = {
    schema: schemas.write(route.body),
    examples: Object.fromEntries(
      Object.entries(route.examples).map(([name, value]) => [name, { value }]),
    ),
  };
  const types = route.consumes ?? ['application/json'];
  return {
    required: !route.bodyOptional,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
};
