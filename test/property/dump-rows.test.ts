import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64Bytes, decodeBase64Strict, encodeBase64 } from '../../domain/kernel/base64.ts';
import {
  CborError,
  decodeCborInFull,
  encodeCbor,
  type CborKey,
  type CborValue,
} from '../../domain/kernel/deterministic-cbor.ts';
import { decodePlainCbor } from '../../domain/kernel/plain-cbor.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { DumpFile } from '../../domain/verification/dump/rows/dump-rows.ts';
import { readPlainRow } from '../../domain/verification/dump/rows/plain-row.ts';
import { readRowInFull } from '../../domain/verification/dump/rows/read-dump-rows.ts';
import { Findings } from '../../domain/verification/report/report.ts';

const utf8 = new TextEncoder();

/** What the long way says of a line: null where it finds any fault. */
const inFull = (
  text: Uint8Array,
  file: DumpFile,
): { members: JsonObject; bytes: Uint8Array } | null => {
  const findings = new Findings();
  const row = readRowInFull<JsonObject>({ number: 1, bytes: text, isCut: false }, file, findings);
  return row && findings.isClean ? row : null;
};

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const time = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed()),
);
const bytes = fc.uint8Array({ maxLength: 80 }).map(encodeBase64);

const entry: fc.Arbitrary<JsonObject> = fc.record({
  chain_key: fc.oneof(fc.uuid(), anyText),
  chain_position: fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.maxSafeInteger()),
  record_id: fc.option(fc.uuid()),
  entry_type: fc.oneof(fc.constant('RECORD_CREATED'), anyText),
  signing_key_id: hex(32),
  previous_hash: hex(64),
  hash: hex(64),
  cose_sign1: bytes,
  oidc_iss: fc.option(anyText),
  oidc_sub: fc.option(anyText),
  created_at: time,
});
const number = fc.oneof(fc.nat({ max: 1_000_000 }), fc.maxSafeNat());
const leaf: fc.Arbitrary<JsonObject> = fc.record(
  {
    log_index: number,
    chain_key: fc.uuid(),
    position: number,
    cose_sign1: bytes,
    timestamp_token: bytes,
  },
  { requiredKeys: ['log_index', 'chain_key', 'position', 'cose_sign1'] },
);
const row: fc.Arbitrary<readonly [DumpFile, string]> = fc.oneof(
  entry.map((members) => ['audit_vault', JSON.stringify(members)] as const),
  leaf.map((members) => ['vault_checkpoints', JSON.stringify(members)] as const),
);

const expectSame = (text: Uint8Array, file: DumpFile): boolean => {
  const plain = readPlainRow({ number: 1, bytes: text, isCut: false }, file);
  if (!plain) return false;
  const full = inFull(text, file);
  expect(full).not.toBeNull();
  expect({ ...full!.members, ...plain.members }).toEqual(full!.members);
  expect(plain.bytes).toEqual(full!.bytes);
  return true;
};

describe('the short way to read a row of a dump', () => {
  it('gives what the long way gives', () => {
    let plain = 0;
    fc.assert(
      fc.property(row, ([file, text]) => {
        if (expectSame(utf8.encode(text), file)) plain++;
      }),
      { numRuns: 2000 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  it('takes no line of which the long way finds a fault', () => {
    let plain = 0;
    fc.assert(
      fc.property(
        row,
        fc.nat(),
        fc.nat({ max: 255 }),
        fc.boolean(),
        ([file, text], at, byte, isPut) => {
          const whole = utf8.encode(text);
          const place = at % whole.length;
          const damaged = isPut
            ? Uint8Array.of(...whole.subarray(0, place), byte, ...whole.subarray(place))
            : whole.with(place, byte);
          if (expectSame(damaged, file)) plain++;
        },
      ),
      { numRuns: 5000 },
    );
    expect(plain).toBeGreaterThan(5);
  });

  it.each<[string, string]>([
    ['a zero before a number', '{"log_index":01,"chain_key":"a","position":1,"cose_sign1":""}'],
    ['minus zero', '{"log_index":-0,"chain_key":"a","position":1,"cose_sign1":""}'],
    ['a fraction', '{"log_index":1.0,"chain_key":"a","position":1,"cose_sign1":""}'],
    ['an exponent', '{"log_index":1e1,"chain_key":"a","position":1,"cose_sign1":""}'],
    ['a member twice', '{"log_index":1,"chain_key":"a","position":1,"position":1,"cose_sign1":""}'],
    ['a member more', '{"log_index":1,"chain_key":"a","position":1,"cose_sign1":"","b":1}'],
    ['something behind it', '{"log_index":1,"chain_key":"a","position":1,"cose_sign1":""}}'],
    ['a space', '{"log_index":1, "chain_key":"a","position":1,"cose_sign1":""}'],
    ['an escape', '{"log_index":1,"chain_key":"\\u0061","position":1,"cose_sign1":""}'],
    ['loose base64', '{"log_index":1,"chain_key":"a","position":1,"cose_sign1":"YR=="}'],
  ])('leaves %s to it', (_what, text) => {
    expect(
      readPlainRow({ number: 1, bytes: utf8.encode(text), isCut: false }, 'vault_checkpoints'),
    ).toBeNull();
  });
});

describe('base64 in bytes', () => {
  it('is what the same text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 40 }).map(encodeBase64),
          fc.string({ unit: fc.constantFrom(...'ABCDabcd0189+/=-_ é'), maxLength: 24 }),
        ),
        fc.nat({ max: 5 }),
        (text, before) => {
          const ascii = text.replaceAll('é', '~');
          const held = utf8.encode(`${'x'.repeat(before)}${ascii}yy`);
          expect(decodeBase64Bytes(held, before, before + ascii.length)).toEqual(
            decodeBase64Strict(ascii),
          );
        },
      ),
      { numRuns: 5000 },
    );
  });
});

describe('the short way to read CBOR', () => {
  const key: fc.Arbitrary<CborKey> = fc.oneof(fc.string({ maxLength: 30 }), fc.maxSafeInteger());
  const { value: anyValue } = fc.letrec<{ value: CborValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger().map((value) => value + 0),
      fc.constantFrom(0, 23, 24, 255, 256, 65535, 65536, 4294967295, 4294967296, -1, -24, -25),
      fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed()),
      fc.uint8Array({ maxLength: 300 }),
      fc.array(tie('value'), { maxLength: 6 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 30 }).map((all) => new Map(all)),
    ),
  }));

  const fullOf = (encoded: Uint8Array): CborValue | undefined => {
    try {
      return decodeCborInFull(encoded);
    } catch (error) {
      expect(error).toBeInstanceOf(CborError);
      return undefined;
    }
  };

  it('reads what the encoder wrote', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(decodePlainCbor(encodeCbor(value))).toEqual(value);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes of damaged bytes only what the long way takes, and reads the same', () => {
    let taken = 0;
    fc.assert(
      fc.property(anyValue, fc.nat(), fc.nat({ max: 255 }), (value, at, byte) => {
        const encoded = encodeCbor(value);
        encoded[at % encoded.length] = byte;
        const plain = decodePlainCbor(encoded);
        expect(plain === undefined ? 'left' : plain).toEqual(
          plain === undefined ? 'left' : fullOf(encoded),
        );
        if (plain !== undefined) taken++;
      }),
      { numRuns: 10_000 },
    );
    expect(taken).toBeGreaterThan(300);
  });

  it('takes of any bytes only what the long way takes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (any) => {
        const plain = decodePlainCbor(any);
        if (plain !== undefined) expect(fullOf(any)).toEqual(plain);
      }),
      { numRuns: 20_000 },
    );
  });
});
