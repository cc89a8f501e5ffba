import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cursors } from '../../../application/call/cursors.ts';

const keyed = (key: string) => ({
  mac: (input: string) => createHmac('sha256', key).update(input).digest(),
});
const codec = new Cursors([keyed('k')]);
const next = { key: '2026-01-31T12:00:00.000Z', id: '019c1f00-0000-7000-8000-000000000006' };

describe('a cursor', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (key, id, binding) => {
        expect(codec.decode(codec.encode({ key, id }, binding), binding)).toEqual({ key, id });
      }),
    );
  });

  it('is refused under any other caller, filter or sort', () => {
    const cursor = codec.encode(next, 'listRecords of a');
    for (const binding of ['listRecords of b', 'listRecords of a ', ''])
      expect(() => codec.decode(cursor, binding)).toThrow(/cursor/);
  });

  it('is refused with any character changed, added or cut', () => {
    const cursor = codec.encode(next, 'b');
    for (let i = 0; i < cursor.length; i++) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
      // The last character of base64url holds unused bits: a change there may leave the bytes the same.
      if (i !== cursor.length - 1)
        expect(() => codec.decode(changed, 'b'), changed).toThrow(/cursor/);
    }
    for (const damaged of [
      '',
      '.',
      cursor.slice(0, -2),
      `${cursor}.x`,
      `${cursor}AAAA`,
      'e30.AAAA',
      '💥',
    ])
      expect(() => codec.decode(damaged, 'b')).toThrow(/cursor/);
  });

  it('is refused when another service made it', () => {
    const other = new Cursors([keyed('other')]);
    expect(() => codec.decode(other.encode(next, 'b'), 'b')).toThrow(/cursor/);
  });

  it('outlives the rotation of its key as long as that is listed', () => {
    const rotated = new Cursors([keyed('new'), keyed('k')]);
    expect(rotated.decode(codec.encode(next, 'b'), 'b')).toEqual(next);
    expect(() => codec.decode(rotated.encode(next, 'b'), 'b')).toThrow(/cursor/);
  });
});
