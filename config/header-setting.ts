import { bad, base, good, split, type Setting } from './setting-types.ts';

/** `name=value` pairs as OpenTelemetry writes headers: values percent-encoded. Null where unset; never echoed. */
export const headerPairs = (row: {
  readonly description: string;
}): Setting<Readonly<Record<string, string>> | null> => {
  const allowed = 'comma-separated headers, each NAME=VALUE, with percent-encoding where needed';
  return {
    ...base('list', { ...row, default: null, defaultText: 'unset' }, allowed),
    secret: true,
    parse: (value) => {
      const pairs = split(value).map(headerPair);
      return pairs.length > 0 && pairs.every((pair) => pair !== null)
        ? good(Object.fromEntries(pairs))
        : bad(allowed, null);
    },
  };
};

const headerPair = (item: string): readonly [name: string, value: string] | null => {
  const [, name, encoded] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100})\s*=\s*(.+)$/.exec(item) ?? [];
  try {
    const value = decodeURIComponent(encoded ?? '');
    return name !== undefined && /^[\x20-\x7e]{1,4096}$/.test(value) ? [name, value] : null;
  } catch {
    return null;
  }
};
