import { createHash, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import {
  DeliverySigningError,
  type AttemptToSign,
} from '../../application/delivery/sign-delivery.port.ts';
import { VaultDeliverySigner } from '../../application/delivery/vault-delivery-signer.ts';
import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { uuid } from './sql/samples.ts';

// Contract of application/delivery/sign-delivery.port.ts

const keys = new SoftwareKeys(randomBytes(32), CRYPTO_PROVIDERS.runtime, new SystemClock());
const signerOf = async (algorithm: VaultAlgorithm): Promise<Signer> =>
  (await keys.generate(algorithm)).signer;
const deliveries = (signer: Signer) =>
  new VaultDeliverySigner({
    seal: { hubId: uuid(), signer, canonicalization: 'jcs', keyActivatedAt: '' },
  });

const BODY = Buffer.from('{"data":{"note":"ü — 😀"},"type":"record.recorded"}');
const SECRET = `whsec_${'a'.repeat(43)}`;
const PREVIOUS = `whsec_${'b'.repeat(43)}`;
const attempt = (changes: Partial<AttemptToSign> = {}): AttemptToSign => ({
  deliveryId: uuid(),
  eventId: uuid(),
  eventType: 'record.recorded',
  eventSequence: 7,
  body: BODY,
  at: new Date().toISOString(),
  scheme: 'hmac',
  secrets: [SECRET],
  ...changes,
});
const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('the hmac scheme', async () => {
  const signs = deliveries(await signerOf('Ed25519'));
  const stripe = new Stripe('sk_test_no_call_is_made');
  /** As a receiver would, with the library of whoever invented the form. */
  const accepts = (header: string, secret: string, body: Uint8Array = BODY): boolean => {
    try {
      stripe.webhooks.constructEvent(Buffer.from(body), header, secret);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Stripe.errors.StripeSignatureVerificationError);
      return false;
    }
  };

  it("is accepted by Stripe's own library, for these bytes and this secret alone", async () => {
    const given = attempt();
    const headers = await signs.headersOf(given);
    expect(headers).toEqual({
      'X-Service-Idempotency-Key': given.eventId,
      'X-Service-Delivery': given.deliveryId,
      'X-Service-Signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/) as string,
    });
    const header = headers['X-Service-Signature']!;
    expect(accepts(header, SECRET)).toBe(true);
    expect(accepts(header, PREVIOUS)).toBe(false);
    expect(accepts(header, SECRET, Buffer.from(`${BODY.toString()} `))).toBe(false);
  });

  it('is accepted with the new secret and with the previous one while both are valid', async () => {
    const header = (await signs.headersOf(attempt({ secrets: [SECRET, PREVIOUS] })))[
      'X-Service-Signature'
    ]!;
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect([SECRET, PREVIOUS].map((secret) => accepts(header, secret))).toEqual([true, true]);
    expect(accepts(header, `whsec_${'c'.repeat(43)}`)).toBe(false);
  });

  it('says when it was made, so that it is refused five minutes later', async () => {
    const at = new Date(Date.now() - 301_000).toISOString();
    const header = (await signs.headersOf(attempt({ at })))['X-Service-Signature']!;
    expect(header).toContain(`t=${Math.floor(Date.parse(at) / 1000)},`);
    expect(accepts(header, SECRET)).toBe(false);
  });

  it('is keyed with the whole secret, as text', async () => {
    const at = '2026-01-02T03:04:05.678Z';
    const header = (await signs.headersOf(attempt({ at, body: Buffer.from('{}') })))[
      'X-Service-Signature'
    ];
    expect(header).toBe(
      `t=1767323045,v1=${createHmac('sha256', SECRET).update('1767323045.{}').digest('hex')}`,
    );
  });

  it.each([[[]], [['']], [[SECRET, '']]])('never leaves unsigned: %j', async (secrets) => {
    await expect(signs.headersOf(attempt({ secrets }))).rejects.toThrow('no secret');
  });
});

describe.each([
  ['ed25519', 'Ed25519'],
  ['ecdsa-p256-sha256', 'ES256'],
] as const)('the %s scheme', async (scheme, algorithm) => {
  const signer = await signerOf(algorithm);
  const signs = deliveries(signer);
  const key = createPublicKey({ key: Buffer.from(signer.publicKey), format: 'der', type: 'spki' });

  /** As a receiver would, with a library that is not ours. */
  const accepts = async (
    headers: Readonly<Record<string, string>>,
    options: { tolerance?: number } = {},
  ): Promise<boolean> => {
    const met: string[] = [];
    const isValid = await httpbis.verifyMessage(
      {
        keyLookup: ({ keyid }) => {
          met.push(String(keyid));
          return Promise.resolve({
            id: signer.keyId,
            algs: [scheme],
            verify: (data, signature) =>
              Promise.resolve(
                scheme === 'ed25519'
                  ? verify(null, data, key, signature)
                  : verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature),
              ),
          });
        },
        requiredFields: ['content-digest', 'x-service-idempotency-key'],
        requiredParams: ['created', 'keyid', 'alg'],
        maxAge: options.tolerance ?? 300,
      },
      // Any target: none is signed.
      { method: 'POST', url: 'https://elsewhere.example/any', headers: lowerCase(headers) },
    );
    expect(met).toEqual([signer.keyId]);
    return isValid === true;
  };

  it('is accepted by an independent implementation of RFC 9421', async () => {
    const given = attempt({ scheme, secrets: [] });
    const headers = await signs.headersOf(given);
    expect(Object.keys(headers).sort()).toEqual([
      'Content-Digest',
      'Signature',
      'Signature-Input',
      'X-Service-Delivery',
      'X-Service-Idempotency-Key',
    ]);
    expect(await accepts(headers)).toBe(true);
    expect(headers['Content-Digest']).toBe(
      `sha-256=:${createHash('sha256').update(BODY).digest('base64')}:`,
    );
  });

  it('covers exactly the two components, with created, keyid and alg, in the form of the interface', async () => {
    const at = '2026-01-02T03:04:05.678Z';
    const headers = await signs.headersOf(attempt({ scheme, at }));
    const params = `("content-digest" "x-service-idempotency-key");created=1767323045;keyid="${signer.keyId}";alg="${scheme}"`;
    expect(headers['Signature-Input']).toBe(`sig1=${params}`);
    expect(headers['Signature']).toMatch(/^sig1=:[A-Za-z0-9+/]{86}==:$/);
    const base = [
      `"content-digest": ${headers['Content-Digest']}`,
      `"x-service-idempotency-key": ${headers['X-Service-Idempotency-Key']}`,
      `"@signature-params": ${params}`,
    ].join('\n');
    const raw = Buffer.from(headers['Signature']!.slice(6, -1), 'base64');
    expect(raw.length).toBe(64);
    expect(
      scheme === 'ed25519'
        ? verify(null, Buffer.from(base), key, raw)
        : verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, raw),
    ).toBe(true);
  });

  it.each([
    ['another body', 'Content-Digest', 'sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:'],
    ['another event', 'X-Service-Idempotency-Key', '019c1f00-0000-7000-8000-00000000ffff'],
  ])('is refused with %s', async (_what, name, value) => {
    const headers = await signs.headersOf(attempt({ scheme }));
    expect(await accepts({ ...headers, [name]: value })).toBe(false);
  });

  it('is refused with another time', async () => {
    const headers = await signs.headersOf(attempt({ scheme }));
    const later = headers['Signature-Input']!.replace(
      /created=(\d+)/,
      (_all, created: string) => `created=${Number(created) - 1}`,
    );
    expect(await accepts({ ...headers, 'Signature-Input': later })).toBe(false);
  });

  it('says when it was made, so that it is refused five minutes later', async () => {
    const at = new Date(Date.now() - 302_000).toISOString();
    const headers = await signs.headersOf(attempt({ scheme, at }));
    await expect(accepts(headers)).rejects.toThrow(/too old|expired/i);
    expect(await accepts(headers, { tolerance: 400 })).toBe(true);
  });

  it('the id of the attempt is not signed: each attempt has its own over one event and body', async () => {
    const headers = await signs.headersOf(attempt({ scheme }));
    expect(await accepts({ ...headers, 'X-Service-Delivery': uuid() })).toBe(true);
  });

  it('is made by the active key or not at all', async () => {
    const other = scheme === 'ed25519' ? 'ecdsa-p256-sha256' : 'ed25519';
    const refusal = signs.headersOf(attempt({ scheme: other }));
    await expect(refusal).rejects.toBeInstanceOf(DeliverySigningError);
    await expect(refusal).rejects.toMatchObject({
      code: 'signing_algorithm_unavailable',
      scheme: other,
      usable: scheme,
    });
    expect(Object.keys(await signs.headersOf(attempt()))).toContain('X-Service-Signature');
  });

  it('a key that was rotated signs no more: the next attempt is of the new one', async () => {
    const vault = {
      seal: {
        hubId: uuid(),
        signer,
        canonicalization: 'jcs' as const,
        keyActivatedAt: '',
      },
    };
    const rotated = new VaultDeliverySigner(vault);
    const first = await rotated.headersOf(attempt({ scheme }));
    vault.seal = { ...vault.seal, signer: await signerOf(algorithm) };
    const second = await rotated.headersOf(attempt({ scheme }));
    expect(first['Signature-Input']).toContain(`keyid="${signer.keyId}"`);
    expect(second['Signature-Input']).toContain(`keyid="${vault.seal.signer.keyId}"`);
  });
});
