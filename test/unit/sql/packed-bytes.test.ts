import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  packed,
  packedText,
  unpacked,
  unpackedText,
} from '../../../adapters/sql/base/packed-bytes.ts';
import { DICTIONARY } from '../../../adapters/sql/base/packing/dictionary.ts';
import { LONGEST } from '../../../adapters/sql/base/packing/operations.ts';

const COSE = 0xd2;
const UUID = '019c1f00-0000-7000-8000-000000000001';
const HASH = '5e'.repeat(32);

/** As they were stored by builds before, and must be read for ever. */
const DEFLATED =
  '01bb4485c03034d435320e3130b43236b33234d4b33431410b0c0343cb64c33403035d030303035d7310616100e54281211101669a4a1944097073d410af0500';
const PACKED =
  '0200d2da0ea8f32026112301361194444df0019c1f0000007000800000000000000162f15e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e4c00374d007d';
const OF_DICTIONARY = 'a3cab89104b2c09a1f7b2d38be85eb8a8aca196bbbeef31c376e70b82601b9c0';

const signed = (...parts: readonly (string | Uint8Array)[]): Uint8Array =>
  Uint8Array.from([COSE, ...parts.flatMap((part) => [...Buffer.from(part)])]);

/** A piece of something that this service signs, or of nothing at all. */
const PIECES: readonly (() => string | Uint8Array)[] = [
  () => randomUUID(),
  () => randomBytes(16).toString('hex'),
  () => randomBytes(32).toString('hex'),
  () => randomBytes(randomInt(0, 40)).toString('hex').slice(1),
  () => new Date(randomInt(0, 2 ** 47)).toISOString(),
  () => randomBytes(randomInt(0, 200)),
  () => randomUUID().toUpperCase(),
  () => UUID,
  () => HASH,
  () => '0'.repeat(randomInt(0, 200)),
  () => {
    const place = randomInt(0, DICTIONARY.length);
    return DICTIONARY.subarray(place, place + randomInt(0, 300));
  },
];

describe('signed bytes that are packed', () => {
  it('come back byte for byte, whatever they are and whatever they begin with', () => {
    for (let run = 0; run < 2_000; run++) {
      const bytes = new Uint8Array(randomBytes(randomInt(0, 900)));
      if (bytes.length > 0) bytes[0] = [COSE, 0x01, 0x02, 0x00, bytes[0]!][run % 5]!;
      expect(unpacked(packed(bytes))).toEqual(bytes);
    }
  });

  it('come back byte for byte, of whatever pieces they are made', () => {
    for (let run = 0; run < 2_000; run++) {
      const count = run % 50 === 0 ? 400 : randomInt(0, 30);
      const bytes = signed(
        ...Array.from({ length: count }, () => PIECES[randomInt(0, PIECES.length)]!()),
      );
      expect(Buffer.compare(unpacked(packed(bytes)), bytes)).toBe(0);
    }
  });

  it('take less than half the space where they say what entries say, and never more than they are', () => {
    const entry = signed(
      `{"_type":"https://in-toto.io/Statement/v1","predicate":{"actor":{"agentId":"${UUID}","kind":"agent","orgId":"${UUID}"},"at":"2026-11-23T01:36:11.944Z","awaiting":null,"criteriaHash":"${HASH}","entryType":"RECORD_RECORDED","expiresAt":null,"orgId":"${UUID}"}}`,
      randomBytes(64),
    );
    expect(packed(entry).length).toBeLessThan(entry.length / 2);
    for (const bytes of [signed(), signed('a'), signed(randomBytes(500))])
      expect(packed(bytes)).toEqual(bytes);
  });

  it('are read for ever as they were stored before anything was packed, deflated, and in this form', () => {
    const plain = Uint8Array.of(COSE, 0x84, 0x58, 0xd0);
    expect(unpacked(plain)).toEqual(plain);
    const checkpoint = signed(
      `{"_type":"https://in-toto.io/Statement/v1","predicate":{"at":"2026-11-23T01:36:11.944Z","chainKey":"${UUID}","chainKind":"record","headHash":"${HASH}","logIndex":7,"position":1}}`,
    );
    for (const stored of [DEFLATED, PACKED])
      expect(Buffer.from(unpacked(Buffer.from(stored, 'hex'))).toString('latin1')).toBe(
        Buffer.from(checkpoint).toString('latin1'),
      );
  });

  it('are read with the dictionary that they were written with, of which no byte may change', () => {
    expect(createHash('sha256').update(DICTIONARY).digest('hex')).toBe(OF_DICTIONARY);
  });

  it.each([DEFLATED, PACKED])(
    'are others, and never thrown at a reader, where somebody edited them: %#',
    (hex) => {
      const stored = Buffer.from(hex, 'hex');
      for (let at = 1; at < stored.length; at++) {
        const edited = Uint8Array.from(stored);
        edited[at] = edited[at]! ^ 0xff;
        expect(() => unpacked(edited)).not.toThrow();
        expect(unpacked(edited)).not.toEqual(unpacked(stored));
      }
    },
  );

  it('are not read where they are cut, named what is not there, or are operations of nobody', () => {
    const faults = [
      [0x3f, 1, 2], // a literal that is not all there
      [0xa0], // a place that is not there
      [0xa0, 0xff, 0xff], // a place behind the dictionary
      [0xef, DICTIONARY.length >> 8, DICTIONARY.length & 0xff],
      [0xf0, 1, 2, 3], // a UUID that is not all there
      [0xf4], // the number of a text that is not there
      [0xf4, 0], // a text that was not added
      [0xf5],
      [0xff],
    ];
    for (const fault of faults) {
      const stored = Uint8Array.of(0x02, ...fault);
      expect(unpacked(stored)).toEqual(stored);
    }
  });

  it('are read without an exception, whatever somebody stored', () => {
    for (let run = 0; run < 5_000; run++) {
      const stored = Uint8Array.of(1 + (run % 2), ...randomBytes(randomInt(0, 300)));
      expect(unpacked(stored).length).toBeLessThanOrEqual(LONGEST);
    }
  });

  it('cannot be made to fill the memory', () => {
    const deflated = Buffer.concat([
      Uint8Array.of(0x01),
      deflateRawSync(Buffer.alloc(100_000_000)),
    ]);
    expect(unpacked(deflated)).toEqual(new Uint8Array(deflated));
    const repeated = new Uint8Array(3 * 20_000 + 1).fill(0);
    for (let at = 1; at < repeated.length; at += 3) repeated[at] = 0xef;
    repeated[0] = 0x02;
    expect(unpacked(repeated)).toEqual(repeated);
  });
});

describe('the data of an event that are packed', () => {
  it('come back as they were, in less space where they say what events say, and remain text', () => {
    for (const [text, share] of [
      [
        `{"recordId":"${UUID}","type":"note","status":"RECORDED","previousStatus":null,"principalAgentId":"${UUID}","entry":{"position":1,"hash":"${HASH}"}}`,
        0.6,
      ],
      ['{}', 1],
      ['{"name":"ünï \\ud83d\\ude00 😀 ~"}', 1],
      [`{"a":"${'x'.repeat(LONGEST)}"}`, 1],
    ] as const) {
      const stored = packedText(text);
      expect(unpackedText(stored)).toBe(text);
      expect(stored.length).toBeLessThanOrEqual(text.length * share);
      expect(stored).toMatch(/^[\u0020-\uffff]*$/);
    }
  });

  it('are given as they are where they were stored before, or where somebody edited them', () => {
    for (const stored of ['{"a":1}', '~', '~~~', '~/w==', '~not base64', ''])
      expect(() => unpackedText(stored)).not.toThrow();
    expect(unpackedText('{"a":1}')).toBe('{"a":1}');
    expect(unpackedText('~/w==')).toBe('~/w==');
  });
});
