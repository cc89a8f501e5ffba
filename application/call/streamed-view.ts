import { Type, type Static, type TArray, type TUnsafe } from 'typebox';

/**
 * A list of a view that comes item by item, for whoever reads it to pull: none of it is held as a whole. Documents show
 * it as the array that it is on the wire.
 */
export const streamed = <A extends TArray>(
  items: A,
): TUnsafe<AsyncIterable<Static<A> extends readonly (infer Item)[] ? Item : never>> =>
  Type.Unsafe(items);

/** The view with its lists read to the end, for a front-end that cannot pass items on. */
export const wholeView = async (view: unknown): Promise<unknown> => {
  if (isStream(view)) {
    const all: unknown[] = [];
    for await (const item of view) all.push(await wholeView(item));
    return all;
  }
  if (!holdsStream(view)) return view;
  const members: { [member: string]: unknown } = {};
  for (const [name, value] of Object.entries(view)) members[name] = await wholeView(value);
  return members;
};

/** The JSON text of the view in parts: what stands before a list, each item, and what stands behind it. */
export async function* jsonParts(view: unknown): AsyncGenerator<string> {
  if (isStream(view)) yield* jsonItems(view);
  else if (!holdsStream(view)) yield JSON.stringify(view);
  else {
    let before = '{';
    for (const [member, value] of Object.entries(view)) {
      if (value === undefined) continue;
      yield `${before}${JSON.stringify(member)}:`;
      before = ',';
      yield* jsonParts(value);
    }
    yield '}';
  }
}

async function* jsonItems(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before;
    yield* jsonParts(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  isObject(value) && Symbol.asyncIterator in value;

/** In a member, or in a member of one: no view has a stream further down, but in the items of another. */
const holdsStream = (value: unknown, depth = 2): value is object =>
  depth > 0 &&
  isObject(value) &&
  !Array.isArray(value) &&
  Object.values(value).some((member) => isStream(member) || holdsStream(member, depth - 1));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
