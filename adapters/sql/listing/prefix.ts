/**
 * The half-open range of texts that begin with `prefix`, in the binary order of UTF-8 that both
 * databases use. There is no upper end where the prefix consists of the highest code point only.
 */
export const prefixRange = (prefix: string): readonly [string, string | null] => {
  const points = [...prefix].map((character) => character.codePointAt(0)!);
  while (points.length > 0) {
    const last = points.pop()!;
    if (last === 0x10ffff) continue;
    // The range between U+D7FF and U+E000 holds surrogates, which are not characters.
    points.push(last === 0xd7ff ? 0xe000 : last + 1);
    return [prefix, String.fromCodePoint(...points)];
  }
  return [prefix, null];
};

/** The first and the last UUID that begin with `prefix`, as bytes; null where none can. */
export const uuidPrefixRange = (prefix: string): readonly [Uint8Array, Uint8Array] | null => {
  if (!UUID_PREFIX.test(prefix) || prefix.length > 36) return null;
  for (let i = 0; i < prefix.length; i++) if ((prefix[i] === '-') !== HYPHENS.has(i)) return null;
  const hex = prefix.replaceAll('-', '').toLowerCase();
  return [Buffer.from(hex.padEnd(32, '0'), 'hex'), Buffer.from(hex.padEnd(32, 'f'), 'hex')];
};

const UUID_PREFIX = /^[0-9a-fA-F-]+$/;
const HYPHENS: ReadonlySet<number> = new Set([8, 13, 18, 23]);
