import { readFileSync } from 'node:fs';
import { NOBODY } from '../stories/problems.ts';
import { resolved } from './resolved.ts';
import type { Body } from '../service/world.ts';

/** An operation of the committed OpenAPI document, which a test of its own holds against the served one. */
export interface DocumentedOperation {
  /** Method and path, as in `POST /v1/records`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** Names of the parameters of the path that are UUIDs. */
  readonly uuids: readonly string[];
  /** A path of no resource there is, of the right form. */
  readonly examplePath: string;
  /** The same with a parameter of the wrong form; null where any text will do. */
  readonly malformedPath: string | null;
  /** Names of headers and components, and of parameters in the query. */
  readonly parameters: ReadonlySet<string>;
  /** The media type of the body; null where the operation takes none. */
  readonly bodyType: string | null;
  /** The first one given; absent where the operation takes no body. */
  readonly exampleBody: unknown;
  /** Another one that is as valid; absent where there is one at the most. */
  readonly otherBody: unknown;
  readonly takesBody: boolean;
  readonly statuses: ReadonlySet<string>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly format?: string; readonly pattern?: string };
}

export const documentedOperations = (): readonly DocumentedOperation[] => {
  const text = readFileSync('test/architecture/openapi.snapshot.json', 'utf8');
  const document = JSON.parse(text) as Body;
  return Object.entries(document['paths'] as Body).flatMap(([path, methods]) =>
    Object.entries(methods as Body).map(([method, row]) =>
      operationOf(document, method, path, row as Body),
    ),
  );
};

const operationOf = (
  document: Body,
  method: string,
  path: string,
  row: Body,
): DocumentedOperation => {
  const given = row['parameters'] as readonly { readonly $ref?: string }[];
  const parameters = given.map((one) => {
    const parameter = resolved<Parameter>(document, one);
    return { ...parameter, schema: resolved<Parameter['schema']>(document, parameter.schema) };
  });
  const inPath = parameters.filter((one) => one.in === 'path');
  const checked = inPath.find(({ schema }) => schema.format === 'uuid' || schema.pattern);
  const [[bodyType, content] = [null, null]] = Object.entries(
    (row['requestBody']?.content ?? {}) as Body,
  ) as [string, Body][];
  const examples = content?.['examples'] as Body | undefined;
  const bodies = Object.values(examples ?? {}).map((example) => (example as Body)['value']);
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    isPublic: (row['security'] as readonly unknown[]).length === 0,
    scopes: (row['x-required-scopes'] ?? []) as readonly string[],
    roles: (row['x-required-roles'] ?? []) as readonly string[],
    uuids: inPath.filter(({ schema }) => schema.format === 'uuid').map(({ name }) => name),
    examplePath: filled(path),
    malformedPath: checked ? filled(path.replace(`{${checked.name}}`, '!')) : null,
    parameters: new Set(
      given.flatMap((one, index) => [
        parameters[index]!.name,
        ...(one.$ref ? [one.$ref.split('/').at(-1)!] : []),
      ]),
    ),
    exampleBody: bodies[0],
    otherBody: bodies[1],
    bodyType,
    takesBody: bodyType !== null,
    statuses: new Set(Object.keys(row['responses'] as Body)),
  };
};

const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => VALUES.get(name) ?? NOBODY);

const VALUES: ReadonlyMap<string, string> = new Map([
  ['type', 'job'],
  ['thumbprint', '0'.repeat(64)],
  ['entryId', '0'.repeat(64)],
]);
