import { canonicalJson, type JsonValue } from '../../domain/kernel/canonical-json.ts';

/** Equal exactly for equal JSON values. */
export const identity = (value: JsonValue): string =>
  typeof value === 'string'
    ? `"${value}`
    : isComposite(value)
      ? canonicalJson(value)
      : String(value);

export const isComposite = (value: JsonValue): boolean =>
  typeof value === 'object' && value !== null;
