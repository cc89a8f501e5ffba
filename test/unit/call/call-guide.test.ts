import { describe, expect, it } from 'vitest';
import { CallGuide, Operations } from '../../../application/call/call-guide.ts';
import { operation } from '../../../application/call/operation.ts';
import { CALLERS, createThing, CURSORS } from './support.ts';

const readThing = operation({
  ...createThing,
  id: 'readThing',
  access: () => ({ scope: 'records:read' }),
});
const administer = operation({
  ...createThing,
  id: 'administer',
  access: () => ({ scope: null, roles: ['platform'] }),
});
/** Its scope depends on the member that the step names. */
const act = operation({
  ...createThing,
  id: 'act',
  access: ({ name }) => ({ scope: name === 'look' ? 'records:read' : 'records:write' }),
});
const operations = new Operations([createThing, readThing, administer, act]);

const step = (name: string, input: { readonly [member: string]: string } = {}) => ({
  action: name,
  operation: name,
  input,
  description: 'Do it',
  workflowStep: 1,
});
const ALL = ['createThing', 'readThing', 'administer', 'nowhere'].map((name) => step(name));
const guideOf = (credential: string | null, binding = 'b'): CallGuide => {
  const caller = credential === null ? null : CALLERS.get(credential)!;
  return new CallGuide('r-1', caller, operations, CURSORS, binding);
};

describe('steps', () => {
  it.each([
    ['writer', ['createThing', 'readThing']],
    ['reader', ['readThing']],
    ['platform', ['administer']],
    [null, []],
  ])('lead %s only where it may go, to what exists, in their order', (credential, open) => {
    expect(
      guideOf(credential)
        .steps(...ALL)
        .map(({ action }) => action),
    ).toEqual(open);
  });

  it('are open or not by what they say of the input, and are given on as they are', () => {
    const [look, change] = [step('act', { name: 'look' }), step('act', { name: 'change' })];
    expect(guideOf('reader').steps(look, change)).toEqual([look]);
    expect(guideOf('writer').steps(change, look)).toEqual([change, look]);
  });
});

describe('a cursor', () => {
  it('is bound to the listing of the call, and none at the end', () => {
    const next = { key: 'k', id: 'i' };
    expect(guideOf('writer').cursor(null)).toBeNull();
    expect(CURSORS.decode(guideOf('writer', 'x').cursor(next)!, 'x')).toEqual(next);
    expect(() => CURSORS.decode(guideOf('writer', 'x').cursor(next)!, 'y')).toThrow(/cursor/);
  });
});

it('two operations of one id do not start', () => {
  expect(() => new Operations([createThing, readThing, createThing])).toThrow(TypeError);
});
