import type { Static, TSchema } from 'typebox';
import type { ProblemMembers } from '../../domain/kernel/errors.ts';
import { AjvInputCheck } from '../json-schema/ajv-input-check.ts';

/** Gives the value back with its type, or throws. */
export type Check<T> = (value: unknown) => T;

export type Place = 'body' | 'query' | 'path';

/** Shim, until every route is a binding. */
export const compileCheck = <S extends TSchema>(
  schema: S,
  place: Place,
  members: ProblemMembers = {},
): Check<Static<S>> => {
  const NOUNS = { body: 'The body', query: 'The query', path: 'The path' };
  const MEMBERS = { body: 'member', query: 'query parameter', path: 'path parameter' };
  const check = new AjvInputCheck().prepare({
    noun: NOUNS[place],
    memberNoun: MEMBERS[place],
    schema,
    hasHelp: place === 'body',
    example: members.examplePayload,
    whole: 'value',
  });
  return (value) => check(value)['value'] as Static<S>;
};
