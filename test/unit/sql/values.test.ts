import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantText } from '../../../adapters/sql/base/instant-text.ts';
import { uuidFromBytes, uuidToBytes } from '../../../adapters/sql/base/uuid-bytes.ts';

describe('a UUID as bytes', () => {
  it('has the bytes that its digits say, and comes back in lowercase', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.boolean(), (uuid, upper) => {
        const bytes = uuidToBytes(upper ? uuid.toUpperCase() : uuid);
        expect(Buffer.from(bytes).toString('hex')).toBe(uuid.replaceAll('-', ''));
        expect(uuidFromBytes(bytes)).toBe(uuid);
      }),
    );
  });

  it.each([
    ['a digit that is none', '0190f3c2-7c3e-7abc-8def-0123456789ag'],
    ['a character beyond ASCII', '0190f3c2-7c3e-7abc-8def-0123456789aé'],
    ['a digit in the place of a hyphen', '0190f3c2a7c3e-7abc-8def-0123456789ab'],
    ['one digit too many', '0190f3c2-7c3e-7abc-8def-0123456789abc'],
    ['nothing', ''],
  ])('%s is read as Buffer reads it: nothing is taken for a digit that is none', (_what, text) => {
    expect(uuidToBytes(text)).toEqual(Buffer.from(text.replaceAll('-', ''), 'hex'));
  });
});

describe('a time as text', () => {
  it('is what Date makes of it, from one day to another and back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -8.64e15, max: 8.64e15 }), { minLength: 2 }),
        (times) => {
          expect(times.map(instantText)).toEqual(times.map((time) => new Date(time).toISOString()));
        },
      ),
    );
  });

  it('is refused where the number is no time', () => {
    expect(() => instantText(NaN)).toThrow(RangeError);
    expect(() => instantText(8.65e15)).toThrow(RangeError);
  });
});
