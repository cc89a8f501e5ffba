export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };
export type JsonObject = { readonly [member: string]: JsonValue };

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const utf8 = new TextEncoder();

/**
 * The RFC 8785 (JCS) form of a JSON value. A member that is undefined is left out, as JSON.stringify does.
 *
 * ECMAScript writes numbers and strings as sections 3.2.2.2 and 3.2.2.3 demand. So the runtime writes whatever has its
 * members in order already, which is many times faster; the rest is put in order here.
 *
 * @throws TypeError where the value has no such form: a lone surrogate (section 3.2.2.2), NaN or an infinity
 *   (section 3.2.2.3), or anything that is not JSON at all.
 */
export const canonicalJson = (value: JsonValue): string => {
  const unordered = new Set<object>();
  const text = hasOrder(value, unordered) ? JSON.stringify(value) : write(value, unordered);
  // The runtime writes a lone surrogate as such an escape. The text may also hold it as plain characters.
  return text.includes('\\ud') ? write(value, EVERYTHING) : text;
};

/** The canonical form as UTF-8, ready to be hashed or signed. */
export const canonicalJsonBytes = (value: JsonValue): Uint8Array =>
  utf8.encode(canonicalJson(value));

/**
 * Remembers the canonical form of a value that was made elsewhere, so that it is not made again as long as the value
 * is there. The value must never change.
 *
 * @param text made by `canonicalJson` of an equal value.
 */
export const rememberCanonicalJson = (value: object, text: string): void =>
  void remembered.set(value, text);

const remembered = new WeakMap<object, string>();

type Members = { readonly [member: string]: unknown };

/** Whether what the runtime writes of the value is its canonical form. What is not so is added to `unordered`. */
const hasOrder = (value: unknown, unordered: Set<object>): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  if (remembered.has(value)) {
    unordered.add(value);
    return false;
  }
  let isOrdered = true;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[])
      if (!hasOrder(item, unordered)) isOrdered = false;
  } else {
    let last = '';
    for (const name of Object.keys(value)) {
      if (name < last) isOrdered = false;
      last = name;
      const member = (value as Members)[name];
      if (member !== undefined && !hasOrder(member, unordered)) isOrdered = false;
    }
  }
  if (!isOrdered) unordered.add(value);
  return isOrdered;
};

/** What `write` puts in order, and looks through. */
type Unordered = Pick<ReadonlySet<object>, 'has'>;
const EVERYTHING: Unordered = { has: () => true };

const write = (value: unknown, unordered: Unordered): string => {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('a lone surrogate is not Unicode text');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value`);
      return JSON.stringify(value);
    case 'boolean':
      return JSON.stringify(value);
    case 'object':
      if (value === null || !unordered.has(value)) return JSON.stringify(value);
      return remembered.get(value) ?? writeComposite(value, unordered);
    default:
      throw new TypeError(`a value of type ${typeof value} is not JSON`);
  }
};

const writeComposite = (value: object, unordered: Unordered): string =>
  Array.isArray(value) ? writeArray(value, unordered) : writeObject(value as Members, unordered);

const writeArray = (items: readonly unknown[], unordered: Unordered): string => {
  let text = '';
  for (const item of items) text += `${text === '' ? '[' : ','}${write(item, unordered)}`;
  return text === '' ? '[]' : `${text}]`;
};

/** Section 3.2.3: by the UTF-16 code units of the names, which is how JavaScript compares strings. */
const writeObject = (value: Members, unordered: Unordered): string => {
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    text += `${text === '' ? '{' : ','}${write(name, unordered)}:${write(member, unordered)}`;
  }
  return text === '' ? '{}' : `${text}}`;
};
