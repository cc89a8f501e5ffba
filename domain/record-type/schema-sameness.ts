import { canonicalJson, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { ANNOTATIONS, isSchemaObject, type Schema } from './schema-walk.ts';

/**
 * Whether two schemas (or numbers) are equal apart from annotations. A reference means what it
 * points at, so equal text of two references proves nothing.
 */
export const isSame = (wide: JsonValue | undefined, narrow: JsonValue | undefined): boolean => {
  if (wide === undefined || narrow === undefined) return wide === narrow;
  return (
    !mentionsReference(wide) && !mentionsReference(narrow) && essence(wide) === essence(narrow)
  );
};

export const areEquivalentLists = (
  wide: JsonValue | undefined,
  narrow: JsonValue | undefined,
): boolean => {
  return (
    Array.isArray(wide) &&
    Array.isArray(narrow) &&
    wide.length === narrow.length &&
    wide.every((schema: Schema, i) => isSame(schema, narrow[i] as Schema))
  );
};

export const isEqualKeyword = (keyword: string, wide: JsonObject, narrow: JsonObject): boolean => {
  // The neighbouring keywords decide what counts as unevaluated, so only equal schemas would do.
  if (keyword.startsWith('unevaluated')) return false;
  if (keyword === 'uniqueItems' && narrow.uniqueItems === false) return true;
  const [before, now] = [wide[keyword], narrow[keyword]];
  return (
    before !== undefined &&
    now !== undefined &&
    !mentionsReference(before) &&
    !mentionsReference(now) &&
    canonicalJson(before) === canonicalJson(now)
  );
};

/** Whether the schema accepts everything. */
export const isTrivial = (schema: Schema): boolean =>
  schema === true ||
  (isSchemaObject(schema) && Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword)));

const mentions = new WeakMap<object, boolean>();
export const mentionsReference = (value: JsonValue): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const known = mentions.get(value);
  if (known !== undefined) return known;
  const found =
    (isSchemaObject(value) && (value.$ref !== undefined || value.$dynamicRef !== undefined)) ||
    Object.values(value).some((item: JsonValue) => mentionsReference(item));
  mentions.set(value, found);
  return found;
};

const essences = new WeakMap<object, string>();
const essence = (value: JsonValue): string => {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const known = essences.get(value);
  if (known !== undefined) return known;
  const text = canonicalJson(
    isSchemaObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([keyword]) => !DECORATIONS.has(keyword)))
      : value,
  );
  essences.set(value, text);
  return text;
};
/**
 * Ignored at the top of the compared value only: deeper down they could be names of members or
 * values of an enum.
 */
const DECORATIONS: ReadonlySet<string> = new Set([
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
