import type { RestBinding } from '../../../adapters/rest/binding.ts';
import { bodyExample } from '../../../adapters/rest/binding.ts';

/** A body by what is wrong with it, or large about it. */
export interface HostileBody {
  readonly name: string;
  readonly text: string;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
}

/**
 * The worst bodies of an operation, each of `bytes` bytes: what is wrong everywhere, and what is right everywhere
 * and costs most. They follow from the schema of its body, so a new operation and a new member have theirs.
 *
 * @param example a body that is well-formed; the first of the documentation unless another one is given.
 * @param values the most that a body may hold.
 */
export const hostileBodies = (
  binding: RestBinding,
  bytes: number,
  values: number,
  example: object = exampleOf(binding),
): readonly HostileBody[] => {
  const schema = binding.body as Schema;
  const room = bytes - JSON.stringify(example).length - 200;
  const within = (name: string, text: string): string => withMember(example, name, text);
  return [
    ...wrong(room, values).map(([name, text]) => ({ name, text: within('unknown', text) })),
    { name: 'unknown members', text: members(room, values - 100) },
    { name: 'unknown members, one of them twice', text: twice(members(room - 20, values - 100)) },
    { name: 'more unknown members than are taken', text: members(room, values * 2) },
    { name: 'text that ends too soon', text: members(room, values - 100).slice(0, -1) },
    { name: 'a text', text: `"${'\\n'.repeat(room / 2)}"` },
    { name: 'items', text: list(room, values - 100, () => '0') },
    { name: 'items that are objects', text: list(room, values / 3 - 100, () => '{"a":0}') },
    ...membersOf(schema).flatMap(([name, member]) =>
      valuesFor(member, room, values).map(([what, text]) => ({
        name: `${name}: ${what}`,
        text: within(name, text),
      })),
    ),
  ];
};

type Named = readonly (readonly [string, string])[];

const exampleOf = ({ operation, options, parts, body }: RestBinding): object => {
  const [example] = Object.values(options.examples ?? operation.examples);
  const inBody = Object.keys((body as Schema).properties ?? {});
  const shown: unknown = example
    ? bodyExample(example, inBody, options.whole)
    : parts.at(-1)?.example;
  return typeof shown === 'object' && shown !== null && !Array.isArray(shown) ? shown : {};
};

const membersOf = (schema: Schema): readonly (readonly [string, Schema])[] =>
  Object.entries(schema.properties ?? {});

const withMember = (example: object, name: string, text: string): string => {
  const { [name]: _, ...rest } = example as { readonly [name: string]: unknown };
  const others = Object.entries(rest).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `{${[...others, `${JSON.stringify(name)}:${text}`].join(',')}}`;
};

/** What no member is. */
const wrong = (bytes: number, values: number): Named => [
  ['nesting that is too deep', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
  [
    'numbers that no double holds, at the end',
    `${list(bytes - 30, values - 100, (at) => `1e${at % 300}`).slice(0, -1)},9007199254740993]`,
  ],
];

const valuesFor = (
  { type, items, anyOf, properties, pattern }: Schema,
  bytes: number,
  values: number,
): Named => {
  const types = [type ?? anyOf?.flatMap((one) => one.type ?? [])].flat(2);
  if (types.includes('array') || items)
    return [
      ['wrong items', list(bytes, values - 100, () => '0')],
      [
        'items with unknown members',
        list(bytes, values / 5 - 100, () => '{"a":0,"b":0,"c":0,"d":0}'),
      ],
      ['long texts as items', list(bytes, 90, () => `"${'a'.repeat(bytes / 100)}"`)],
    ];
  if (types.includes('object') || properties || types.includes(undefined))
    return contents(bytes, values).slice(0, properties ? 1 : undefined);
  if (types.includes('string'))
    return pattern === undefined
      ? [['a long text of escapes', `"${'\\u0041'.repeat(bytes / 6)}"`]]
      : [['a long text that almost fits', `"${'a.'.repeat(bytes / 2)}!"`]];
  return [['items for a scalar', list(bytes, values - 100, () => '0')]];
};

/** What is let through where any object is, and costs most to read, to hash, to keep and to show. */
export const contents = (bytes: number, values: number): Named => [
  ['many members, out of order', members(bytes, values - 200)],
  ['many members with white space', members(bytes, values - 200, ' ')],
  ['many objects', `{"a":${list(bytes, values / 2 - 100, () => '{"b":0}')}}`],
  [
    'nesting as deep as is taken',
    `{"a":${list(bytes, values / 60 - 10, () => '['.repeat(59) + ']'.repeat(59))}}`,
  ],
  ['many texts with escapes', `{"a":${list(bytes, values - 200, () => '"\\u0041\\n"')}}`],
  ['many numbers', `{"a":${list(bytes, values - 200, (at) => `1.${at}e${at % 300}`)}}`],
  ['one text', `{"a":"${'\\"'.repeat(bytes / 2)}"}`],
  ['more values than are taken', `{"a":${list(bytes, values * 2, () => '0')}}`],
];

/** Names as long as the bytes allow, in no order. */
const members = (bytes: number, count: number, space = ''): string => {
  const length = Math.max(4, Math.floor(bytes / count) - 6 - 2 * space.length);
  const parts: string[] = [];
  let size = 2;
  for (let at = 0; at < count; at++) {
    const name = ((at * 7_919) % 1_000_003).toString(36).padEnd(length, '_');
    const part = `${space}"${name}"${space}:0`;
    if ((size += part.length + 1) > bytes) break;
    parts.push(part);
  }
  return `{${parts.join(',')}}`;
};

const list = (bytes: number, count: number, item: (at: number) => string): string => {
  const parts: string[] = [];
  let size = 2;
  for (let at = 0; at < count; at++) {
    const part = item(at);
    if ((size += part.length + 1) > bytes) break;
    parts.push(part);
  }
  return `[${parts.join(',')}]`;
};

const twice = (text: string): string =>
  `${text.slice(0, -1)},${text.slice(1, text.indexOf(':'))}:0}`;
