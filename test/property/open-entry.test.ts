import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeCbor, type CborValue } from '../../domain/kernel/deterministic-cbor.ts';
import { isObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { encodeProtected, encodeSign1, typOf } from '../../domain/vault/cose-sign1.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { CANONICALIZATIONS } from '../../domain/vault/statement.ts';

const SIGNATURE = new Uint8Array(64);
const utf8 = new TextEncoder();

const envelope = (contentType: string, payload: Uint8Array): Uint8Array =>
  encodeSign1(
    encodeProtected({
      alg: -19,
      contentType,
      kid: 'a',
      iss: 'hub',
      sub: 'b',
      iat: 1,
      typ: typOf('chain-entry'),
    }),
    payload,
    SIGNATURE,
  );

const inJson = (value: unknown): Uint8Array =>
  envelope(CANONICALIZATIONS.jcs.contentType, utf8.encode(JSON.stringify(value)));

const inCbor = (value: CborValue): Uint8Array =>
  envelope(CANONICALIZATIONS.cde.contentType, encodeCbor(value));

const leaves = [fc.integer(), fc.string(), fc.boolean(), fc.constant(null)];
const anyValue = fc.oneof(
  ...leaves,
  fc.array(fc.integer()),
  fc.object({ values: leaves, maxDepth: 2 }),
);

/** In the reach of a statement: with a predicate, with one of another form, or no object at all. */
const payload = fc.oneof(anyValue, fc.record({ predicate: anyValue }));

const asMaps = (value: unknown): CborValue =>
  Array.isArray(value)
    ? value.map(asMaps)
    : typeof value === 'object' && value !== null
      ? new Map(Object.entries(value).map(([name, one]) => [name, asMaps(one)]))
      : (value as CborValue);

it('an envelope around any JSON or CBOR is read with an object as its predicate, or not at all', () => {
  fc.assert(
    fc.property(payload, (value) => {
      const json = JSON.parse(JSON.stringify(value)) as JsonValue;
      const isStatement = isObject(json) && isObject(json['predicate']);
      for (const bytes of [inJson(json), inCbor(asMaps(json))]) {
        const opened = readEntry(bytes);
        expect(opened !== null).toBe(isStatement);
        if (opened) expect(isObject(opened.predicate)).toBe(true);
      }
    }),
  );
});

it('an envelope around any bytes is read or not, without an exception', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('jcs' as const, 'cde' as const),
      fc.uint8Array({ maxLength: 64 }),
      (form, bytes) => {
        const opened = readEntry(envelope(CANONICALIZATIONS[form].contentType, bytes));
        expect(opened === null || isObject(opened.predicate)).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});
