import type { Static, TObject } from 'typebox';
import type { Operation } from './operation.ts';
import type { InputCheck, InputPart } from './input-check.port.ts';

export type Members = { readonly [member: string]: unknown };

/** Makes the flat input of what was heard: checks each part, in the order of the parts, and lays them together. */
export type ReadInput = (heard: Iterable<unknown>) => Members;

/**
 * What a front-end binds: an operation, what it fixes of the input, and the parts in which it hears the rest.
 */
export interface Binding<I extends TObject = TObject> {
  readonly operation: Operation<I>;
  readonly fixed?: Partial<Static<I>>;
  readonly parts: readonly InputPart[];
}

/** Prepares the parts once. @throws TypeError where a member stands in no part, or in two. */
export const inputReader = (
  { operation, fixed = {}, parts }: Binding,
  inputs: InputCheck,
): ReadInput => {
  assertComplete(operation.id, inputOf(operation, fixed), parts);
  const checks = parts.map((part) => inputs.prepare(part));
  return (heard) => {
    const input: { [member: string]: unknown } = {};
    let part = 0;
    for (const value of heard) Object.assign(input, checks[part++]?.(value));
    if (part !== checks.length) throw new TypeError(`${operation.id} was asked with ${part} parts`);
    return Object.assign(input, fixed);
  };
};

/** What is left to the caller where these members are fixed. */
export const inputOf = (operation: Pick<Operation, 'input' | 'narrow'>, fixed: Members): TObject =>
  operation.narrow?.(fixed) ?? without(operation.input, Object.keys(fixed));

/** The same object without some of its members. */
export const without = (schema: TObject, members: readonly string[]): TObject =>
  members.length === 0
    ? schema
    : pick(
        schema,
        Object.keys(schema.properties).filter((name) => !members.includes(name)),
      );

/** The same object with these members alone, in their own order. */
export const pick = (schema: TObject, members: readonly string[]): TObject => {
  const { required = [], ...open } = schema;
  const kept = Object.entries(schema.properties).filter(([name]) => members.includes(name));
  const needed = required.filter((name) => members.includes(name));
  // The members of the schema itself keep their order, and the documents theirs.
  return {
    ...(needed.length > 0 ? { ...schema, required: needed } : open),
    properties: Object.fromEntries(kept),
  } as TObject;
};

const assertComplete = (id: string, input: TObject, parts: readonly InputPart[]): void => {
  const heard = parts.flatMap(({ whole, names = {}, schema }) =>
    whole === undefined
      ? Object.keys((schema as TObject).properties).map((name) => names[name] ?? name)
      : [whole],
  );
  const wanted = Object.keys(input.properties);
  const wrong = [
    ...wanted.filter((name) => !heard.includes(name)),
    ...heard.filter((name, index) => !wanted.includes(name) || heard.indexOf(name) !== index),
  ];
  if (wrong.length > 0) throw new TypeError(`the binding of ${id} is wrong in ${wrong.join(', ')}`);
};
