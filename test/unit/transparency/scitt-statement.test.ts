import { encode } from 'cbor2';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../../domain/kernel/digest.ts';
import {
  entryIdOf,
  identityOf,
  readStatement,
  withReceipts,
} from '../../../domain/transparency/scitt-statement.ts';

type Labels = Map<number, unknown>;
const HEADER: Labels = new Map<number, unknown>([
  [3, 'text/plain'],
  [4, new Uint8Array([1, 2])],
  [
    15,
    new Map([
      [1, 'urn:a'],
      [2, 'urn:b'],
    ]),
  ],
  [1, -7],
]);
const PAYLOAD = new TextEncoder().encode('a payload');
const SIGNATURE = new Uint8Array(64).fill(7);

/** As cbor2 writes it, labels in the order of the map. */
const sign1 = (
  header: Labels = HEADER,
  {
    payload = PAYLOAD,
    unprotected = new Map(),
    signature = SIGNATURE,
  }: {
    payload?: Uint8Array | null;
    unprotected?: Labels;
    signature?: Uint8Array;
  } = {},
): Uint8Array =>
  new Uint8Array(
    Buffer.concat([
      Buffer.of(0xd2),
      encode([new Uint8Array(encode(header)), unprotected, payload, signature]),
    ]),
  );
const withLabel = (label: number, value: unknown): Labels => new Map(HEADER).set(label, value);
const without = (label: number): Labels => {
  const header = new Map(HEADER);
  header.delete(label);
  return header;
};

describe('a signed statement', () => {
  it('is read with its labels in any order', () => {
    expect(readStatement(sign1())).toMatchObject({
      alg: -7,
      algorithm: 'ES256',
      kid: new Uint8Array([1, 2]),
      iss: 'urn:a',
      sub: 'urn:b',
    });
  });

  it('is the same leaf whatever stands in its unprotected header', () => {
    const plain = readStatement(sign1());
    const adorned = readStatement(
      sign1(HEADER, { unprotected: new Map<number, unknown>([[394, [new Uint8Array(3)]]]) }),
    );
    expect(toHex(adorned.leafInput)).toBe(toHex(plain.leafInput));
    expect(toHex(plain.leafInput)).toBe(toHex(sign1()));
    expect(entryIdOf(adorned.leafInput)).toBe(entryIdOf(plain.leafInput));
  });

  it('is told from another by its key and what is signed, never by its signature', () => {
    const key = new Uint8Array(32).fill(1);
    const one = readStatement(sign1());
    const again = readStatement(sign1(HEADER, { signature: new Uint8Array(64).fill(9) }));
    const other = readStatement(sign1(HEADER, { payload: new Uint8Array([1]) }));
    expect(identityOf(key, again)).toEqual(identityOf(key, one));
    expect(identityOf(key, other)).not.toEqual(identityOf(key, one));
    expect(identityOf(new Uint8Array(32), one)).not.toEqual(identityOf(key, one));
  });

  it('carries its receipts under label 394, and none without one', () => {
    const leaf = readStatement(sign1()).leafInput;
    const receipt = new Uint8Array([1, 2, 3]);
    expect(toHex(withReceipts(leaf, []))).toBe(toHex(leaf));
    const expected = sign1(HEADER, { unprotected: new Map<number, unknown>([[394, [receipt]]]) });
    expect(toHex(withReceipts(leaf, [receipt]))).toBe(toHex(expected));
  });

  it.each([
    ['no tag', sign1().subarray(1), 'malformed_request'],
    ['nothing', new Uint8Array(0), 'malformed_request'],
    ['bytes behind it', Uint8Array.of(...sign1(), 0), 'malformed_request'],
    [
      'an indefinite array',
      Uint8Array.of(0xd2, 0x9f, ...sign1().subarray(2), 0xff),
      'malformed_request',
    ],
    ['no payload', sign1(HEADER, { payload: null }), 'payload_missing'],
    ['an algorithm that is not verified here', sign1(withLabel(1, -35)), 'bad_signature_algorithm'],
    ['no algorithm', sign1(without(1)), 'bad_signature_algorithm'],
    ['no CWT claims', sign1(without(15)), 'rejected'],
    ['no sub', sign1(withLabel(15, new Map([[1, 'urn:a']]))), 'rejected'],
    [
      'an empty iss',
      sign1(
        withLabel(
          15,
          new Map([
            [1, ''],
            [2, 'urn:b'],
          ]),
        ),
      ),
      'rejected',
    ],
    ['a critical label', sign1(withLabel(2, [-70002])), 'rejected'],
    [
      '256 KiB and more',
      sign1(HEADER, { payload: new Uint8Array(256 * 1024) }),
      'malformed_request',
    ],
  ])('with %s is refused', (_what, bytes, reason) => {
    expect(() => readStatement(bytes)).toThrow(expect.objectContaining({ reason }));
  });

  it('whose header has a label twice is refused', () => {
    const header = encode(HEADER);
    const twice = Uint8Array.of(header[0]! + 1, ...header.subarray(1), 0x01, 0x26);
    const bytes = Uint8Array.of(0xd2, ...encode([twice, new Map(), PAYLOAD, SIGNATURE]));
    expect(() => readStatement(bytes)).toThrow('cannot be read');
  });
});
