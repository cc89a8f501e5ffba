import { expect, it } from 'vitest';
import { idempotencyKeyOf } from '../../../adapters/http/idempotency-key.ts';

it.each([
  [undefined, undefined],
  ['k1', 'k1'],
  ['"k1"', 'k1'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['"unfinished', '"unfinished'],
  ['""', ''],
])('the header %s is the key %s (RFC 8941 section 3.3.3)', (header, key) => {
  expect(idempotencyKeyOf(header)).toBe(key);
});
