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
          // In the order in which they were set last.
          const all = new Map<number, number>();
          for (const { key, value, isGone } of steps) {
            all.delete(key);
            if (isGone) entries.delete(key);
            else {
              entries.set(key, value);
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
    );
  });
});
