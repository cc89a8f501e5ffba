import { Type, type Static, type TArray, type TUnsafe } from 'typebox';

/** The members that lead from a view to its long list, the outermost first. */
export type StreamPath = readonly [string, ...string[]];

/**
 * A list of a view that comes item by item, for whoever reads it to pull: none of it is held as a whole. Documents show
 * it as the array that it is on the wire.
 */
export const streamed = <A extends TArray>(
  items: A,
): TUnsafe<AsyncIterable<Static<A> extends readonly (infer Item)[] ? Item : never>> =>
  Type.Unsafe(items);

/** The view with its list read to the end, for a front-end that cannot pass items on. */
export const wholeView = async (view: unknown, [name, ...rest]: StreamPath): Promise<unknown> => {
  const members = view as Members;
  const [next, ...further] = rest;
  return {
    ...members,
    [name]:
      next === undefined
        ? await allOf(members[name] as AsyncIterable<unknown>)
        : await wholeView(members[name], [next, ...further]),
  };
};

const allOf = async (items: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** The JSON text of the view in parts: what stands before the list, each item, and what stands behind it. */
export async function* jsonParts(
  view: unknown,
  [name, ...rest]: StreamPath,
): AsyncGenerator<string> {
  const [next, ...further] = rest;
  let before = '{';
  for (const [member, value] of Object.entries(view as Members)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(member)}:`;
    before = ',';
    if (member !== name) yield JSON.stringify(value);
    else if (next === undefined) yield* jsonItems(value as AsyncIterable<unknown>);
    else yield* jsonParts(value, [next, ...further]);
  }
  yield before === '{' ? '{}' : '}';
}

async function* jsonItems(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

interface Members {
  readonly [member: string]: unknown;
}
