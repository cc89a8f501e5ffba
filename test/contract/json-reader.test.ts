import { afterAll, describe, expect, it } from 'vitest';
import { InlineJsonReader } from '../../adapters/json-work/inline-json-reader.ts';
import { JsonThread } from '../../adapters/json-work/json-thread.ts';
import { ThreadedJsonReader } from '../../adapters/json-work/threaded-json-reader.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import { canonicalJson, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
  TooManyValuesError,
} from '../../domain/kernel/strict-json.ts';

// Contract of application/call/json-reader.port.ts

const LIMITS = { maxDepth: 64, maxValues: 5_000 };
const thread = new JsonThread();
afterAll(() => thread.stop());

const READERS: readonly (readonly [string, JsonReader])[] = [
  ['on the calling thread', new InlineJsonReader(LIMITS)],
  ['in a thread, but for short texts', new ThreadedJsonReader(thread, LIMITS)],
  ['in a thread, every text', new ThreadedJsonReader(thread, LIMITS, 0)],
];
const utf8 = new TextEncoder();
const LONG = 'x'.repeat(70_000);

/** What is read, or the error. Errors come at once or by the promise. */
const outcomeOf = async (reader: JsonReader, bytes: Uint8Array): Promise<unknown> => {
  try {
    return await reader.read(bytes, 'org-1');
  } catch (error) {
    return error;
  }
};

describe.each(READERS)('JSON, read %s', (_name, reader) => {
  it.each<[string, string]>([
    ['an object', '{"b":[1,{"c":null}],"a":"é😀"}'],
    [
      'names that the runtime puts in an order of its own',
      '{"10":1,"9":2,"b":3,"a":{"2":0,"1":0}}',
    ],
    ['a member called __proto__', `{"__proto__":{"a":1},"b":{"__proto__":[]},"long":"${LONG}"}`],
    ['-0 as 0', '{"a":-0,"b":[-0.0]}'],
    ['white space around everything', ' { "a" : [ 1 , 2 ] } \n'],
    ['an array', `[1,2,{"a":"${LONG}"}]`],
    ['a text', `"${LONG}"`],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['a long member', `{"type":"t","criteria":{"z":"${LONG}","a":[{"y":1,"x":2}]}}`],
  ])('%s', async (_title, text) => {
    const expected = parseStrictJson(text);
    const value = await reader.read(utf8.encode(text), 'org-1');
    expect(value).toEqual(expected);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
    expect(canonicalJson(value)).toBe(canonicalJson(expected));
    expect(hashJson([value])).toBe(hashJson([expected]));
  });

  it('gives a member whose canonical form is that of the same member, read alone', async () => {
    const criteria = `{"z":"${LONG}","10":0,"9":[{"b":1,"a":"\\\\ud800"}]}`;
    const value = (await reader.read(utf8.encode(`{"criteria":${criteria}}`), 'org-1')) as {
      readonly criteria: JsonValue;
    };
    expect(hashJson(value.criteria)).toBe(hashJson(parseStrictJson(criteria)));
    expect(canonicalJson({ b: value.criteria, a: 1 })).toBe(
      canonicalJson({ b: parseStrictJson(criteria), a: 1 }),
    );
  });

  it.each<[string, string]>([
    ['a name that stands twice', `{"long":"${LONG}","a":{"b":1,"b":2}}`],
    ['a lone surrogate', `{"a":"\\ud800","long":"${LONG}"}`],
    ['a number that no double holds', `{"long":"${LONG}","a":[9007199254740993]}`],
    ['text that ends too soon', `{"long":"${LONG}","a":[`],
    ['nesting that is too deep', `{"long":"${LONG}","a":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['a short fault', '{"a":1,\n}'],
  ])('refuses %s, and says where', async (_title, text) => {
    const expected = ((): unknown => {
      try {
        return parseStrictJson(text, LIMITS);
      } catch (error) {
        return error;
      }
    })();
    const { message, pointer, offset, line, column } = expected as StrictJsonError;
    const error = await outcomeOf(reader, utf8.encode(text));
    expect(error).toBeInstanceOf(StrictJsonError);
    expect(error).not.toBeInstanceOf(TooManyValuesError);
    expect(error).toMatchObject({ message, pointer, offset, line, column });
  });

  it('refuses bytes that are no UTF-8', async () => {
    const bytes = Uint8Array.of(...utf8.encode('"a'), 0xff, ...utf8.encode(`${LONG}"`));
    expect(() => decodeUtf8Strict(bytes)).toThrow(StrictJsonError);
    expect(await outcomeOf(reader, bytes)).toMatchObject({
      name: 'StrictJsonError',
      message: 'The bytes are not UTF-8.',
      offset: 2,
    });
  });

  it.each([
    ['items', `{"a":[${'0,'.repeat(4_998)}0]}`, '/a/4998'],
    ['items, with white space', `{"a":[${'0, '.repeat(4_998)}0]}`, '/a/4998'],
    ['members', `{${Array.from({ length: 5_000 }, (_, at) => `"m${at}":0`).join(',')}}`, '/m4999'],
  ])('refuses more %s than are taken, and names the first', async (_what, text, pointer) => {
    const error = await outcomeOf(reader, utf8.encode(text));
    expect(error).toBeInstanceOf(TooManyValuesError);
    expect(error).toMatchObject({ pointer });
  });

  it('reads as many values as are taken', async () => {
    const text = `{"a":[${'0,'.repeat(4_997)}0]}`;
    expect(await outcomeOf(reader, utf8.encode(text))).toEqual(parseStrictJson(text));
  });

  it('leaves the bytes as they are', async () => {
    const bytes = utf8.encode(`{"a":"${LONG}"}`);
    await reader.read(bytes, 'org-1');
    expect(bytes).toEqual(utf8.encode(`{"a":"${LONG}"}`));
  });
});
