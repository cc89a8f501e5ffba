import { verify as nodeVerify, createPublicKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { p256 } from '@noble/curves/nist.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KmsKey } from '../../adapters/signer/kms-key.ts';
import { Pkcs11Key } from '../../adapters/signer/pkcs11/pkcs11-key.ts';
import { TransitKey } from '../../adapters/signer/transit-key.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import { keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { HeldKeyError, type HeldKey } from '../../domain/vault/held-key.port.ts';
import { KmsServer } from '../support/peers/kms-server.ts';
import { SoftHsm } from '../support/peers/soft-hsm.ts';
import { TransitServer } from '../support/peers/transit-server.ts';

// Contract of domain/vault/held-key.port.ts
// Contract of domain/vault/signer.port.ts

const pem = (name: string): string =>
  readFileSync(new URL(`../support/peers/tls/${name}.pem`, import.meta.url), 'utf8');
const TLS = { key: pem('server-key'), cert: pem('server') };
const CA = pem('ca');

const hsm = SoftHsm.open();
// The Ed25519 key stands first: whoever looks for the other one passes it.
hsm?.addKey('ed', 'EC:edwards25519').addKey('es', 'EC:prime256v1');
const transit = new TransitServer();
const kms = new KmsServer();

beforeAll(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIDEXAMPLE';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'not-a-secret';
  await transit.start(TLS);
  transit.addKey('es', 'ecdsa-p256').addKey('ed').addKey('ed');
  await kms.start(TLS);
  kms.addKey('es').addKey('moved').addKey('ed', 'ECC_NIST_EDWARDS25519');
});
afterAll(async () => {
  delete process.env['AWS_ACCESS_KEY_ID'];
  delete process.env['AWS_SECRET_ACCESS_KEY'];
  await transit.stop();
  await kms.stop();
});

const pkcs11Key = (key: string, pin = '1234', token = hsm!.token): HeldKey =>
  new Pkcs11Key({ module: hsm!.module, token, pin, key });
const transitKey = (key: string, more: { ca?: string | null; token?: string } = {}): HeldKey =>
  new TransitKey({
    address: transit.url,
    token: 'test-token',
    namespace: '',
    mount: 'transit',
    key,
    ca: CA,
    timeoutMs: 10_000,
    ...more,
  });
const kmsKey = (key: string, ca: string | null = CA): HeldKey =>
  new KmsKey({
    region: 'eu-central-1',
    endpoint: kms.url,
    key: `alias/${key}`,
    ca,
    timeoutMs: 10_000,
  });

interface Case {
  readonly name: string;
  readonly algorithm: VaultAlgorithm;
  key(): HeldKey;
  missing(): HeldKey;
}

const CASES: readonly Case[] = [
  ...(hsm
    ? (
        [
          ['pkcs11, P-256', 'ES256', 'es'],
          ['pkcs11, Ed25519', 'Ed25519', 'ed'],
        ] as const
      ).map(([name, algorithm, key]) => ({
        name,
        algorithm,
        key: () => pkcs11Key(key),
        missing: () => pkcs11Key('lost'),
      }))
    : []),
  ...(
    [
      ['vault-transit, P-256', 'ES256', 'es'],
      ['vault-transit, Ed25519', 'Ed25519', 'ed'],
      ['vault-transit, an older version', 'Ed25519', 'ed/1'],
    ] as const
  ).map(([name, algorithm, key]) => ({
    name,
    algorithm,
    key: () => transitKey(key),
    missing: () => transitKey('lost'),
  })),
  {
    name: 'aws-kms, P-256',
    algorithm: 'ES256',
    key: () => kmsKey('es'),
    missing: () => kmsKey('lost'),
  },
];

const verifies = (spki: Uint8Array, signature: Uint8Array, bytes: Uint8Array): boolean => {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const hash = key.asymmetricKeyType === 'ec' ? 'sha256' : null;
  return nodeVerify(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
};

describe.each(CASES)('HeldKey: $name', ({ algorithm, key, missing }) => {
  it('opens as the signer of that key, the same one each time', async () => {
    const held = key();
    const [first, again] = [await held.open(), await held.open()];
    expect(first.algorithm).toBe(algorithm);
    expect(first.keyId).toBe(keyIdOf(publicKeyFromSpki(first.publicKey)));
    expect(again.keyId).toBe(first.keyId);
    expect(held.name).not.toMatch(/1234|test-token/);
  });

  it('signs the exact bytes, in 64 raw bytes that verify, whatever their length', async () => {
    const signer = await key().open();
    for (const length of [1, 32, 1_024, 65_535]) {
      const bytes = Uint8Array.from(randomBytes(length));
      const signature = await signer.sign(bytes);
      expect(signature).toHaveLength(64);
      expect(verifies(signer.publicKey, signature, bytes)).toBe(true);
      expect(verifies(signer.publicKey, signature, Uint8Array.of(...bytes.slice(0, 99), 1))).toBe(
        false,
      );
    }
  });

  it('signs a view into a larger buffer, and many at once without mixing them up', async () => {
    const signer = await key().open();
    const whole = Uint8Array.from(randomBytes(4_000));
    const views = Array.from({ length: 40 }, (_, n) => whole.subarray(n * 100, n * 100 + 60));
    const signatures = await Promise.all(views.map((view) => signer.sign(view)));
    for (const [n, signature] of signatures.entries()) {
      expect(verifies(signer.publicKey, signature, Uint8Array.from(views[n]!))).toBe(true);
      // RFC 9053 allows both; a twin with n - s would be another hash of the same entry.
      if (algorithm === 'ES256')
        expect(p256.Signature.fromBytes(signature, 'compact').hasHighS()).toBe(false);
    }
  });

  it('rejects with HeldKeyError and a sentence where there is no such key', async () => {
    const error: unknown = await missing()
      .open()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HeldKeyError);
    expect((error as Error).message).toMatch(/lost/);
  });
});

describe.runIf(hsm)('a token', () => {
  it('is named with its key, its PIN and a key that cannot leave it, or the start says what is wrong', async () => {
    hsm!.addKey('loose', 'EC:prime256v1', '--extractable').addKey('twice', 'EC:prime256v1');
    hsm!.addKey('twice', 'EC:prime256v1');
    for (const [held, sentence] of [
      [pkcs11Key('loose'), /can be taken out of the token notary-tests/],
      [pkcs11Key('twice'), /more than one private key with the label twice/],
      [pkcs11Key('es', '1234', 'other'), /No token of \S+ has the label other/],
    ] as const)
      await expect(held.open()).rejects.toThrow(sentence);
    const nowhere = new Pkcs11Key({ module: '/nowhere.so', token: 't', pin: 'p', key: 'k' });
    await expect(nowhere.open()).rejects.toThrow(/nowhere\.so/);
  });
});

describe('a key service', () => {
  it('is spoken to over verified TLS alone', async () => {
    await expect(transitKey('ed', { ca: null }).open()).rejects.toThrow(/cannot be read/);
    await expect(kmsKey('es', null).open()).rejects.toThrow(/cannot be read/);
  });

  it('names the reason where the credential does not serve', async () => {
    await expect(transitKey('ed', { token: 'another' }).open()).rejects.toThrow(
      /The key ed cannot be read at \S+\/v1\/transit: 403/,
    );
  });

  it('rejects a signature with SERVICE_UNAVAILABLE while it is down', async () => {
    for (const [held, down, up] of [
      [transitKey('ed'), () => (transit.mood = () => 503), () => (transit.mood = () => undefined)],
      [kmsKey('es'), () => (kms.refuse = 500), () => (kms.refuse = null)],
    ] as const) {
      const signer = await held.open();
      down();
      const error: unknown = await signer.sign(Uint8Array.of(1)).catch((thrown: unknown) => thrown);
      up();
      expect(error).toBeInstanceOf(NotaryError);
      expect((error as NotaryError).code).toBe('SERVICE_UNAVAILABLE');
      expect(await signer.sign(Uint8Array.of(1))).toHaveLength(64);
    }
  });

  it('signs with the version or the key that was opened, whatever was made or moved since', async () => {
    const ed = await transitKey('ed').open();
    transit.addKey('ed');
    expect(verifies(ed.publicKey, await ed.sign(Uint8Array.of(1)), Uint8Array.of(1))).toBe(true);
    expect(transit.requests.at(-1)?.body).toMatchObject({ key_version: 2 });
    const es = await kmsKey('es').open();
    kms.moveAlias('es', 'moved');
    expect(verifies(es.publicKey, await es.sign(Uint8Array.of(1)), Uint8Array.of(1))).toBe(true);
    expect(kms.requests.at(-1)?.body['KeyId']).toMatch(/^arn:aws:kms:/);
  });

  it('refuses an Ed25519 key in AWS KMS, which signs short messages alone', async () => {
    await expect(kmsKey('ed').open()).rejects.toThrow(/must be ECC_NIST_P256 for SIGN_VERIFY/);
  });
});
