import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { listing } from '../../../application/call/operation.ts';
import { PAGE_INPUT } from '../../../application/call/schemas.ts';
import { sliceOf } from '../../../application/call/slice-of.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { CALLERS, CURSORS, DoThing } from './support.ts';

const row = (id: string) =>
  listing({
    id,
    words: { summary: 'List', group: 'Things' },
    access: () => 'public',
    input: Type.Object({
      name: Type.Optional(Type.String()),
      sort: Type.Optional(Type.String({ default: '-createdAt' })),
      ...PAGE_INPUT,
    }),
    output: Type.Unsafe<unknown>({}),
    result: { description: 'A page', example: null },
    useCase: DoThing,
    view: (view) => ({ view }),
  });
const listThings = row('listThings');
const writer = CALLERS.get('writer')!;
const bindingOf = (input: object, caller: Caller | null = writer, of = listThings): string =>
  sliceOf(of, input, caller, CURSORS).binding;

describe('a slice', () => {
  it('stands in the place of limit and cursor, beside the filters', () => {
    const filters = { name: 'a' };
    const { binding, input } = sliceOf(listThings, filters, writer, CURSORS);
    expect(input).toEqual({ name: 'a', slice: { limit: 50, after: null } });
    const next = { key: 'k', id: 'i' };
    const cursor = CURSORS.encode(next, binding);
    expect(sliceOf(listThings, { ...filters, limit: 7, cursor }, writer, CURSORS).input).toEqual({
      name: 'a',
      slice: { limit: 7, after: next },
    });
  });
});

describe('what a cursor is bound to', () => {
  it('is the operation, the owner of the credential, the filters and the sort', () => {
    const rotated = { ...writer, apiKeyId: 'rotated' };
    const all = [
      bindingOf({ name: 'a' }),
      bindingOf({ name: 'b' }),
      bindingOf({}),
      bindingOf({ name: 'a', sort: 'createdAt' }),
      bindingOf({ name: 'a' }, CALLERS.get('other')),
      bindingOf({ name: 'a' }, { ...writer, role: 'admin' }),
      bindingOf({ name: 'a' }, null),
      bindingOf({ name: 'a' }, writer, row('listOthers')),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(bindingOf({ name: 'a' }, rotated)).toBe(all[0]);
  });

  it('is neither how many rows were asked for nor the order of the filters, and a default is the same as none', () => {
    const binding = bindingOf({ name: 'a' });
    expect(bindingOf({ name: 'a', limit: 3 })).toBe(binding);
    expect(bindingOf({ sort: '-createdAt', name: 'a' })).toBe(binding);
    expect(bindingOf({ name: 'a', sort: '-createdAt' })).toBe(binding);
  });
});
