import type { JsonValue } from '../../domain/kernel/canonical-json.ts';

/**
 * Estimates how long a schema takes to compile, without compiling it. A weight of 1 is a subschema,
 * about 100 µs of one core. The estimate is an upper bound: everything that looks like a subschema
 * or a pattern counts as one. Counting stops beyond `limit`.
 */
export const schemaWeight = (schema: JsonValue, limit: number): number => {
  let weight = 0;
  const walk = (value: JsonValue, name: string): void => {
    if (weight > limit) return;
    if (typeof value === 'string')
      weight +=
        name === 'pattern' ? patternWeight(value) : WEIGHT_OF_SCALAR + value.length / 20_000;
    else if (typeof value === 'boolean') weight += 1;
    else if (typeof value !== 'object' || value === null) weight += WEIGHT_OF_SCALAR;
    else if (Array.isArray(value)) {
      weight += 1;
      for (const item of value as readonly JsonValue[]) if (weight <= limit) walk(item, '');
    } else {
      weight += 1;
      for (const [key, member] of Object.entries(value)) {
        if (name === 'patternProperties') weight += patternWeight(key);
        walk(member, key);
      }
    }
  };
  walk(schema, '');
  return weight;
};

/**
 * Estimates the size of an instance: the number of its values, plus its text where that is long.
 */
export const valueWeight = (value: JsonValue, limit: number): number => {
  let weight = 0;
  const walk = (part: JsonValue): void => {
    weight += typeof part === 'string' ? 1 + part.length / 64 : 1;
    if (typeof part !== 'object' || part === null || weight > limit) return;
    for (const member of Array.isArray(part)
      ? (part as readonly JsonValue[])
      : Object.values(part)) {
      if (weight > limit) return;
      walk(member);
    }
  };
  walk(value);
  return weight;
};

const WEIGHT_OF_SCALAR = 0.02;

/** The engine expands repetitions, and a Unicode class holds hundreds of ranges. */
const patternWeight = (pattern: string): number => {
  if (pattern.length > 512) return Number.POSITIVE_INFINITY;
  const classes = (pattern.match(/\\p/gi)?.length ?? 0) * 10;
  let nested = 1;
  let plain = 1;
  for (const [, closing, least = '0', most] of pattern.matchAll(/(\)?)\{(\d+)(?:,(\d*))?\}/g)) {
    const times = Math.max(Number(least), Number(most || 0), 1);
    if (closing) nested *= times;
    else plain += times;
  }
  return 0.5 + ((pattern.length + classes) * nested * plain) / 300;
};
