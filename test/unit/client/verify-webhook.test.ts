import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookTrust } from '../../../adapters/client/client.ts';
import {
  contentDigest,
  hmacHeader,
  signatureBase,
  signatureHeaders,
  type AsymmetricScheme,
} from '../../../domain/delivery/delivery-signature.ts';

const SECRET = `whsec_${'k'.repeat(43)}`;
const EVENT = {
  id: '019c1f00-0000-7000-8000-00000000000a',
  type: 'record.fulfilled',
  recordId: null,
  data: { audience: 'https://receiver.example/notary', text: 'ü' },
  eventSequence: 7,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const body = new TextEncoder().encode(JSON.stringify(EVENT));
const AT = Date.parse('2026-01-01T00:00:00Z') / 1_000;
const now = AT * 1_000;
const byMac = (at = AT, secrets: readonly string[] = [SECRET]) => ({
  'x-service-signature': hmacHeader(at, body, secrets),
});
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'taken',
    (error: { readonly reason?: string }) => error.reason,
  );

describe('a webhook of the scheme hmac', () => {
  it('is the event, from bytes or text, and headers of any kind', async () => {
    const headers = byMac();
    for (const given of [
      headers,
      new Headers(headers),
      { 'X-Service-Signature': Object.values(headers) },
    ])
      expect(await verifyWebhook(given, body, SECRET, { now })).toEqual(EVENT);
    expect(await verifyWebhook(headers, JSON.stringify(EVENT), SECRET, { now })).toEqual(EVENT);
  });

  it('is taken under either secret while both are good', async () => {
    const old = `whsec_${'o'.repeat(43)}`;
    expect(await verifyWebhook(byMac(AT, [SECRET, old]), body, old, { now })).toEqual(EVENT);
    expect(await verifyWebhook(byMac(AT, [old]), body, [SECRET, old], { now })).toEqual(EVENT);
  });

  it('is refused where it is changed, old, of the future, of another secret, or unsigned', async () => {
    const changed = JSON.stringify(EVENT).replace('fulfilled', 'failed');
    const look = (headers: object, text: string | Uint8Array = body, secret = SECRET) =>
      reasonOf(verifyWebhook(headers as Record<string, string>, text, secret, { now }));
    expect(await look(byMac(), changed)).toBe('signature_invalid');
    expect(await look(byMac(), body, 'whsec_other')).toBe('signature_invalid');
    expect(await look(byMac(AT - 301))).toBe('too_old');
    expect(await look(byMac(AT + 301))).toBe('too_old');
    expect(await look(byMac(AT - 299))).toBe('taken');
    expect(await look({})).toBe('signature_missing');
    expect(await look({ 'x-service-signature': 't=,v1=' })).toBe('signature_missing');
    expect(await look({ 'x-service-signature': `t=${AT}` })).toBe('signature_invalid');
    expect(await look({ 'x-service-signature': `t=${AT},v1=${'0'.repeat(63)}` })).toBe(
      'signature_invalid',
    );
    // The time is signed as well.
    const { 'x-service-signature': signed } = byMac(AT - 500);
    expect(await look({ 'x-service-signature': signed.replace(/^t=\d+/, `t=${AT}`) })).toBe(
      'signature_invalid',
    );
  });

  it('is of another tolerance, and for an address, where the receiver says so', async () => {
    const seen = { now: now + 20_000 };
    expect(await reasonOf(verifyWebhook(byMac(), body, SECRET, { ...seen, tolerance: 10 }))).toBe(
      'too_old',
    );
    const audience = 'https://receiver.example/notary';
    expect(await verifyWebhook(byMac(), body, SECRET, { now, audience })).toEqual(EVENT);
    expect(
      await reasonOf(verifyWebhook(byMac(), body, SECRET, { now, audience: `${audience}/b` })),
    ).toBe('not_for_us');
  });

  it('needs a secret', async () => {
    for (const none of ['', [], [SECRET, '']] satisfies WebhookTrust[])
      await expect(verifyWebhook(byMac(), body, none, { now })).rejects.toBeInstanceOf(TypeError);
  });

  it('is the envelope of a CloudEvent', async () => {
    const text = JSON.stringify({ specversion: '1.0', id: EVENT.id, data: EVENT });
    const header = hmacHeader(AT, new TextEncoder().encode(text), [SECRET]);
    const headers = { 'x-service-signature': header };
    expect(await verifyWebhook(headers, text, SECRET, { now })).toEqual(EVENT);
  });
});

const PAIRS = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa-p256-sha256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};
const keyRow = (scheme: AsymmetricScheme, retiredAt: string | null = null) => ({
  keyId: `k-${scheme}`,
  algorithm: scheme === 'ed25519' ? 'Ed25519' : 'ES256',
  publicKey: PAIRS[scheme].publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  retiredAt,
});
const keysOf = (...rows: readonly object[]) => ({ data: rows }) as unknown as WebhookTrust;
const raw = (scheme: AsymmetricScheme, key: KeyObject, base: Uint8Array): Buffer =>
  scheme === 'ed25519'
    ? sign(null, base, key)
    : sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' });
const byKey = (scheme: AsymmetricScheme, created = AT, by = scheme) => {
  const signed = {
    contentDigest: contentDigest(body),
    idempotencyKey: EVENT.id,
    created,
    keyId: `k-${scheme}`,
    scheme,
  };
  const signature = raw(scheme, PAIRS[by].privateKey, signatureBase(signed));
  return { ...signatureHeaders(signed, signature), 'X-Service-Idempotency-Key': EVENT.id };
};

describe.each(['ed25519', 'ecdsa-p256-sha256'] as const)('a webhook of the scheme %s', (scheme) => {
  const keys = keysOf(keyRow('ed25519'), keyRow('ecdsa-p256-sha256'));

  it('is the event, by the key that it names', async () => {
    expect(await verifyWebhook(byKey(scheme), body, keys, { now })).toEqual(EVENT);
  });

  it('is refused where anything of it is another', async () => {
    const good = byKey(scheme);
    const look = (changes: object, trust = keys, text: string | Uint8Array = body) =>
      reasonOf(verifyWebhook({ ...good, ...changes }, text, trust, { now }));
    expect(await look({})).toBe('taken');
    expect(await look({}, keys, JSON.stringify({ ...EVENT, type: 'x' }))).toBe('signature_invalid');
    expect(await look({ 'X-Service-Idempotency-Key': 'other' })).toBe('signature_invalid');
    expect(await look({ 'Content-Digest': contentDigest(new Uint8Array(1)) })).toBe(
      'signature_invalid',
    );
    const later = good['Signature-Input'].replace(/created=\d+/, `created=${AT + 1}`);
    expect(await look({ 'Signature-Input': later })).toBe('signature_invalid');
    const other = scheme === 'ed25519' ? 'ecdsa-p256-sha256' : 'ed25519';
    const lying = good['Signature-Input'].replace(`alg="${scheme}"`, `alg="${other}"`);
    expect(await look({ 'Signature-Input': lying })).toBe('signature_invalid');
    expect(await look({ Signature: undefined })).toBe('signature_missing');
    expect(await look({}, keysOf(keyRow(other)))).toBe('signature_invalid');
    expect(await reasonOf(verifyWebhook(byKey(scheme, AT - 400), body, keys, { now }))).toBe(
      'too_old',
    );
  });

  it('is refused under a key that was retired before it was signed, and taken from before', async () => {
    const retired = keysOf(keyRow(scheme, '2026-01-01T00:00:00.000Z'));
    expect(await reasonOf(verifyWebhook(byKey(scheme, AT + 5), body, retired, { now }))).toBe(
      'signature_invalid',
    );
    expect(await reasonOf(verifyWebhook(byKey(scheme, AT - 5), body, retired, { now }))).toBe(
      'taken',
    );
  });
});
