import type { TObject, TSchema } from 'typebox';
import { PAGE_INPUT } from '../../application/call/schemas.ts';
import type { RouteDoc } from '../http/route-doc.ts';
import { type Json, ref } from './openapi-components.ts';
import type { SchemaWriter } from './openapi-schemas.ts';
import { parameterWords } from './openapi-words.ts';

/** Parameters of paths and queries that several operations take, as components. */
export const sharedParameters = (routes: readonly RouteDoc[], schemas: SchemaWriter): Json =>
  Object.fromEntries(
    routes
      .flatMap((route) => ownParametersOf(route, schemas))
      .flatMap(({ component, parameter }) =>
        component === undefined ? [] : [[component, parameter] as const],
      ),
  );

/** What a call may prove beyond its credential. */
const SIGNED_REQUEST = ['Signature', 'SignatureInput', 'ContentDigest'] as const;
/** A read has no body to sign, and seals nobody on whose behalf it was done. */
const SIGNED_BODY = ['AgentSignature', 'AgentSignatureContentHash', 'SubjectToken'] as const;

export const parametersOf = (route: RouteDoc, schemas: SchemaWriter): readonly Json[] => [
  ...ownParametersOf(route, schemas).map(({ component, parameter }) =>
    component === undefined ? parameter : ref(`parameters/${component}`),
  ),
  ...headersOf(route).map((name) => ref(`parameters/${name}`)),
  ...Object.entries(route.headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  })),
];

const headersOf = (route: RouteDoc): readonly string[] => {
  const isProtected = route.access !== 'public';
  return [
    'RequestId',
    ...(isReplayable(route) ? ['IdempotencyKey'] : []),
    ...(isProtected ? SIGNED_REQUEST : []),
    ...(isProtected && route.method !== 'GET' ? SIGNED_BODY : []),
    ...(route.ifMatch ? ['IfMatch'] : []),
    ...(isConditional(route) ? ['IfNoneMatch'] : []),
  ];
};

/** Takes an Idempotency-Key. */
export const isReplayable = ({ method, access }: RouteDoc): boolean =>
  method === 'POST' && access !== 'public';

/** Takes If-None-Match, and answers 304. */
export const isConditional = ({ method, answers }: RouteDoc): boolean =>
  method === 'GET' && answers[200]?.headers?.['ETag'] !== undefined;

interface OwnParameter {
  /** The name under which several operations share it. */
  readonly component: string | undefined;
  readonly parameter: Json;
}

const ownParametersOf = (route: RouteDoc, schemas: SchemaWriter): readonly OwnParameter[] => [
  ...(route.params ? parametersIn('path', route.params, route, schemas) : []),
  ...(route.query ? parametersIn('query', route.query, route, schemas) : []),
];

const parametersIn = (
  place: 'path' | 'query',
  schema: TObject,
  { path }: RouteDoc,
  schemas: SchemaWriter,
): readonly OwnParameter[] =>
  Object.entries(schema.properties).map(([name, property]) => {
    const own = place === 'path' ? parameterWords(path, name) : undefined;
    return {
      component: own?.component ?? (place === 'query' ? pagingOf(name, property) : undefined),
      parameter: {
        name,
        in: place,
        required: place === 'path' || (schema.required ?? []).includes(name),
        ...describedBy(own?.words, property, schemas),
      },
    };
  });

/** What every listing takes; a stream has a limit and a cursor of its own. */
const PAGING: ReadonlyMap<string, readonly [component: string, schema: TSchema]> = new Map([
  ['limit', ['Limit', PAGE_INPUT.limit]],
  ['cursor', ['Cursor', PAGE_INPUT.cursor]],
]);

const pagingOf = (name: string, property: TSchema): string | undefined => {
  const [component, schema] = PAGING.get(name) ?? [];
  return JSON.stringify(schema) === JSON.stringify(property) ? component : undefined;
};

/** Words of the parameter itself stand beside its schema, and those of a component with the component. */
const describedBy = (words: string | undefined, property: TSchema, schemas: SchemaWriter): Json => {
  const schema = schemas.write(property) as { readonly description?: string };
  if (words !== undefined) return { description: words, schema };
  const { description, ...rest } = schema;
  return description === undefined ? { schema } : { description, schema: rest };
};
