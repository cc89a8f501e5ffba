import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { KIND_STATUS } from '../../adapters/http/problem.ts';
import { AjvInputCheck } from '../../adapters/json-schema/ajv-input-check.ts';
import { problemCodesOf } from '../../adapters/rest/openapi-problems.ts';
import { openApiDocument } from '../../adapters/rest/openapi.ts';
import { ACTION_OPERATIONS } from '../../application/record/guidance-view.ts';
import { listedRoutes } from '../../config/listed-routes.ts';
import { OPERATIONS } from '../../config/operations.ts';
import { ERROR_CATALOGUE } from '../../domain/kernel/errors.ts';
import { ACTIONS } from '../../domain/record/actions.ts';
import { resolved } from '../support/runner/resolved.ts';

const routes = listedRoutes();
const document = JSON.parse(JSON.stringify(openApiDocument(routes, 'https://notary.example')));

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly requestBody?: {
    readonly content: {
      readonly [mediaType: string]: {
        readonly examples: { readonly [name: string]: { readonly value: unknown } };
      };
    };
  };
  readonly responses: {
    readonly [status: string]: {
      readonly headers: object;
      readonly content: {
        readonly [mediaType: string]: {
          readonly schema?: unknown;
          readonly example?: unknown;
          readonly examples?: { readonly [name: string]: { readonly value: unknown } };
        };
      };
    };
  };
}

/** With what its parts refer to in their place, but for schemas. */
const writtenOut = (operation: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, given]) => {
      const answer = resolved<Operation['responses'][string]>(document, given);
      const content = Object.entries(answer.content).map(([mediaType, media]) => {
        const examples = Object.entries(media.examples ?? {}).map(([name, example]) => [
          name,
          resolved<{ readonly value: unknown }>(document, example),
        ]);
        return [mediaType, { ...media, examples: Object.fromEntries(examples) }];
      });
      return [status, { ...answer, content: Object.fromEntries(content) }];
    }),
  ),
});

const operations: readonly (readonly [string, Operation])[] = Object.entries(
  document.paths as { [path: string]: { [method: string]: Operation } },
).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, writtenOut(operation)] as const,
  ),
);

const PUBLIC = [
  '/',
  '/.well-known/scitt-keys',
  '/.well-known/scitt-keys/{kid}',
  '/.well-known/service-vault-keys.json',
  '/console',
  '/console/console.css',
  '/console/console.js',
  '/console/plots.js',
  '/console/verifier.js',
  '/docs',
  '/docs/guides/{guide}',
  '/docs/notary-gates.mjs',
  '/docs/notary-gates.mjs.sha256',
  '/docs/notary-verify.mjs',
  '/docs/notary-verify.mjs.sha256',
  '/docs/openapi.json',
  '/docs/openapi.yaml',
  '/docs/pages.css',
  '/docs/provisioning/{document}',
  '/docs/reference',
  '/docs/reference/{section}',
  '/docs/search',
  '/docs/verify',
  '/docs/verify-page.js',
  '/federation/v1/identity',
  '/health',
  '/livez',
  '/llms-full.txt',
  '/llms.txt',
  '/predicates',
  '/predicates/{kind}/v1',
  '/problems/{slug}',
  '/readyz',
  '/schemas/{publisher}/{type}/{version}/completion.json',
  '/schemas/{publisher}/{type}/{version}/criteria.json',
  '/status',
  '/v1/auth/oidc/cert',
  '/v1/scope-profiles',
  '/v1/verification-keys',
];

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { uuid: true, 'date-time': true },
});
ajv.addSchema({ $id: 'openapi', components: document.components });
const validatorAt = (pointer: string) => ajv.compile({ $ref: `openapi#${pointer}` });

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(document.info.version).toBe('1.4.0');
  });

  it('holds one operation a row of the table, and no other', () => {
    expect(operations.map(([name]) => name).sort()).toEqual(
      routes.map((route) => `${route.method} ${route.path}`).sort(),
    );
  });

  it('gives every operation its own id, a summary, a description and a described tag', () => {
    expect(new Set(operations.map(([, operation]) => operation.operationId)).size).toBe(
      operations.length,
    );
    const tags = document.tags.map((tag: { name: string }) => tag.name);
    for (const [name, operation] of operations) {
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary.length, name).toBeGreaterThan(5);
      expect(operation.description.length, name).toBeGreaterThan(5);
      expect(tags, name).toContain(operation.tags[0]);
    }
  });

  it('decides for every operation whether a credential is needed, and leaves open exactly the public paths', () => {
    const open = routes.filter((route) => route.access === 'public').map((route) => route.path);
    expect(open.sort()).toEqual(PUBLIC);
    for (const [name, operation] of operations)
      expect(Array.isArray(operation.security), name).toBe(true);
    for (const route of routes)
      expect(
        operations.find(([, operation]) => operation.operationId === route.operationId)![1].security
          .length === 0,
      ).toBe(route.access === 'public');
  });

  it('lists the refusals of every operation, each with an example that is a problem document', () => {
    const isProblem = validatorAt('/components/schemas/Problem');
    for (const route of routes) {
      const operation = operations.find(([, one]) => one.operationId === route.operationId)![1];
      const due = new Set(
        problemCodesOf(route).map((code) => KIND_STATUS[ERROR_CATALOGUE[code].kind]),
      );
      for (const status of [400, 406, 500, 503, ...(route.access === 'public' ? [] : [401, 403])])
        expect(due.has(status as never), `${route.operationId} ${status}`).toBe(true);
      for (const status of due) {
        const answer = operation.responses[status]!;
        if (route.answers[status]) continue;
        const examples = Object.values(answer.content['application/problem+json']!.examples!);
        expect(examples.length, `${route.operationId} ${status}`).toBeGreaterThan(0);
        for (const { value } of examples)
          expect(isProblem(value), JSON.stringify(isProblem.errors)).toBe(true);
      }
    }
  });

  it('shows on every answer the request id and the rate limits', () => {
    for (const [name, operation] of operations)
      for (const answer of Object.values(operation.responses))
        expect(Object.keys(answer.headers), name).toEqual(
          expect.arrayContaining([
            'X-Request-ID',
            'X-RateLimit-Limit',
            'X-RateLimit-Remaining',
            'X-RateLimit-Reset',
            'RateLimit',
            'RateLimit-Policy',
          ]),
        );
  });

  it('gives every success an example that fits its schema', () => {
    for (const [name, operation] of operations)
      for (const [status, answer] of Object.entries(operation.responses))
        for (const [mediaType, { example, examples, schema }] of Object.entries(answer.content)) {
          if (mediaType === 'application/problem+json' || mediaType === 'text/html') continue;
          const fits = ajv.compile(
            JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')),
          );
          const shown = example ?? Object.values(examples ?? {})[0]?.value;
          expect(shown, `${name} ${status}`).toBeDefined();
          expect(fits(shown), `${name} ${status} ${JSON.stringify(fits.errors)}`).toBe(true);
        }
  });

  it('gives every body an example that the validator of the route takes', () => {
    for (const route of routes.filter((one) => one.body)) {
      const part = { noun: 'The body', memberNoun: 'member', schema: route.body!, hasHelp: false };
      const check = new AjvInputCheck().prepare({ ...part, whole: 'body' });
      expect(Object.keys(route.examples).length, route.operationId).toBeGreaterThan(0);
      for (const example of Object.values(route.examples))
        expect(() => check(example)).not.toThrow();
    }
  });

  it('tells of 304 wherever If-None-Match is taken, and nowhere else', () => {
    for (const [name, operation] of operations) {
      const parameters = (
        operation as unknown as { readonly parameters: readonly { readonly $ref?: string }[] }
      ).parameters;
      expect(operation.responses['304'] !== undefined, name).toBe(
        parameters.some(({ $ref }) => $ref === '#/components/parameters/IfNoneMatch'),
      );
    }
    expect(operations.some(([, operation]) => operation.responses['304'])).toBe(true);
  });

  it('has an operation for every action that guidance may name', () => {
    const ids = new Set(OPERATIONS.map(({ id }) => id));
    // A record is there already, and the service alone lets it expire.
    for (const action of ACTIONS.filter((one) => one !== 'create' && one !== 'expire'))
      expect(ids, action).toContain(
        (ACTION_OPERATIONS as { readonly [action: string]: string })[action],
      );
  });
});
