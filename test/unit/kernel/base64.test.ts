import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeBase64WithRuntime } from '../../../adapters/system/runtime-base64.ts';
import {
  decodeBase64Strict,
  decodeBase64UrlStrict,
  encodeBase64,
  encodeBase64Url,
  encodeBase64With,
  plainBase64,
} from '../../../domain/kernel/base64.ts';

afterAll(encodeBase64WithRuntime);

describe.each([
  ['pure JavaScript', () => encodeBase64With(plainBase64)],
  ['the runtime', encodeBase64WithRuntime],
])('base64 by %s', (_, choose) => {
  it('decodes exactly what Node writes, and nothing else to the same bytes', () => {
    choose();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(9), (whole, start) => {
        // Also of a part of a larger buffer.
        const bytes = whole.subarray(start);
        const text = Buffer.from(bytes).toString('base64');
        expect(encodeBase64(bytes)).toBe(text);
        expect(decodeBase64Strict(text)).toEqual(new Uint8Array(bytes));
      }),
    );
  });
});

it.each([
  ['another alphabet', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ['no padding', (text: string) => text.replaceAll('=', '')],
  ['lines', (text: string) => text.replace(/.{76}/g, '$&\n')],
  ['nothing', () => ''],
])('takes no encoder that writes %s', (_, change) => {
  encodeBase64WithRuntime();
  expect(() => encodeBase64With((bytes) => change(plainBase64(bytes)))).toThrow(TypeError);
  expect(encodeBase64(Uint8Array.of(0xfb, 0xff, 0xfe, 0xff))).toBe('+//+/w==');
});

it('accepts a text only if it is the one text of its bytes (RFC 4648 section 3.5)', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ABCDefgh0189+/=-_ \n'), maxLength: 12 }),
      (text) => {
        const bytes = decodeBase64Strict(text);
        expect(bytes !== null).toBe(Buffer.from(text, 'base64').toString('base64') === text);
        if (bytes) expect(encodeBase64(bytes)).toBe(text);
      },
    ),
    { numRuns: 2000 },
  );
});

it.each([
  'A',
  'AA',
  'AAA',
  '=',
  '====',
  'A===',
  'AB==',
  'AAB=',
  'AA=A',
  'AA==AAAA',
  'AAA\u00e9',
  'AA A',
  'AA-_',
])('refuses %j', (text) => {
  expect(decodeBase64Strict(text)).toBeNull();
});

it('base64url: decodes exactly what Node writes, and a text only if it is the one text of its bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64url');
      expect(encodeBase64Url(bytes)).toBe(text);
      expect(decodeBase64UrlStrict(text)).toEqual(bytes);
    }),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ABCDefgh0189+/=-_ \n'), maxLength: 12 }),
      (text) => {
        expect(decodeBase64UrlStrict(text) !== null).toBe(
          Buffer.from(text, 'base64url').toString('base64url') === text,
        );
      },
    ),
    { numRuns: 2000 },
  );
});
