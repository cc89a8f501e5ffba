import { CompactEncrypt, FlattenedEncrypt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { encryptionOf, examineJwe, looksLikeJwe } from '../../../domain/record/jwe.ts';
import { decryptionKey, encryptTo, type DecryptionKey } from '../../support/vectors/jwe.ts';
import type { Body } from '../../support/service/world.ts';

let x25519: DecryptionKey;
let p256: DecryptionKey;
let valid: Body;
beforeAll(async () => {
  x25519 = await decryptionKey('X25519');
  p256 = await decryptionKey('P-256');
  valid = await encryptTo([x25519, p256], { secret: 'text' }, { aad: 'context' });
});

const faultsOf = (value: Body) =>
  examineJwe(value).faults.map(({ path, keyword }) => `${path} ${keyword}`);
const changed = (change: (jwe: Body) => void): Body => {
  const jwe = structuredClone(valid);
  change(jwe);
  return jwe;
};
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('what an independent JOSE library makes is taken', () => {
  test.each(['A128GCM', 'A192GCM', 'A256GCM', 'A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512'])(
    'with %s',
    async (enc) => {
      for (const alg of ['ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'])
        expect(examineJwe(await encryptTo([x25519, p256], { a: 1 }, { enc, alg }))).toEqual({
          faults: [],
          recipients: [x25519.kid, p256.kid],
        });
    },
  );

  test('to one recipient, whose ephemeral key is then protected, and to 32', async () => {
    const one = await encryptTo([p256], {});
    expect(
      JSON.parse(Buffer.from(String(one['protected']), 'base64url').toString('utf8')),
    ).toHaveProperty('epk');
    expect(examineJwe(one)).toEqual({ faults: [], recipients: [p256.kid] });
    const many = await Promise.all(Array.from({ length: 32 }, () => decryptionKey('X25519')));
    expect(examineJwe(await encryptTo(many, {}))).toEqual({
      faults: [],
      recipients: many.map(({ kid }) => kid),
    });
    expect(faultsOf(await encryptTo([...many, x25519], {}))).toEqual(['/recipients maxItems']);
  });

  test('with parameters that all recipients share in the shared header', () => {
    const jwe = changed((body) => {
      body['unprotected'] = { alg: 'ECDH-ES+A256KW', cty: 'application/json' };
      for (const { header } of body['recipients']) delete header.alg;
    });
    expect(faultsOf(jwe)).toEqual([]);
  });
});

describe('what is refused', () => {
  test('every other serialization, with a word on the one that is taken', async () => {
    const bytes = new TextEncoder().encode('{}');
    const flattened = (await new FlattenedEncrypt(bytes)
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM' })
      .encrypt(x25519.publicKey)) as unknown as JsonObject;
    expect(examineJwe(flattened).faults[0]).toMatchObject({
      keyword: 'flattened',
      message: expect.stringContaining('RFC 7516 section 7.2.1'),
    });
    const compact = await new CompactEncrypt(bytes)
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM' })
      .encrypt(x25519.publicKey);
    expect(faultsOf({ jwe: compact })).toEqual([' jwe']);
  });

  test.each<[string, (jwe: Body) => void, string]>([
    ['an unknown member', (jwe) => (jwe['note'] = 'x'), ' additionalProperties'],
    [
      'a member that a prototype would hide',
      (jwe) => Object.defineProperty(jwe, '__proto__', { value: {}, enumerable: true }),
      ' additionalProperties',
    ],
    ['no recipients', (jwe) => (jwe['recipients'] = []), '/recipients maxItems'],
    ['recipients that are no list', (jwe) => (jwe['recipients'] = null), '/recipients maxItems'],
    [
      'a protected header in a list',
      (jwe) => (jwe['protected'] = [jwe['protected']]),
      '/protected base64url',
    ],
    [
      'a recipient with more to say',
      (jwe) => (jwe['recipients'][0].note = 'x'),
      '/recipients/0 recipient',
    ],
    ['a recipient that is none', (jwe) => (jwe['recipients'][1] = null), '/recipients/1 recipient'],
    [
      'a recipient twice',
      (jwe) => (jwe['recipients'][1] = jwe['recipients'][0]),
      '/recipients uniqueItems',
    ],
    [
      'a header parameter of one’s own',
      (jwe) => (jwe['recipients'][0].header.note = 'x'),
      '/recipients/0 additionalProperties',
    ],
    [
      'the same of all recipients',
      (jwe) => (jwe['unprotected'] = { note: 'x' }),
      '/recipients/0 additionalProperties',
    ],
    ['a shared header without a member', (jwe) => (jwe['unprotected'] = {}), '/unprotected header'],
    [
      'a parameter in two headers',
      (jwe) => (jwe['unprotected'] = { alg: 'ECDH-ES+A256KW' }),
      '/recipients/0 duplicate',
    ],
    ['compression', (jwe) => (jwe['unprotected'] = { zip: 'DEF' }), '/recipients/0 zip'],
    [
      'critical extensions',
      (jwe) => (jwe['recipients'][0].header.crit = ['exp']),
      '/recipients/0 crit',
    ],
    [
      'direct agreement',
      (jwe) => (jwe['recipients'][0].header.alg = 'ECDH-ES'),
      '/recipients/0 alg',
    ],
    ['a symmetric key', (jwe) => (jwe['recipients'][0].header.alg = 'A256KW'), '/recipients/0 alg'],
    ['no alg', (jwe) => delete jwe['recipients'][0].header.alg, '/recipients/0 required'],
    ['no kid', (jwe) => delete jwe['recipients'][0].header.kid, '/recipients/0 required'],
    [
      'a kid that cannot be made text of',
      (jwe) => (jwe['recipients'][0].header.kid = { toString: 1 }),
      '/recipients/0 kid',
    ],
    [
      'a kid that is no thumbprint',
      (jwe) => (jwe['recipients'][0].header.kid = 'key-1'),
      '/recipients/0 kid',
    ],
    ['no ephemeral key', (jwe) => delete jwe['recipients'][0].header.epk, '/recipients/0 required'],
    [
      'a private ephemeral key',
      (jwe) => (jwe['recipients'][0].header.epk.d = encode('k'.repeat(32))),
      '/recipients/0 epk',
    ],
    [
      'an ephemeral key of another curve',
      (jwe) => (jwe['recipients'][0].header.epk.crv = 'Ed25519'),
      '/recipients/0 epk',
    ],
    [
      'a P-256 key without y',
      (jwe) => delete jwe['recipients'][1].header.epk.y,
      '/recipients/1 epk',
    ],
    [
      'a cty with text in it',
      (jwe) => (jwe['unprotected'] = { cty: 'some words' }),
      '/recipients/0 cty',
    ],
    ['no protected header', (jwe) => delete jwe['protected'], ' required'],
    [
      'a protected header with a duplicate member',
      (jwe) => (jwe['protected'] = encode('{"enc":"A256GCM","enc":"A128GCM"}')),
      '/protected header',
    ],
    [
      'a protected header that is no object',
      (jwe) => (jwe['protected'] = encode(['A256GCM'])),
      '/protected header',
    ],
    [
      'a protected header that is not UTF-8',
      (jwe) => (jwe['protected'] = Buffer.from([0x22, 0xff, 0x22]).toString('base64url')),
      '/protected header',
    ],
    [
      'an enc that is not protected',
      (jwe) => (
        (jwe['protected'] = encode({ typ: 'JOSE' })),
        (jwe['unprotected'] = { enc: 'A256GCM' })
      ),
      '/protected required',
    ],
    [
      'an enc that does not authenticate',
      (jwe) => (jwe['protected'] = encode({ enc: 'A256CTR' })),
      '/recipients/0 enc',
    ],
    ['padding', (jwe) => (jwe['tag'] += '=='), '/tag base64url'],
    [
      'unused bits that are set',
      (jwe) => (jwe['tag'] = `${String(jwe['tag']).slice(0, -1)}B`),
      '/tag base64url',
    ],
    ['standard base64', (jwe) => (jwe['ciphertext'] = '++//'), '/ciphertext base64url'],
    ['no ciphertext', (jwe) => (jwe['ciphertext'] = ''), '/ciphertext base64url'],
    ['an iv of another length', (jwe) => (jwe['iv'] = encode('x'.repeat(16))), '/iv length'],
    ['a tag of another length', (jwe) => (jwe['tag'] = encode('x'.repeat(12))), '/tag length'],
    [
      'a wrapped key of another length',
      (jwe) => (jwe['recipients'][0].encrypted_key = encode('x'.repeat(24))),
      '/recipients/0/encrypted_key length',
    ],
    [
      'additional data in the clear beyond 4,096 characters',
      (jwe) => (jwe['aad'] = 'A'.repeat(4100)),
      '/aad maxLength',
    ],
    ['an aad that is no text', (jwe) => (jwe['aad'] = { note: 'x' }), '/aad base64url'],
  ])('%s', (_case, change, expected) => {
    expect(faultsOf(changed(change))).toContain(expected);
  });

  test('no refusal repeats what was sent', () => {
    const canary = 'canary-9f2c';
    for (const value of [
      { [canary]: canary },
      changed((jwe) => (jwe[canary] = canary)),
      changed((jwe) => (jwe['recipients'][0].header[canary] = canary)),
      changed((jwe) => (jwe['protected'] = encode({ enc: canary }))),
      changed((jwe) => (jwe['iv'] = canary + canary)),
    ])
      expect(JSON.stringify(examineJwe(value).faults)).not.toContain(canary);
  });
});

test('a JWE is known for one by its shape, in each JSON serialization', () => {
  expect(looksLikeJwe(valid)).toBe(true);
  expect(looksLikeJwe({ protected: 'e30', ciphertext: 'AA', encrypted_key: 'AA' })).toBe(true);
  expect(looksLikeJwe({ ciphertext: 'a word like any other' })).toBe(false);
  expect(looksLikeJwe({ recipients: ['a@example.org'], protected: 'e30' })).toBe(false);
});

test('an entry lists the thumbprints in the encrypted mode, and says nothing of it in the clear', () => {
  expect(encryptionOf('encrypted', valid)).toEqual({
    encryption: { recipients: [x25519.kid, p256.kid] },
  });
  expect(encryptionOf('cleartext', { recipients: [] })).toEqual({});
});
