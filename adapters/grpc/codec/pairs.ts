import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import type { TObject, TSchema } from 'typebox';
import { SHOWN_AS } from '../../../application/call/schemas.ts';

/** How a member of an operation travels in a message. */
export type Form =
  | {
      readonly kind:
        'string' | 'boolean' | 'int32' | 'int64' | 'number' | 'base64' | 'json' | 'texts';
    }
  | { readonly kind: 'message'; readonly schema: TObject; readonly message: DescMessage }
  /** Parts that each front-end shows in a form of its own. */
  | { readonly kind: 'step' | 'refusal'; readonly message: DescMessage };

/** A member and its field. Both carry one name: `recordId` is `record_id`, whose JSON name it is. */
export interface Pair {
  readonly name: string;
  readonly field: DescField;
  readonly form: Form;
  readonly isList: boolean;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
}

/** Fields that a message has beside the members of the operation. */
export type Extra = ReadonlySet<string>;

interface OpenSchema {
  readonly type?: string | readonly string[];
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly properties?: object;
  readonly additionalProperties?: unknown;
  readonly contentEncoding?: string;
  readonly maximum?: number;
  readonly [SHOWN_AS]?: string;
}

/**
 * Pairs the members of a schema with the fields of a message.
 *
 * @param items schemas of lists whose items the operation itself leaves open, by member.
 * @throws TypeError where one is missing on either side, or the types do not fit: the two are out of step.
 */
export const pairsOf = (
  schema: TObject,
  message: DescMessage,
  items: { readonly [member: string]: TObject } = {},
): readonly Pair[] => {
  const members = Object.entries(schema.properties);
  const names = new Set(members.map(([name]) => name));
  const stray = message.fields.filter(({ jsonName }) => !names.has(jsonName));
  const lost = members.filter(
    ([name]) => !message.fields.some(({ jsonName }) => jsonName === name),
  );
  if (stray.length + lost.length > 0)
    throw new TypeError(
      `${message.typeName} is out of step: it lacks ${lost.map(([name]) => name).join(', ') || 'nothing'}, and has ${stray.map(({ name }) => name).join(', ') || 'nothing'} more`,
    );
  return message.fields.map((field) => {
    const name = field.jsonName;
    const { schema: own, isNullable } = withoutNull(schema.properties[name]!);
    const isList = open(own).type === 'array';
    const item = isList ? (items[name] ?? withoutNull(open(own).items!).schema) : own;
    const pair = {
      name,
      field,
      isList,
      isNullable,
      isRequired: (schema.required ?? []).includes(name),
      form: formOf(item, field),
    };
    assertFits(pair, message);
    return pair;
  });
};

const open = (schema: TSchema): OpenSchema => schema;

/** The schema of what is not null, and whether null is possible. */
const withoutNull = (
  schema: TSchema,
): { readonly schema: TSchema; readonly isNullable: boolean } => {
  const { anyOf, type } = open(schema);
  if (anyOf) {
    const [one, ...others] = anyOf.filter((alternative) => open(alternative).type !== 'null');
    if (!one || others.length > 0) throw new TypeError('a union of several has no message');
    return { schema: one, isNullable: true };
  }
  if (!Array.isArray(type)) return { schema, isNullable: false };
  const [one] = (type as readonly string[]).filter((name) => name !== 'null');
  return { schema: { ...schema, type: one }, isNullable: true };
};

const formOf = (schema: TSchema, field: DescField): Form => {
  const { [SHOWN_AS]: shownAs, type, properties, additionalProperties, ...more } = open(schema);
  if (shownAs === 'step' || shownAs === 'refusal')
    return { kind: shownAs, message: messageOf(field) };
  // Open to members that no field could stand for.
  // A member whose form came after version 1 stays the JSON that it was.
  if (properties && additionalProperties !== true && field.scalar !== ScalarType.BYTES)
    return { kind: 'message', schema: schema as TObject, message: messageOf(field) };
  if (type === 'string') return { kind: more.contentEncoding === 'base64' ? 'base64' : 'string' };
  if (type === 'boolean' || type === 'number') return { kind: type };
  if (type === 'integer')
    return { kind: more.maximum !== undefined && more.maximum < 2 ** 31 ? 'int32' : 'int64' };
  return { kind: typeof additionalProperties === 'object' ? 'texts' : 'json' };
};

const messageOf = ({ message, parent, name }: DescField): DescMessage => {
  if (!message) throw new TypeError(`${parent.typeName}.${name} is no message`);
  return message;
};

const SCALARS = {
  string: ScalarType.STRING,
  boolean: ScalarType.BOOL,
  int32: ScalarType.INT32,
  int64: ScalarType.INT64,
  number: ScalarType.DOUBLE,
  base64: ScalarType.BYTES,
  json: ScalarType.BYTES,
} as const;

const assertFits = (
  { field, form, isList, isNullable, isRequired }: Pair,
  { typeName }: DescMessage,
): void => {
  const { kind } = form;
  const isMap = kind === 'texts';
  const scalar = kind in SCALARS ? SCALARS[kind as keyof typeof SCALARS] : undefined;
  const fits =
    (field.fieldKind === 'map') === isMap &&
    (field.fieldKind === 'list') === isList &&
    field.fieldKind !== 'enum' &&
    (isMap || field.scalar === scalar) &&
    // What may be missing says whether it is there.
    (isList ||
      isMap ||
      scalar === undefined ||
      field.presence === (isNullable || !isRequired ? EXPLICIT : IMPLICIT));
  if (!fits)
    throw new TypeError(
      `${typeName}.${field.name} does not fit its member, which is ${isList ? 'a list of ' : ''}${kind}`,
    );
};

/** FeatureSet.FieldPresence: `optional`, and a field that is its zero value where it is not set. */
const EXPLICIT = 1;
const IMPLICIT = 2;
