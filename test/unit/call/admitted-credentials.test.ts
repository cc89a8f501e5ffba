import { expect, it } from 'vitest';
import { AdmittedCredentials } from '../../../application/call/admitted-credentials.ts';

it('knows a credential for ten minutes after it was last let in, give or take the minute that it is noted once in', () => {
  let now = 0;
  const holder = {};
  const admitted = new AdmittedCredentials(() => now);
  expect(admitted.has('a')).toBe(false);
  admitted.note('a', holder);
  now = 599_999;
  expect([admitted.has('a'), admitted.has('b')]).toEqual([true, false]);
  admitted.note('a', holder);
  now = 1_199_998;
  expect(admitted.has('a')).toBe(true);
  now = 1_200_000;
  expect(admitted.has('a')).toBe(false);
});

it('is bounded: those noted longest ago go first', () => {
  const admitted = new AdmittedCredentials(() => 0);
  for (let n = 0; n <= 50_000; n++) admitted.note(`${n}`, { n });
  expect([admitted.has('0'), admitted.has('1'), admitted.has('50000')]).toEqual([
    false,
    true,
    true,
  ]);
});
