import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { code, escaped, inline, slugOf, table } from './html.ts';
import { listOf, objectOf, textOf } from './openapi-reader.ts';

/** Deeper members stand in tables of their own, which few readers would follow further. */
const DEEPEST = 6;

/** A JSON Schema for people: its members as a table, those of members below them. */
export const schemaHtml = (schema: JsonObject): string => {
  const rows = membersOf(schema, '', 0);
  return rows.length === 0
    ? `<p>${typeOf(schema)}${noteOf(schema)}</p>`
    : table(['member', 'takes', 'meaning'], rows);
};

/** One line on what it takes, such as `string, 1 to 64 characters`. */
export const typeOf = (schema: JsonObject): string => {
  const { $ref, anyOf, oneOf, allOf, type, items, enum: values } = schema;
  if (typeof $ref === 'string') return schemaLink($ref);
  if (schema['const'] !== undefined) return code(JSON.stringify(schema['const']));
  if (Array.isArray(values)) return values.map((one) => code(JSON.stringify(one))).join(', ');
  const [alternatives, all] = [listOf(anyOf ?? oneOf), listOf(allOf)];
  if (alternatives.length > 0) return alternatives.map((one) => typeOf(objectOf(one))).join(' or ');
  if (all.length > 0) return all.map((one) => typeOf(objectOf(one))).join(' and ');
  if (items !== undefined) return `array of ${typeOf(objectOf(items))}${limitsOf(schema)}`;
  const types = (Array.isArray(type) ? (type as readonly JsonValue[]) : [type]).map(textOf);
  return `${escaped(types.filter((one) => one !== '').join(' or ') || 'anything')}${limitsOf(schema)}`;
};

const schemaLink = (reference: string): string => {
  const name = reference.split('/').at(-1) ?? reference;
  return `<a href="/docs/reference/components#${slugOf(name)}">${escaped(name)}</a>`;
};

/** The members of an object, of each item of an array, and of what an `allOf` joins. */
const membersOf = (schema: JsonObject, before: string, depth: number): string[][] => {
  if (depth > DEEPEST) return [];
  const required = new Set(listOf(schema['required']).map(textOf));
  const own = Object.entries(objectOf(schema['properties'])).flatMap(([name, value]) => {
    const member = objectOf(value);
    const path = `${before}${name}`;
    return [
      [
        `${code(path)}${required.has(name) ? '' : ' <span class="optional">optional</span>'}`,
        typeOf(member),
        noteOf(member).replace(/^: /, ''),
      ],
      ...membersOf(member, `${path}.`, depth + 1),
    ];
  });
  const items = schema['items'] === undefined ? [] : itemMembers(schema, before, depth);
  const joined = [...listOf(schema['allOf']), ...listOf(schema['anyOf'])].flatMap((part) =>
    membersOf(objectOf(part), before, depth + 1),
  );
  return [...own, ...items, ...joined];
};

const itemMembers = (schema: JsonObject, before: string, depth: number): string[][] =>
  membersOf(objectOf(schema['items']), before.replace(/\.$/, '[].'), depth + 1);

const noteOf = (schema: JsonObject): string => {
  const { description, default: standard } = schema;
  return [
    typeof description === 'string' ? `: ${inline(description)}` : '',
    standard === undefined ? '' : ` Default ${code(JSON.stringify(standard))}.`,
  ].join('');
};

const LIMITS: readonly (readonly [least: string, most: string, unit: string])[] = [
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
  ['minProperties', 'maxProperties', ' members'],
  ['minimum', 'maximum', ''],
];

const limitsOf = (schema: JsonObject): string => {
  const ranges = LIMITS.flatMap(([least, most, unit]) => {
    const [from, to] = [schema[least], schema[most]];
    if (from === undefined && to === undefined) return [];
    if (from === undefined) return [`at most ${String(to)}${unit}`];
    return [
      to === undefined
        ? `at least ${String(from)}${unit}`
        : `${String(from)} to ${String(to)}${unit}`,
    ];
  });
  const form = textOf(schema['format']);
  const pattern = textOf(schema['pattern']);
  return [
    ...(form === '' ? [] : [escaped(form)]),
    ...ranges.map(escaped),
    ...(pattern === '' ? [] : [`as ${code(pattern)}`]),
  ]
    .map((part) => `, ${part}`)
    .join('');
};
