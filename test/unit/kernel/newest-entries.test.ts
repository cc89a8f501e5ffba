import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NewestEntries } from '../../../domain/kernel/newest-entries.ts';

const KEYS = Array.from({ length: 30 }, (_, at) => at);

describe('the newest entries', () => {
  it('are there as they were set last, at least half as many as fit, and no more than fit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.array(
          fc.record({
            key: fc.constantFrom(...KEYS),
            value: fc.integer(),
            isGone: fc.boolean(),
          }),
          { maxLength: 200 },
        ),
        (capacity, steps) => {
          const entries = new NewestEntries<number, number>(capacity);
          // In the order in which they were set last. One that was deleted keeps its place: nothing bounded could bring
          // back what it made room for.
          const all = new Map<number, number | undefined>();
          for (const { key, value, isGone } of steps) {
            if (isGone) {
              entries.delete(key);
              if (all.has(key)) all.set(key, undefined);
            } else {
              entries.set(key, value);
              all.delete(key);
              all.set(key, value);
            }
            const newest = [...all].slice(-Math.floor(capacity / 2));
            expect(newest.map(([name]) => [name, entries.get(name)])).toEqual(newest);
            const found = KEYS.filter((name) => entries.get(name) !== undefined);
            expect(found.length).toBeLessThanOrEqual(capacity);
            for (const name of found) expect(entries.get(name)).toBe(all.get(name));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
