import { Type, type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { bind, bodyExample, bodyMembersOf } from '../../../adapters/rest/binding.ts';
import { operation } from '../../../application/call/operation.ts';
import { THING } from '../call/support.ts';

const CLOSED = { additionalProperties: false } as const;
const sendThing = operation({
  ...THING,
  id: 'sendThing',
  access: () => 'public',
  input: Type.Object(
    {
      thingId: Type.String({ format: 'uuid' }),
      note: Type.Optional(Type.String()),
      count: Type.Integer(),
      limit: Type.Optional(Type.Integer()),
    },
    CLOSED,
  ),
  examples: { one: { note: 'n', count: 1, limit: 2 } },
});
const sendMany = operation({
  ...THING,
  id: 'sendMany',
  access: () => 'public',
  input: Type.Object({ items: Type.Array(Type.Integer()) }, CLOSED),
  examples: { two: { items: [1, 2] } },
});
const readThing = operation({
  ...THING,
  id: 'readThing',
  access: () => 'public',
  input: Type.Object({ thingId: Type.String(), q: Type.Optional(Type.String()) }, CLOSED),
});

const membersOf = (schema: TSchema | null): readonly string[] => bodyMembersOf(schema!);
const nounsOf = ({ parts }: { readonly parts: readonly { readonly noun: string }[] }) =>
  parts.map(({ noun }) => noun);

describe('the parts of a binding', () => {
  const binding = bind(sendThing, {
    method: 'POST',
    path: '/v1/things/{id}/send',
    names: { id: 'thingId' },
    query: ['limit'],
  });

  it('are path, query and body, in this order', () => {
    expect(nounsOf(binding)).toEqual(['The path', 'The query', 'The body']);
    expect(binding.parameters).toEqual([['id', 'thingId']]);
    expect(binding.params).toMatchObject({
      required: ['id'],
      properties: { id: { format: 'uuid' } },
      ...CLOSED,
    });
    expect(membersOf(binding.query)).toEqual(['limit']);
    expect(membersOf(binding.body)).toEqual(['note', 'count']);
    expect(binding.body).toMatchObject({ required: ['count'], ...CLOSED });
  });

  it('help where the body is refused, with what of the first example stands there', () => {
    expect(binding.parts.map(({ hasHelp, example }) => [hasHelp, example])).toEqual([
      [false, undefined],
      [false, undefined],
      [true, { note: 'n', count: 1 }],
    ]);
  });

  it('of a GET are path and query: what is not in the path is in the query', () => {
    const read = bind(readThing, { method: 'GET', path: '/v1/things/{thingId}' });
    expect(nounsOf(read)).toEqual(['The path', 'The query']);
    expect([membersOf(read.query), read.body]).toEqual([['q'], null]);
  });

  it('have a closed query also where it takes nothing, and no path where there is no parameter', () => {
    const many = bind(sendMany, { method: 'POST', path: '/v1/things', whole: 'items' });
    expect(many.query).toMatchObject({ properties: {}, ...CLOSED });
    expect(nounsOf(many)).toEqual(['The query', 'The body']);
  });

  it('may have a member as the whole body', () => {
    const many = bind(sendMany, { method: 'POST', path: '/v1/things', whole: 'items' });
    expect(many.body).toMatchObject({ type: 'array' });
    expect(many.parts.at(-1)).toMatchObject({ whole: 'items', example: [1, 2] });
  });

  it('leave out what is fixed', () => {
    const alias = bind(sendThing, {
      method: 'POST',
      path: '/v1/things/{id}/once',
      names: { id: 'thingId' },
      fixed: { count: 1, limit: 1 },
      operationId: 'sendOnce',
    });
    expect(membersOf(alias.body)).toEqual(['note']);
    expect([alias.operationId, alias.operation.id]).toEqual(['sendOnce', 'sendThing']);
  });

  it('are without a body where nothing is left for one, unless the path takes an empty one', () => {
    const fixed = { note: 'n', count: 1, limit: 1 };
    const options = { method: 'POST', path: '/v1/things/{thingId}/go', fixed } as const;
    expect(bind(sendThing, options).body).toBeNull();
    expect(bind(sendThing, { ...options, takesEmptyBody: true }).body).toMatchObject({
      properties: {},
      ...CLOSED,
    });
  });

  it('do not start with a parameter that is no member', () => {
    expect(() => bind(sendThing, { method: 'POST', path: '/v1/things/{id}' })).toThrow(TypeError);
  });
});

it('what of an example stands in the body is what the body takes, or the member that is all of it', () => {
  expect(bodyExample({ a: 1, b: 2 }, ['b'])).toEqual({ b: 2 });
  expect(bodyExample({ a: 1, b: [2] }, [], 'b')).toEqual([2]);
});
