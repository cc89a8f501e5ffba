import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../adapters/http/query.ts';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import { CreateRecordInput as CreateRecordBody } from '../../../application/record/inputs.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

const inputs = new AjvInputCheck();
const check = inputs.prepare({
  noun: 'The body',
  memberNoun: 'member',
  schema: CreateRecordBody,
  hasHelp: true,
});

const refusalOf = (act: () => unknown): NotaryError => {
  try {
    act();
  } catch (error) {
    if (error instanceof NotaryError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('a body', () => {
  it.each([
    ['critera', 'criteria'],
    ['Type', 'type'],
    ['performerAgentID', 'performerAgentId'],
    ['ttl', 'type'],
  ])('with the unknown member %s is refused with the nearest known one', (name, nearest) => {
    const error = refusalOf(() => check({ type: 't', criteria: {}, [name]: 1 }));
    expect(error.code).toBe('VALIDATION_ERROR');
    const [finding] = error.members.errors!;
    expect(finding).toMatchObject({ path: `/${name}`, keyword: 'additionalProperties' });
    expect(finding!.message).toContain('the nearest known one is ');
    if (name !== 'ttl') expect(finding!.message).toContain(nearest);
    expect(error.message).toContain(name);
  });

  it('cannot smuggle a member under the name __proto__', () => {
    const error = refusalOf(() =>
      check(JSON.parse('{"type":"t","criteria":{},"__proto__":{"autoActivate":true}}')),
    );
    expect(error.members.errors![0]).toMatchObject({ path: '/__proto__' });
  });

  it('keeps whatever stands inside criteria', () => {
    const body = JSON.parse(
      '{"type":"t","criteria":{"__proto__":{"a":1},"x":[1,{"y":null}]}}',
    ) as unknown;
    const checked = check(body) as { readonly criteria: object };
    expect(checked.criteria).toBe((body as { readonly criteria: object }).criteria);
  });

  it('lists every finding by JSON Pointer, escaped as RFC 6901 says', () => {
    const error = refusalOf(() => check({ criteria: [], autoActivate: 'yes', 'a/b~c': 1 }));
    expect(error.members.errors!.map((finding) => finding.path).sort()).toEqual([
      '/autoActivate',
      '/a~1b~0c',
      '/criteria',
      '/type',
    ]);
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T23:59:60Z',
    'tomorrow',
    '2026-13-01T00:00:00Z',
  ])('with the time %s is refused', (expiresAt) => {
    expect(
      refusalOf(() => check({ type: 't', criteria: {}, expiresAt })).members.errors![0]!.path,
    ).toBe('/expiresAt');
  });

  it.each(['not-a-uuid', 'urn:uuid:019c1f00-0000-7000-8000-000000000006', ''])(
    'with the id %s is refused',
    (principalAgentId) => {
      expect(
        refusalOf(() => check({ type: 't', criteria: {}, principalAgentId })).members.errors![0]!
          .path,
      ).toBe('/principalAgentId');
    },
  );

  it('reads a UUID in either case and an instant in any zone, and spells each the one way', () => {
    expect(
      check({
        type: 't',
        criteria: { id: '019C1F00-0000-7000-8000-000000000006' },
        principalAgentId: '019C1F00-0000-7000-8000-000000000006',
        expiresAt: '2026-01-31T13:00:00+01:00',
      }),
    ).toEqual({
      type: 't',
      criteria: { id: '019C1F00-0000-7000-8000-000000000006' },
      principalAgentId: '019c1f00-0000-7000-8000-000000000006',
      expiresAt: '2026-01-31T12:00:00.000Z',
    });
  });

  it('reports at most 100 findings', () => {
    const body = {
      type: 't',
      criteria: {},
      ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, i])),
    };
    expect(refusalOf(() => check(body)).members.errors).toHaveLength(100);
  });
});

describe('a query', () => {
  const schema = Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      disputed: Type.Optional(Type.Boolean()),
      q: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  );
  const checkQuery = inputs.prepare({
    noun: 'The query',
    memberNoun: 'query parameter',
    schema,
    hasHelp: false,
  });
  const read = (search: string): unknown => checkQuery(parseQuery(search, schema));

  it('is read as the schema declares it', () => {
    expect(read('limit=10&disputed=true&q=10')).toEqual({ limit: 10, disputed: true, q: '10' });
    expect(read('q=a%2Bb+c%20d')).toEqual({ q: 'a+b c d' });
    expect(read('')).toEqual({});
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=1e2',
    'limit=0x10',
    'limit=',
    'limit=10.0',
    'disputed=1',
    'disputed=TRUE',
    'limit=1&limit=2',
    'q=%zz',
    'q=%ff',
    'nope=1',
    '__proto__=1',
    'toString=1',
  ])('%s is refused', (search) => {
    expect(refusalOf(() => read(search)).code).toBe('VALIDATION_ERROR');
  });

  it('names the nearest known parameter', () => {
    expect(refusalOf(() => read('limt=5')).members.errors![0]!.message).toContain(
      'query parameter; the nearest known one is limit',
    );
  });
});

describe('a body without members', () => {
  const empty = inputs.prepare({
    noun: 'The body',
    memberNoun: 'member',
    schema: Type.Object({}, { additionalProperties: false }),
    hasHelp: true,
  });

  it('is an empty object, and nothing else', () => {
    expect(empty({})).toEqual({});
    for (const value of [5, 'text', '', null, [], [1], { a: 1 }, true])
      expect(refusalOf(() => empty(value)).code, JSON.stringify(value)).toBe('VALIDATION_ERROR');
  });
});
