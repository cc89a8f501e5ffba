import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodeBase64Strict,
  decodeBase64UrlStrict,
  encodeBase64,
  encodeBase64Url,
} from '../../../domain/kernel/base64.ts';

it('decodes exactly what Node writes, and nothing else to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      expect(encodeBase64(bytes)).toBe(text);
      expect(decodeBase64Strict(text)).toEqual(bytes);
    }),
  );
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
