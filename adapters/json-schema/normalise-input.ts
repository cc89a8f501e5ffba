import type { TSchema } from 'typebox';

/** Gives the value itself, or a copy in which UUIDs and instants have their canonical spelling. */
type Normalise = (value: unknown) => unknown;

interface SchemaMembers {
  readonly format?: string;
  readonly properties?: { readonly [name: string]: TSchema };
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

type ObjectValue = { readonly [member: string]: unknown };

/** Compiled once for each schema: parts without UUIDs and instants are skipped. */
export const normaliserOf = (schema: TSchema): Normalise => find(schema) ?? ((value) => value);

const find = (schema: TSchema): Normalise | null => {
  const { format, properties, items, anyOf } = schema as SchemaMembers;
  if (format === 'uuid') return text((value) => value.toLowerCase());
  // RFC 3339 has many spellings of one instant.
  if (format === 'date-time') return text((value) => new Date(value).toISOString());
  if (properties) return ofMembers(properties);
  if (items) return ofItems(find(items));
  // The only unions in inputs are those of a type with null.
  return anyOf?.map(find).find((one) => one !== null) ?? null;
};

const text =
  (spell: (value: string) => string): Normalise =>
  (value) =>
    typeof value === 'string' ? spell(value) : value;

const ofMembers = (properties: { readonly [name: string]: TSchema }): Normalise | null => {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const normalise = find(schema);
    return normalise ? [[name, normalise] as const] : [];
  });
  if (members.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const copy: { [member: string]: unknown } = { ...(value as ObjectValue) };
    for (const [name, normalise] of members)
      if (copy[name] !== undefined) copy[name] = normalise(copy[name]);
    return copy;
  };
};

const ofItems = (normalise: Normalise | null): Normalise | null =>
  normalise && ((value) => (Array.isArray(value) ? value.map(normalise) : value));
