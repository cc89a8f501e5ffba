import { canonicalJson, type JsonValue } from '../../domain/kernel/canonical-json.ts';

/** Two texts are equal exactly where the JSON values are equal. */
export const identity = (value: JsonValue): string =>
  typeof value === 'string'
    ? `"${value}`
    : isComposite(value)
      ? canonicalJson(value)
      : String(value);

export const isComposite = (value: JsonValue): boolean =>
  typeof value === 'object' && value !== null;
