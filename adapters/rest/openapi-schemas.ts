import type { TSchema } from 'typebox';
import { canonicalDocument } from '../../domain/kernel/canonical-document.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Json } from './openapi-components.ts';
import { shownSchema } from './render.ts';

/**
 * Writes schemas as the OpenAPI document shows them: with a `$ref` for whatever is a component, and
 * in the form of which generators make good types.
 */
export class SchemaWriter {
  /** By name, written out. */
  readonly components: { readonly [name: string]: Json };
  private readonly names = new Map<string, string>();

  constructor(components: { readonly [name: string]: TSchema }) {
    const written = Object.entries(components)
      .map(([name, schema]) => ({ name, schema, size: textOf(this.write(schema)).length }))
      // What stands inside another schema is shorter, so it has its name before.
      .sort((one, other) => one.size - other.size)
      .map(({ name, schema }) => {
        const form = this.write(schema);
        this.names.set(textOf(form), name);
        return [name, form as Json] as const;
      });
    const byName = new Map(written);
    this.components = Object.fromEntries(
      Object.keys(components).map((name) => [name, byName.get(name) as Json]),
    );
  }

  /** The same schema as plain JSON. */
  write(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null) return schema;
    const shown = shownSchema(schema);
    if (shown) return this.write(shown);
    const members = Object.entries(schema).map(
      ([keyword, value]) => [keyword, this.keyword(keyword, value)] as const,
    );
    return this.named(openForm(withoutDefault(Object.fromEntries(members))));
  }

  /** Data, such as an enum, is left as it is: only what is a schema again is written. */
  private keyword(keyword: string, value: unknown): unknown {
    if (MAPS_OF_SCHEMAS.has(keyword))
      return Object.fromEntries(
        Object.entries(value as object).map(([name, schema]) => [name, this.write(schema)]),
      );
    if (LISTS_OF_SCHEMAS.has(keyword))
      return (value as readonly unknown[]).map((schema) => this.write(schema));
    return SCHEMAS.has(keyword) ? this.write(value) : value;
  }

  private named(form: Members): unknown {
    const name = this.names.get(textOf(form));
    if (name !== undefined) return schemaRef(name);
    const some = nonNull(form);
    const nameOfSome = some && this.names.get(textOf(some));
    return nameOfSome === undefined || nameOfSome === null
      ? form
      : { anyOf: [schemaRef(nameOfSome), { type: 'null' }] };
  }
}

interface Members {
  readonly [keyword: string]: unknown;
}

const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Keywords of JSON Schema 2020-12 under which schemas stand. */
const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);
const LISTS_OF_SCHEMAS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SCHEMAS: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);

/** Equal where two schemas say the same, in whatever order. */
const textOf = (form: unknown): string => canonicalDocument(form as JsonValue);

/**
 * Generators make a member with a default one that is always there, in requests too. So words say
 * what the default is.
 */
const withoutDefault = (schema: Members): Members => {
  if (!('default' in schema)) return schema;
  const { default: value, description, ...rest } = schema;
  const words = `default ${JSON.stringify(value)}`;
  return {
    ...rest,
    description:
      typeof description === 'string' ? `${description}; ${words}` : `D${words.slice(1)}`,
  };
};

/** An object of which no member is known takes any: where that is not said, generators make one that takes none. */
const openForm = (schema: Members): Members => {
  const { type, properties, additionalProperties } = schema;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return isObject && properties === undefined && additionalProperties === undefined
    ? { ...schema, additionalProperties: true }
    : schema;
};

/** The same schema without null, where null is one of its two types. */
const nonNull = (form: Members): Members | null => {
  const { type, enum: values, ...rest } = form;
  if (!Array.isArray(type) || type.length !== 2 || type[1] !== 'null') return null;
  return {
    ...rest,
    type: type[0] as unknown,
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
  };
};
