import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { wireCodeOf } from '../../adapters/http/problem.ts';
import { openApiDocument } from '../../adapters/rest/openapi.ts';
import { listedRoutes } from '../../config/listed-routes.ts';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/kernel/errors.ts';
import { resolved } from '../support/runner/resolved.ts';
import type { Body } from '../support/service/world.ts';

/** What makes the document good to generate a client from. test/e2e/generated-clients.long.test.ts does it. */
const text = JSON.stringify(openApiDocument(listedRoutes(), 'https://notary.example'));
const document = JSON.parse(text) as Body;

const operations = Object.entries(document['paths'] as Body).flatMap(([path, methods]) =>
  Object.entries(methods as Body).map(
    ([method, operation]) =>
      ({
        name: `${method.toUpperCase()} ${path}`,
        path,
        method,
        operation: operation as Body,
        parameters: (operation.parameters as Body[]).map((one) => resolved(document, one)),
      }) as const,
  ),
);

/** Every object of the document, with the place where it stands. */
const objects = (value: unknown, at = ''): readonly (readonly [string, Body])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => objects(member, `${at}/${name}`));
  return Array.isArray(value) ? inner : [[at, value], ...inner];
};
const IN_AN_EXAMPLE = /\/examples?(?:\/|$)/;
const schemas = objects(document).filter(
  ([at, { type }]) => !IN_AN_EXAMPLE.test(at) && (typeof type === 'string' || Array.isArray(type)),
);

describe('the form of the OpenAPI document', () => {
  it('is not half of what it would be with its refusals written out: under 5,000 characters an operation', () => {
    expect(text.length / operations.length).toBeLessThan(5_000);
  });

  it('writes no refusal out in an operation', () => {
    for (const { name, operation } of operations)
      for (const [status, response] of Object.entries(operation['responses'] as Body))
        if (Number(status) >= 400 && !response.content?.['application/json'])
          expect(response, `${name} ${status}`).toEqual({ $ref: expect.any(String) });
  });

  it('defines nothing that it does not use, but for the refusal of a method', () => {
    const unused = Object.entries(document['components'] as Body)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) => Object.keys(parts as Body).map((name) => `${kind}/${name}`))
      .filter((place) => !text.includes(`"#/components/${place}"`));
    expect(unused).toEqual(['responses/MethodNotAllowed']);
  });

  it('describes every parameter, in words of its own', () => {
    for (const { name, parameters } of operations)
      for (const parameter of parameters) {
        expect(parameter['description'], `${name} ${parameter['name']}`).toMatch(/\w{3}/);
        expect(parameter['description'], `${name} ${parameter['name']}`).not.toMatch(
          /^(?:A UUID in|ISO 8601)/,
        );
      }
  });

  it('means the same by a parameter that operations share as their routes do', () => {
    for (const route of listedRoutes()) {
      const { parameters } = operations.find(
        ({ name }) => name === `${route.method} ${route.path}`,
      )!;
      for (const [place, schema] of [
        ['path', route.params],
        ['query', route.query],
      ] as const)
        for (const [name, property] of Object.entries(schema?.properties ?? {})) {
          const found = parameters.find((one) => one['name'] === name && one['in'] === place)!;
          const { maxLength, minimum, maximum, pattern, format } = property as Body;
          expect(resolved(document, found['schema']), `${route.operationId} ${name}`).toMatchObject(
            JSON.parse(JSON.stringify({ maxLength, minimum, maximum, pattern, format })) as object,
          );
        }
    }
  });

  it('declares what a caller may sign, and sign with, wherever a credential is needed', () => {
    for (const { name, method, operation, parameters } of operations) {
      const names = parameters.filter((one) => one['in'] === 'header').map((one) => one['name']);
      const isProtected = (operation['security'] as unknown[]).length > 0;
      for (const header of ['Signature', 'Signature-Input', 'Content-Digest'])
        expect(names.includes(header), `${name} ${header}`).toBe(isProtected);
      for (const header of [
        'X-Agent-Signature',
        'X-Agent-Signature-Content-Hash',
        'X-Service-Subject-Token',
      ])
        expect(names.includes(header), `${name} ${header}`).toBe(isProtected && method !== 'get');
    }
    const exchange = operations.find(({ name }) => name === 'POST /v1/auth/oidc/cert')!;
    expect(exchange.parameters.map((one) => one['name'])).toContain('DPoP');
  });

  it('declares Idempotency-Replayed wherever a kept answer may come, and Allow with 405', () => {
    for (const { name, operation, parameters } of operations) {
      const takesKey = parameters.some((one) => one['name'] === 'Idempotency-Key');
      for (const [status, response] of Object.entries(operation['responses'] as Body))
        if (Number(status) < 300 || status === '409')
          expect(
            'Idempotency-Replayed' in (resolved(document, response)['headers'] as Body),
            `${name} ${status}`,
          ).toBe(takesKey || status === '409');
    }
    expect(document['components'].responses.MethodNotAllowed.headers).toHaveProperty('Allow');
  });

  it('lets content be refused only where content is taken, and whatever stands behind a call everywhere', () => {
    const statusesWith = (code: string): readonly string[] =>
      operations
        .filter(({ operation }) =>
          Object.values(operation['responses'] as Body).some((response) =>
            String((response as Body)['$ref']).includes(code),
          ),
        )
        .map(({ operation }) => operation['operationId'] as string);
    expect(statusesWith('SchemaValidationError')).toEqual([
      'createRecord',
      'submitCompletion',
      'transitionRecord',
      'counterPropose',
      'openDispute',
      'submitDisputeEvidence',
    ]);
    const operation = (id: string): Body =>
      operations.find((one) => one.operation['operationId'] === id)!.operation;
    for (const { name, operation: one } of operations)
      expect(Object.keys(one['responses'] as Body), name).toContain('413');
    expect(operation('updateApiKey')['responses']).toHaveProperty('422');
    expect(operation('getAgent')['responses']).toHaveProperty('409');
    expect(operation('getLiveness')['responses']).not.toHaveProperty('409');
  });

  it('says of every free object that it takes any member', () => {
    const closed = schemas.filter(
      ([, { type, properties, additionalProperties }]) =>
        (type === 'object' || (Array.isArray(type) && type.includes('object'))) &&
        properties === undefined &&
        additionalProperties === undefined,
    );
    expect(closed.map(([at]) => at)).toEqual([]);
    expect(document['components'].schemas.JsonObject).toEqual({
      type: 'object',
      additionalProperties: true,
    });
  });

  it('states no default as such, for a generator makes a member with one required; words say it', () => {
    expect(schemas.filter(([, schema]) => 'default' in schema).map(([at]) => at)).toEqual([]);
    expect(document['components'].parameters.Limit.description).toBe('Rows a page; default 50');
  });

  it('gives every answer of a 201 its secret and its statement without null', () => {
    const { schemas: named } = document['components'];
    expect(named.MintedApiKey.properties.apiKey.type).toBe('string');
    const created = operations.flatMap(({ name, operation }) => {
      const json = operation['responses'][201]?.content['application/json'] as Body | undefined;
      return json ? [[name, json['schema'] as Body] as const] : [];
    });
    const withStatement = created.filter(([, schema]) =>
      JSON.stringify([schema, named[String(schema['$ref']).split('/').at(-1)!]]).includes(
        'SignedStatement"',
      ),
    );
    expect(withStatement).toEqual([]);
    const sealed = created.filter(([, schema]) => JSON.stringify(schema).includes('/Sealed"'));
    expect(sealed.map(([name]) => name)).toEqual([
      'POST /v1/records',
      'POST /v1/records/{id}/completions',
      'POST /v1/records/{id}/references',
      'POST /v1/records/{id}/dispute',
      'POST /v1/schemas',
    ]);
  });

  it('closes the set of codes, and narrows it for each refusal', () => {
    const codes = (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map(wireCodeOf);
    const { Problem, ProblemCode } = document['components'].schemas;
    expect([...(ProblemCode.enum as string[])].sort()).toEqual([...new Set(codes)].sort());
    expect(Problem.properties.code).toEqual({ $ref: '#/components/schemas/ProblemCode' });
    for (const [name, { content }] of Object.entries<Body>(document['components'].responses)) {
      if (name === 'NotModified') continue;
      const { schema, examples } = content['application/problem+json'];
      const said = Object.values<Body>(examples).map(
        (example) => resolved(document, example)['value'].code as unknown,
      );
      expect(schema.allOf[1].properties.code.enum, name).toEqual([...new Set(said)]);
    }
  });

  it('names no component as the language or the browser names something', () => {
    const file = ts.createSourceFile('empty.ts', '', ts.ScriptTarget.ESNext);
    const options: ts.CompilerOptions = {
      lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
      types: [],
      target: ts.ScriptTarget.ESNext,
    };
    const host = ts.createCompilerHost(options);
    const program = ts.createProgram(['empty.ts'], options, {
      ...host,
      getSourceFile: (name, ...rest) =>
        name === 'empty.ts' ? file : host.getSourceFile(name, ...rest),
    });
    const inScope = program
      .getTypeChecker()
      .getSymbolsInScope(program.getSourceFile('empty.ts')!, ts.SymbolFlags.Type)
      .map(({ name }) => name);
    expect(inScope).toEqual(expect.arrayContaining(['Record', 'Error', 'Partial', 'Event']));
    const names = Object.keys(document['components'].schemas as Body);
    expect(names.filter((name) => inScope.includes(name))).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
  });
});
