import { expect, it } from 'vitest';
import { OPERATIONS } from '../../config/operations.ts';

interface Schema {
  readonly type?: unknown;
  readonly pattern?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Members that hold a name which people read. */
const NAMES =
  /^(?:name|displayName|label|title|kind|platform|platformRef|publisher|recordTypes|slug|type)$/;

/** They name what is registered, under a pattern of its own, and are kept nowhere unless it is. */
const LOOKED_UP = ['createRecord/type', 'createRecord/publisher', 'createComplianceExport/type'];

const namesIn = (
  schema: Schema,
  at: string,
  name: string,
): readonly (readonly [string, Schema])[] => [
  ...(schema.type === 'string' && NAMES.test(name) && !('enum' in schema) && !('const' in schema)
    ? [[at, schema] as const]
    : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([member, one]) =>
    namesIn(one, `${at}/${member}`, member),
  ),
  ...(schema.items ? namesIn(schema.items, `${at}/*`, name) : []),
  ...(schema.anyOf ?? []).flatMap((one) => namesIn(one, at, name)),
];

it('no name that an operation stores holds a character that is not seen', () => {
  const names = OPERATIONS.filter(({ effect }) => effect !== 'read').flatMap(({ id, input }) =>
    namesIn(input as Schema, id, ''),
  );
  expect(names.length).toBeGreaterThan(20);
  const open = names.filter(([, { pattern }]) =>
    ['a\u200db', 'a\ufeff', 'a\u202eb', 'a\u00adb', 'a\u3164'].some(
      (text) => pattern === undefined || new RegExp(pattern, 'u').test(text),
    ),
  );
  expect(open.map(([at]) => at)).toEqual(LOOKED_UP);
});
