import type { TSchema } from 'typebox';
import { SHOWN_AS } from './schemas.ts';

/** Turns one part of a view into the form of a front-end. Undefined where that part has none there. */
export type Render<C> = (value: unknown, context: C) => unknown;

/** The forms of a front-end, by the mark in the schema that says where they are. */
export type Forms<C> = ReadonlyMap<unknown, Render<C>>;

/**
 * Compiled once for each schema of a view: parts without a mark are passed on unchanged, so a value that a caller wrote
 * never is.
 */
export const renderBy = <C>(schema: TSchema, forms: Forms<C>): Render<C> =>
  find(schema, forms) ?? ((value) => value);

interface SchemaMembers {
  readonly [SHOWN_AS]?: string;
  readonly properties?: { readonly [name: string]: TSchema };
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

const find = <C>(schema: TSchema, forms: Forms<C>): Render<C> | null => {
  const own = forms.get((schema as SchemaMembers)[SHOWN_AS]);
  if (own) return own;
  const { properties, items, anyOf } = schema as SchemaMembers;
  if (properties) return ofMembers(properties, forms);
  if (items) return ofItems(find(items, forms));
  return anyOf?.map((one) => find(one, forms)).find((one) => one !== null) ?? null;
};

const ofMembers = <C>(
  properties: { readonly [name: string]: TSchema },
  forms: Forms<C>,
): Render<C> | null => {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const render = find(schema, forms);
    return render ? [[name, render] as const] : [];
  });
  if (members.length === 0) return null;
  return (value, context) => {
    if (typeof value !== 'object' || value === null) return value;
    const copy: { [member: string]: unknown } = { ...value };
    for (const [name, render] of members)
      if (copy[name] !== undefined) copy[name] = render(copy[name], context);
    return copy;
  };
};

const ofItems = <C>(render: Render<C> | null): Render<C> | null =>
  render &&
  ((value, context) =>
    Array.isArray(value)
      ? value.map((item) => render(item, context)).filter((item) => item !== undefined)
      : value);
