import { createHash, createPublicKey, randomBytes, verify as nodeVerify } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { encode as encodeWithCbor2 } from 'cbor2';
import { describe, expect, it } from 'vitest';
import {
  CRYPTO_PROVIDERS,
  type CryptoProviderName,
} from '../../adapters/signer/crypto-providers.ts';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { WebCryptoSigner, type CryptoProvider } from '../../adapters/signer/webcrypto-signer.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { ALGORITHMS, type VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import { publicKeyFromSpki, type PublicKey } from '../../domain/vault/cose-key.ts';
import { SealedKeyError, type KeySource } from '../../domain/vault/key-source.port.ts';
import type { SealedKey } from '../../domain/vault/sealed-key-store.port.ts';

// Contract of domain/vault/key-source.port.ts
// Contract of domain/vault/signer.port.ts

const NOW = new Date('2026-11-20T10:00:00.123Z');
const clock = { now: () => NOW };
const KEK = randomBytes(32);

interface Adapter {
  readonly name: string;
  /** Another source with the same, or with another, key-encryption key. */
  source(kek?: Uint8Array): KeySource;
}

/** One line for each adapter that can run here. */
const ADAPTERS: readonly Adapter[] = (Object.keys(CRYPTO_PROVIDERS) as CryptoProviderName[]).map(
  (name) => ({
    name: `software, ${name}`,
    source: (kek = KEK) => new SoftwareKeys(kek, CRYPTO_PROVIDERS[name], clock),
  }),
);

for (const adapter of ADAPTERS) {
  for (const algorithm of Object.keys(ALGORITHMS) as VaultAlgorithm[]) {
    describe(`Signer: ${adapter.name}, ${algorithm}`, () => {
      it('has the first 32 hex characters of the RFC 9679 thumbprint as its key id', async () => {
        const { signer } = await adapter.source().generate(algorithm);
        expect(signer.algorithm).toBe(algorithm);
        expect(signer.keyId).toBe(
          independentThumbprint(publicKeyFromSpki(signer.publicKey)).slice(0, 32),
        );
      });

      it('signs raw 64 bytes that WebCrypto and node:crypto accept, and only over the bytes given', async () => {
        const { signer } = await adapter.source().generate(algorithm);
        for (const length of [0, 1, 32, 1024, 65_536]) {
          const bytes = Uint8Array.from(randomBytes(length));
          const signature = await signer.sign(bytes);
          expect(signature).toHaveLength(64);
          expect(await verifiesInWebCrypto(algorithm, signer.publicKey, signature, bytes)).toBe(
            true,
          );
          expect(verifiesInNode(algorithm, signer.publicKey, signature, bytes)).toBe(true);
          expect(
            verifiesInNode(
              algorithm,
              signer.publicKey,
              signature,
              Uint8Array.of(...bytes.slice(0, 1000), 1),
            ),
          ).toBe(false);
        }
      });

      it('signs a view into a larger buffer, not the buffer', async () => {
        const { signer } = await adapter.source().generate(algorithm);
        const view = new Uint8Array(randomBytes(300)).subarray(100, 200);
        expect(
          verifiesInNode(
            algorithm,
            signer.publicKey,
            await signer.sign(view),
            Uint8Array.from(view),
          ),
        ).toBe(true);
      });

      it('signs many at once without mixing them up', async () => {
        const { signer } = await adapter.source().generate(algorithm);
        const messages = Array.from({ length: 100 }, (_, i) =>
          new TextEncoder().encode(`message ${i}`),
        );
        const signatures = await Promise.all(messages.map((message) => signer.sign(message)));
        for (const [i, signature] of signatures.entries()) {
          expect(verifiesInNode(algorithm, signer.publicKey, signature, messages[i]!)).toBe(true);
          if (algorithm === 'ES256')
            expect(p256.Signature.fromBytes(signature, 'compact').hasHighS(), 'a low s').toBe(
              false,
            );
        }
      });

      it('opens a sealed key as the same signer', async () => {
        const { signer, sealed } = await adapter.source().generate(algorithm);
        expect(sealed).toMatchObject({
          keyId: signer.keyId,
          algorithm,
          publicKey: signer.publicKey,
          createdAt: NOW.toISOString(),
        });
        const opened = await adapter.source().open(sealed);
        expect(opened).toMatchObject({
          keyId: signer.keyId,
          algorithm,
          publicKey: signer.publicKey,
        });
        const bytes = Uint8Array.from(randomBytes(100));
        expect(verifiesInNode(algorithm, signer.publicKey, await opened.sign(bytes), bytes)).toBe(
          true,
        );
      });

      it('makes another key each time, and never seals to the same bytes twice', async () => {
        const source = adapter.source();
        const [a, b] = [await source.generate(algorithm), await source.generate(algorithm)];
        expect(a.sealed.keyId).not.toBe(b.sealed.keyId);
        expect(nonceOf(a.sealed)).not.toBe(nonceOf(b.sealed));
      });

      it('refuses a sealed key under another key-encryption key, and says so', async () => {
        const { sealed } = await adapter.source().generate(algorithm);
        const opening = adapter.source(randomBytes(32)).open(sealed);
        await expect(opening).rejects.toThrow(SealedKeyError);
        await expect(opening).rejects.toThrow(/sealed under another SIGNER_KEK/);
      });

      it('refuses a sealed key of which any byte was altered, or that was cut short', async () => {
        const source = adapter.source();
        const { sealed } = await source.generate(algorithm);
        for (let i = 0; i < sealed.encryptedPrivateKey.length; i++) {
          const altered = Uint8Array.from(sealed.encryptedPrivateKey);
          altered[i]! ^= 1;
          await expect(
            source.open({ ...sealed, encryptedPrivateKey: altered }),
            `byte ${i}`,
          ).rejects.toThrow(SealedKeyError);
        }
        for (const length of [0, 1, 9, 21, 37, sealed.encryptedPrivateKey.length - 1]) {
          await expect(
            source.open({
              ...sealed,
              encryptedPrivateKey: sealed.encryptedPrivateKey.slice(0, length),
            }),
            `${length} bytes`,
          ).rejects.toThrow(SealedKeyError);
        }
      });

      it('refuses a private key that was moved to the row of another key or algorithm', async () => {
        const source = adapter.source();
        const [a, b] = [
          (await source.generate(algorithm)).sealed,
          (await source.generate(algorithm)).sealed,
        ];
        const other: VaultAlgorithm = algorithm === 'Ed25519' ? 'ES256' : 'Ed25519';
        await expect(
          source.open({ ...a, encryptedPrivateKey: b.encryptedPrivateKey }),
        ).rejects.toThrow(/altered or damaged/);
        await expect(source.open({ ...a, publicKey: b.publicKey })).rejects.toThrow(
          /altered or damaged/,
        );
        await expect(source.open({ ...a, keyId: b.keyId })).rejects.toThrow(/altered or damaged/);
        await expect(source.open({ ...a, keyId: b.keyId, publicKey: b.publicKey })).rejects.toThrow(
          /altered or damaged/,
        );
        await expect(source.open({ ...a, algorithm: other })).rejects.toThrow(/altered or damaged/);
      });

      it('holds no private key in clear in what it seals', async () => {
        const source = adapter.source();
        const { sealed } = await source.generate(algorithm);
        const pkcs8Prefix = algorithm === 'Ed25519' ? '302e0201' : '30818702';
        expect(Buffer.from(sealed.encryptedPrivateKey).toString('hex')).not.toContain(pkcs8Prefix);
      });
    });
  }
}

describe('WebCryptoSigner: a provider that fails', () => {
  const failing = async (sign: CryptoProvider['subtle']['sign']): Promise<WebCryptoSigner> => {
    const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
    if (!('privateKey' in pair)) throw new Error('not a pair');
    const { subtle } = globalThis.crypto;
    const provider: CryptoProvider = {
      subtle: {
        generateKey: subtle.generateKey.bind(subtle),
        exportKey: subtle.exportKey.bind(subtle),
        importKey: subtle.importKey.bind(subtle),
        sign,
      },
    };
    const [pkcs8, spki] = await Promise.all([
      subtle.exportKey('pkcs8', pair.privateKey),
      subtle.exportKey('spki', pair.publicKey),
    ]);
    return WebCryptoSigner.fromPkcs8(
      provider,
      'Ed25519',
      new Uint8Array(pkcs8),
      new Uint8Array(spki),
    );
  };

  it('answers SERVICE_UNAVAILABLE "cannot sign", without the reason in the text', async () => {
    const signer = await failing(async () => Promise.reject(new Error('token 4711 is gone')));
    const refusal = await signer.sign(new Uint8Array(3)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(NotaryError);
    expect(refusal).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('cannot sign') as unknown,
    });
    expect((refusal as Error).message).not.toContain('4711');
    expect((refusal as Error).cause).toMatchObject({ message: 'token 4711 is gone' });
  });

  it.each([0, 63, 65, 71])(
    'answers SERVICE_UNAVAILABLE where the provider gives %i bytes',
    async (length) => {
      const signer = await failing(async () => new ArrayBuffer(length));
      await expect(signer.sign(new Uint8Array(3))).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    },
  );
});

const nonceOf = (sealed: SealedKey): string =>
  Buffer.from(sealed.encryptedPrivateKey.subarray(9, 21)).toString('hex');

/** By another CBOR library and another SHA-256 than the service's. */
const independentThumbprint = ({ algorithm, raw }: PublicKey): string => {
  const members =
    algorithm === 'Ed25519'
      ? new Map<number, unknown>([
          [1, 1],
          [-1, 6],
          [-2, raw],
        ])
      : new Map<number, unknown>([
          [1, 2],
          [-1, 1],
          [-2, raw.slice(1, 33)],
          [-3, raw.slice(33)],
        ]);
  return createHash('sha256')
    .update(encodeWithCbor2(members, { cde: true }))
    .digest('hex');
};

const verifiesInWebCrypto = async (
  algorithm: VaultAlgorithm,
  spki: Uint8Array,
  signature: Uint8Array,
  bytes: Uint8Array,
): Promise<boolean> => {
  const row = ALGORITHMS[algorithm];
  const key = await crypto.subtle.importKey('spki', spki, row.importParams, false, ['verify']);
  return crypto.subtle.verify(row.signParams, key, signature, bytes);
};

const verifiesInNode = (
  algorithm: VaultAlgorithm,
  spki: Uint8Array,
  signature: Uint8Array,
  bytes: Uint8Array,
): boolean => {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  return nodeVerify(
    algorithm === 'ES256' ? 'sha256' : null,
    bytes,
    { key, dsaEncoding: 'ieee-p1363' },
    signature,
  );
};
