import { expect, it } from 'vitest';
import { AdmittedCredentials } from '../../../adapters/http/admitted-credentials.ts';

it('knows a credential for ten minutes after it was last let in, give or take the minute that it is noted once in', () => {
  let now = 0;
  const admitted = new AdmittedCredentials(() => now);
  expect(admitted.has('Bearer a')).toBe(false);
  admitted.note('Bearer a');
  now = 599_999;
  expect([admitted.has('Bearer a'), admitted.has('Bearer b')]).toEqual([true, false]);
  admitted.note('Bearer a');
  now = 1_199_998;
  expect(admitted.has('Bearer a')).toBe(true);
  now = 1_200_000;
  expect(admitted.has('Bearer a')).toBe(false);
});

it('is bounded: those noted longest ago go first', () => {
  const admitted = new AdmittedCredentials(() => 0);
  for (let n = 0; n <= 50_000; n++) admitted.note(`Bearer ${n}`);
  expect([
    admitted.has('Bearer 0'),
    admitted.has('Bearer 1'),
    admitted.has('Bearer 50000'),
  ]).toEqual([false, true, true]);
});
