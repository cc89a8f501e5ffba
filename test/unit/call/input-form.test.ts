import { Type, type TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import type { InputPart } from '../../../application/call/input-check.port.ts';
import { inputOf, inputReader, pick, without } from '../../../application/call/input-form.ts';
import { operation } from '../../../application/call/operation.ts';
import { refusalOf } from '../../support/runner/refusal-of.ts';
import { DoThing } from './support.ts';

const CLOSED = { additionalProperties: false } as const;
const Input = Type.Object(
  {
    thingId: Type.String({ format: 'uuid' }),
    action: Type.String(),
    note: Type.Optional(Type.String()),
    items: Type.Optional(Type.Array(Type.Integer())),
  },
  CLOSED,
);
const sendThing = operation({
  id: 'sendThing',
  words: { summary: 'Send', group: 'Things' },
  effect: 'write',
  access: () => 'public',
  input: Input,
  output: Type.Null(),
  result: { description: 'Sent', example: null },
  useCase: DoThing,
  view: () => ({ view: null }),
});
/** An action may be left with fewer members than the operation takes. */
const narrowing = {
  ...sendThing,
  narrow: ({ action }: { readonly action?: string }) =>
    action === 'bare' ? pick(Input, ['thingId']) : Input,
};

const ID = '019c1f00-0000-7000-8000-000000000006';
const part = (schema: TObject, more: Partial<InputPart> = {}): InputPart => ({
  noun: 'It',
  memberNoun: 'member',
  schema,
  hasHelp: false,
  ...more,
});
const inputs = new AjvInputCheck();
const rest = pick(Input, ['note', 'items']);
const path = part(Type.Object({ id: Type.String({ format: 'uuid' }) }, CLOSED), {
  names: { id: 'thingId' },
});

describe('a binding', () => {
  it('lays its parts together, under the names of the input, and what it fixes over them', () => {
    const read = inputReader(
      { operation: sendThing, fixed: { action: 'go' }, parts: [path, part(rest)] },
      inputs,
    );
    expect(read([{ id: ID.toUpperCase() }, { note: 'n' }])).toEqual({
      thingId: ID,
      note: 'n',
      action: 'go',
    });
  });

  it('may have a part that is one member as a whole', () => {
    const read = inputReader(
      {
        operation: sendThing,
        fixed: { action: 'go' },
        parts: [
          path,
          part(pick(Input, ['note'])),
          { ...part(rest), schema: Type.Array(Type.Integer()), whole: 'items' },
        ],
      },
      inputs,
    );
    expect(read([{ id: ID }, {}, [1, 2]])).toEqual({ thingId: ID, items: [1, 2], action: 'go' });
  });

  it('checks its parts in their order: the first that is not valid is told', () => {
    const first = part(pick(Input, ['thingId', 'action']), { noun: 'The first' });
    const second = part(rest, { noun: 'The second' });
    const read = inputReader({ operation: sendThing, parts: [first, second] }, inputs);
    expect(refusalOf(() => read([{}, { nope: 1 }])).message).toContain('The first is not valid');
    expect(refusalOf(() => read([{ thingId: ID, action: 'a' }, { nope: 1 }])).message).toContain(
      'The second is not valid',
    );
  });

  it('takes of a narrowed operation what is left of it', () => {
    const bare = { operation: narrowing, fixed: { action: 'bare' }, parts: [path] };
    expect(inputReader(bare, inputs)([{ id: ID }])).toEqual({ thingId: ID, action: 'bare' });
    expect(() => inputReader({ ...bare, parts: [path, part(rest)] }, inputs)).toThrow(TypeError);
  });

  it.each([
    ['a member that stands in no part', { parts: [path, part(rest)] }, 'action'],
    ['two members that do', { parts: [part(pick(Input, ['thingId', 'action']))] }, 'note, items'],
    ['a member in two parts', { parts: [path, part(Input)] }, 'thingId'],
    [
      'a member that the operation does not have',
      { parts: [part(Input), part(Type.Object({ other: Type.String() }, CLOSED))] },
      'other',
    ],
    [
      'a member that is fixed and asked for',
      { fixed: { action: 'go' }, parts: [part(Input)] },
      'action',
    ],
    [
      'a name that leads nowhere',
      { parts: [part(Input, { names: { note: 'notes' } })] },
      'note, notes',
    ],
  ])('does not start with %s', (_what, binding, wrong) => {
    expect(() => inputReader({ operation: sendThing, ...binding }, inputs)).toThrow(
      new TypeError(`the binding of sendThing is wrong in ${wrong}`),
    );
  });
});

describe('a part of a schema', () => {
  it('keeps the order of the members, what is required of them, and that it is closed', () => {
    const some = pick(Input, ['note', 'action']);
    expect(Object.keys(some.properties)).toEqual(['action', 'note']);
    expect(some).toMatchObject({ required: ['action'], additionalProperties: false });
    expect(pick(Input, ['note'])).not.toHaveProperty('required');
    expect(Object.keys(without(Input, ['note', 'thingId']).properties)).toEqual([
      'action',
      'items',
    ]);
    expect(without(Input, [])).toBe(Input);
  });

  it('is what the operation leaves where it says so, else what is not fixed', () => {
    expect(Object.keys(inputOf(sendThing, { action: 'a' }).properties)).toEqual([
      'thingId',
      'note',
      'items',
    ]);
    expect(Object.keys(inputOf(narrowing, { action: 'bare' }).properties)).toEqual(['thingId']);
  });
});
