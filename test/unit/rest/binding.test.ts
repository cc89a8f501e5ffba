import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import { bind, type RestBinding } from '../../../adapters/rest/binding.ts';
import { Links } from '../../../adapters/rest/links.ts';
import { inputReader } from '../../../application/call/input-form.ts';
import { operation } from '../../../application/call/operation.ts';

class Nothing {
  readonly execute = (): Promise<null> => Promise.resolve(null);
}

const sendThing = operation({
  id: 'sendThing',
  words: { summary: 'Send a thing', group: 'Things' },
  effect: 'write',
  access: () => 'public',
  input: Type.Object(
    {
      thingId: Type.String(),
      orgId: Type.Optional(Type.String()),
      note: Type.Optional(Type.String()),
      targetOrgId: Type.Optional(Type.String()),
      limitTo: Type.Optional(Type.Integer()),
    },
    { additionalProperties: false },
  ),
  output: Type.Null(),
  result: { description: 'Sent', example: null },
  useCase: Nothing,
  view: () => ({ view: null }),
});

const binding = bind(sendThing, {
  method: 'POST',
  path: '/v1/things/{id}',
  names: { id: 'thingId', orgId: 'targetOrgId' },
  query: ['targetOrgId', 'limitTo'],
  namesAction: true,
});

const read = (of: RestBinding, ...parts: readonly unknown[]): unknown =>
  inputReader(of, new AjvInputCheck())(parts);

describe('a binding', () => {
  it('gives parameters of the path and of the query other names, and leaves the body its own', () => {
    expect(read(binding, { id: 'a' }, { orgId: 'to', limitTo: 2 }, { orgId: 'from' })).toEqual({
      thingId: 'a',
      targetOrgId: 'to',
      limitTo: 2,
      orgId: 'from',
    });
    expect(() => read(binding, { id: 'a' }, { orgIds: 'to' }, { orgId: 'from' })).toThrow(
      'orgIds is not a known query parameter; the nearest known one is orgId',
    );
  });

  it('checks each part before the next one is read', () => {
    const heard = function* (): Iterable<unknown> {
      yield { id: 'a' };
      yield { unknown: 1 };
      throw new Error('the body was read');
    };
    expect(() => inputReader(binding, new AjvInputCheck())(heard())).toThrow(
      'The query is not valid',
    );
  });
});

describe('a link', () => {
  it('shows in its path, its query and its words what is known of the input', () => {
    const links = new Links([binding]);
    const step = {
      action: 'send',
      operation: 'sendThing',
      input: { thingId: 'a b', targetOrgId: 'x&y', note: 'now' },
      description: 'Send it',
    };
    expect(links.show(step)).toEqual({
      action: 'send',
      method: 'POST',
      href: '/v1/things/a%20b?orgId=x%26y',
      description: 'Send it; the body is {"note": "now"}',
    });
  });
});
