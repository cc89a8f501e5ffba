import type { TObject } from 'typebox';
import type { Caller } from '../../domain/identity/caller.ts';
import type { SliceRequest } from '../../domain/kernel/page.ts';
import { credentialOwner } from './credential-owner.ts';
import type { Cursors } from './cursors.ts';
import type { Operation } from './operation.ts';
import { DEFAULT_PAGE_LIMIT } from './schemas.ts';

interface PageInput {
  readonly limit?: number;
  readonly cursor?: string;
}

/** The input of a listing with the slice in the place of limit and cursor, and what its cursors are bound to. */
export const sliceOf = (
  operation: Operation,
  input: object,
  caller: Caller | null,
  cursors: Cursors,
): { readonly input: object; readonly binding: string } => {
  const { limit = DEFAULT_PAGE_LIMIT, cursor, ...filters } = input as PageInput;
  const binding = JSON.stringify([
    operation.id,
    caller && [caller.role, credentialOwner(caller)],
    Object.entries({ ...defaultsOf(operation.input), ...filters }).sort(byName),
  ]);
  const after = cursor === undefined ? null : cursors.decode(cursor, binding);
  const slice: SliceRequest = { limit, after };
  return { input: { ...filters, slice }, binding };
};

/** A filter that is left out and one that says its default are the same listing. */
const defaultsOf = ({ properties }: TObject): object =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      'default' in schema && name !== 'limit' ? [[name, schema.default]] : [],
    ),
  );

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;
