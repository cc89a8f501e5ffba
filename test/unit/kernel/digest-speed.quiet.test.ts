import { sha256 as pure } from '@noble/hashes/sha2.js';
import { afterAll, expect, it } from 'vitest';
import { hashWithRuntime } from '../../../adapters/system/runtime-sha256.ts';
import { hashWith, sha256 } from '../../../domain/kernel/digest.ts';

afterAll(hashWithRuntime);

it('the runtime hashes a large value at least twice as fast as pure JavaScript', () => {
  const large = new Uint8Array(1_048_576).map((_, at) => (at * 31) & 255);
  const best = (use: () => void): number => {
    use();
    return Math.min(
      ...Array.from({ length: 5 }, () => {
        const started = performance.now();
        sha256(large);
        return performance.now() - started;
      }),
    );
  };
  expect(best(hashWithRuntime)).toBeLessThan(best(() => hashWith(pure)) / 2);
});
