import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';

type Path = readonly (string | number)[];

/** The same value with one thing about it changed: a value replaced, altered, removed or put elsewhere, a member added. */
export const mutantOf = (value: JsonObject): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      path: fc.constantFrom(...pathsOf(value)),
      replacement,
      name,
      how: fc.constantFrom('replace', 'remove', 'add', 'alter', 'copy'),
      at: fc.nat(),
      from: fc.constantFrom(...pathsOf(value)),
    })
    .map(({ path, replacement: put, name: member, how, at, from }) => {
      const mutant: JsonObject = structuredClone(value);
      const target = valueAt(mutant, path);
      if (how === 'add' && isContainer(target))
        set(target, Array.isArray(target) ? target.length : member, put);
      else if (how === 'remove') remove(valueAt(mutant, path.slice(0, -1)), path.at(-1)!);
      else if (how === 'copy')
        set(
          valueAt(mutant, path.slice(0, -1)),
          path.at(-1)!,
          structuredClone(valueAt(mutant, from)),
        );
      else
        set(
          valueAt(mutant, path.slice(0, -1)),
          path.at(-1)!,
          how === 'alter' && typeof target === 'string' ? altered(target, at) : put,
        );
      return mutant;
    });

const name = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'zip',
    'crit',
    'd',
    'kid',
    'enc',
    'alg',
    'epk',
    'header',
    'encrypted_key',
    'unprotected',
    'aad',
    'recipients',
    'ciphertext',
  ),
  fc.string({ maxLength: 8 }),
);
const text = fc.oneof(
  fc.string({ maxLength: 50, unit: 'binary' }).filter((value) => value.isWellFormed()),
  fc.base64String({ maxLength: 60 }),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.json().map((json) => Buffer.from(json).toString('base64url')),
);
const replacement: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  fc.constantFrom<JsonValue[]>(null, true, 0, '', [], {}, { toString: 1 }),
  fc.dictionary(name, text),
  fc.array(text, { maxLength: 40 }),
);

const pathsOf = (value: JsonValue, path: Path = []): Path[] => [
  ...(path.length > 0 ? [path] : []),
  ...(isContainer(value)
    ? Object.keys(value).flatMap((key) => pathsOf(value[key]!, [...path, key]))
    : []),
];

/** One character changed, dropped or doubled. */
const altered = (value: string, at: number): string => {
  const i = at % Math.max(1, value.length);
  return (
    value.slice(0, i) +
    ['', 'A', '=', '_', value[i] ?? '', `${value[i] ?? ''}${value[i] ?? ''}`][at % 6]! +
    value.slice(i + 1)
  );
};

const isContainer = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null;
const valueAt = (value: JsonValue, path: Path): JsonValue =>
  path.reduce<JsonValue>((inner, key) => (isContainer(inner) ? (inner[key] ?? null) : null), value);
const set = (container: JsonValue, key: string | number, value: JsonValue): void => {
  if (isContainer(container))
    Object.defineProperty(container, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
};
const remove = (container: JsonValue, key: string | number): void => {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else if (isContainer(container)) Reflect.deleteProperty(container, key);
};
