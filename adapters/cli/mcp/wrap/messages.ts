import type { JsonValue } from '../../../../domain/kernel/canonical-json.ts';
import { decodeUtf8Strict, parseStrictJson } from '../../../../domain/kernel/strict-json.ts';
import { hasRepeatedName } from './repeated-name.ts';

export type Message = { readonly [member: string]: unknown };

/** What a line says. */
export interface Said {
  /** One, or those of a batch, which 2025-03-26 had. */
  readonly messages: readonly Message[];
  /** Why another reader may find something else in it; null where every reader finds the same. */
  readonly doubt: string | null;
}

/** What a line says; null of one that is no JSON text. */
export const saidIn = (line: Uint8Array): Said | null => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(line).replace(/\r?\n?$/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return { messages: items.filter(isObject), doubt: doubtOf(line, text, value, items) };
};

/** Null where the line has no one value, such as with a number that doubles cannot hold, or a text that is no Unicode. */
export const exactlyIn = (line: Uint8Array): JsonValue | null => {
  try {
    return parseStrictJson(decodeUtf8Strict(line), { maxDepth: MAX_DEPTH });
  } catch {
    return null;
  }
};
/** What is nested deeper is not canonicalized: that recurses. */
const MAX_DEPTH = 256;

const doubtOf = (
  line: Uint8Array,
  text: string,
  value: unknown,
  items: readonly unknown[],
): string | null => {
  if (!isUtf8(line)) return 'it is not UTF-8';
  if (text.includes('\r')) return 'a reader that ends lines there finds other messages in it';
  if (hasRepeatedName(text, value)) return 'a member stands twice in one object';
  if (items.some(isMisspelt)) return 'a member is spelt as another one but for its case';
  return Array.isArray(value) && !items.every(isObject) ? 'a batch is of messages' : null;
};

const isUtf8 = (line: Uint8Array): boolean => {
  try {
    decodeUtf8Strict(line);
    return true;
  } catch {
    return false;
  }
};

/** Some readers look members up whatever their case, as Go's do. */
const isMisspelt = (item: unknown): boolean => {
  if (!isObject(item)) return false;
  const { params } = item;
  return (
    hasMisspelt(item, MESSAGE) ||
    (item['method'] === 'tools/call' && isObject(params) && hasMisspelt(params, PARAMS))
  );
};
const MESSAGE: ReadonlySet<string> = new Set(['id', 'method', 'params', 'result', 'error']);
const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments']);

const hasMisspelt = (value: Message, names: ReadonlySet<string>): boolean =>
  Object.keys(value).some((name) => !names.has(name) && names.has(folded(name)));

/** Also of letters that fold to one of ASCII, such as the long s. */
const folded = (name: string): string => name.toUpperCase().toLowerCase();

export const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
