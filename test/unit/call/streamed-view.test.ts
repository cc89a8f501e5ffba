import { expect, it } from 'vitest';
import { jsonParts, wholeView } from '../../../application/call/streamed-view.ts';

async function* items(...values: readonly unknown[]): AsyncGenerator<unknown> {
  yield* values;
}
const textOf = async (parts: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const part of parts) text += part;
  return text;
};
const viewOf = (values: readonly unknown[]) => ({
  first: { a: [1], gone: undefined },
  gone: undefined,
  chain: { key: '"', entries: items(...values), head: null },
  last: 'é',
});

it.each([[[]], [[{ n: 1 }]], [[{ n: 1 }, null, 'text', [2]]]])(
  'the parts of a view with %j make the JSON that the whole view makes',
  async (values) => {
    const whole = await wholeView(viewOf(values));
    expect(whole).toEqual({ ...viewOf([]), chain: { key: '"', entries: values, head: null } });
    const text = await textOf(jsonParts(viewOf(values)));
    expect(text).toBe(JSON.stringify(whole));
  },
);

it('an item that fails ends the parts with its error', async () => {
  const failing = async function* (): AsyncGenerator<unknown> {
    yield 1;
    throw new Error('gone');
  };
  const parts = jsonParts({ list: failing() });
  await expect(textOf(parts)).rejects.toThrow('gone');
});

it('a list in the items of a list is given in parts as well', async () => {
  const view = () => ({ records: items({ chain: { entries: items(1, 2) } }, { chain: null }) });
  const whole = { records: [{ chain: { entries: [1, 2] } }, { chain: null }] };
  expect(await wholeView(view())).toEqual(whole);
  expect(await textOf(jsonParts(view()))).toBe(JSON.stringify(whole));
});
