import type { JsonObject } from '../kernel/canonical-json.ts';

/** What the JSON Schemas of the predicates are made of. */
export const UUID = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
} as const;
export const HASH = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
/** The pattern is of its form; the format, that the calendar has such a day. */
export const INSTANT = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
} as const;
export const TEXT = { type: 'string' } as const;
/** A word by which a hub calls what it refuses: none of its own is longer. */
export const WORD = { type: 'string', minLength: 1, maxLength: 64 } as const;
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const POSITION = { type: 'integer', minimum: 1 } as const;
export const closed = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

export const document = (title: string, schema: JsonObject): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  ...schema,
});
