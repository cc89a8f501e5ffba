import fc from 'fast-check';
import { expect, it } from 'vitest';
import { performJsonTask, valueOf } from '../../adapters/json-work/json-task.ts';
import { canonicalJson, type JsonValue } from '../../domain/kernel/canonical-json.ts';

const limits = { maxDepth: 64, maxValues: 65_536 };
const read = (text: string): JsonValue =>
  valueOf(performJsonTask({ bytes: new TextEncoder().encode(text), limits }));

/** Long enough for its form to be made in the thread, its members in any order. */
const long = fc
  .uniqueArray(fc.oneof(fc.string(), fc.constant('__proto__')), { minLength: 1, maxLength: 100 })
  .map((names) => `{${names.map((name) => `${JSON.stringify(name)}:"${'x'.repeat(99)}"`).join()}}`);

/** Inside what a protocol wraps it in, and beside other values. */
const wrapped = fc
  .tuple(long, fc.json({ maxDepth: 2 }), fc.nat({ max: 7 }))
  .map(([text, other, depth]) => {
    let made = text;
    for (let level = 0; level < depth; level++)
      made =
        level % 3 === 2
          ? `[${other},${made}]`
          : `{"z":${made},"other":${other},"__proto__":${other}}`;
    return made;
  });

it('a text in parts is the value that it is as a whole, and so is its canonical form', () => {
  fc.assert(
    fc.property(wrapped, (text) => {
      const value = read(text);
      const whole = JSON.parse(text) as JsonValue;
      expect(JSON.stringify(value)).toBe(JSON.stringify(whole));
      expect(canonicalJson(value)).toBe(canonicalJson(whole));
    }),
    { numRuns: 300 },
  );
});
