import { createPublicKey, randomBytes, verify, webcrypto } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { SigningThread } from '../../adapters/signer/threads/signing-thread.ts';
import { ThreadedSigner } from '../../adapters/signer/threads/threaded-signer.ts';
import { WebCryptoSigner } from '../../adapters/signer/webcrypto-signer.ts';
import { ALGORITHMS, type VaultAlgorithm } from '../../domain/vault/algorithm.ts';

const pairOf = async (algorithm: VaultAlgorithm) => {
  const pair = (await webcrypto.subtle.generateKey(ALGORITHMS[algorithm].importParams, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const [spki, pkcs8] = await Promise.all([
    webcrypto.subtle.exportKey('spki', pair.publicKey),
    webcrypto.subtle.exportKey('pkcs8', pair.privateKey),
  ]);
  const signer = await WebCryptoSigner.fromPkcs8(
    webcrypto,
    algorithm,
    new Uint8Array(pkcs8),
    new Uint8Array(spki),
  );
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const holds = (bytes: Uint8Array, signature: Uint8Array): boolean =>
    verify(
      algorithm === 'ES256' ? 'sha256' : null,
      bytes,
      { key, dsaEncoding: 'ieee-p1363' },
      signature,
    );
  return { signer, holds };
};

const messages = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, at) => Uint8Array.from(randomBytes((at * 37) % 700)));

describe.each(Object.keys(ALGORITHMS) as VaultAlgorithm[])(
  'a thread that signs with %s',
  (name) => {
    it('gives each of many at once the signature of its own bytes', async () => {
      const { signer, holds } = await pairOf(name);
      const threaded = new ThreadedSigner(signer);
      for (const count of [1, 3, 4, 200]) {
        const all = messages(count);
        const signatures = await Promise.all(all.map((bytes) => threaded.sign(bytes)));
        expect(all.every((bytes, at) => holds(bytes, signatures[at]!))).toBe(true);
      }
    });

    it('ends when nothing is signed for a while, and starts again', async () => {
      const { signer, holds } = await pairOf(name);
      const thread = new SigningThread({ algorithm: name, key: signer.key }, 20);
      const [bytes] = messages(1);
      for (let times = 0; times < 2; times++) {
        expect(thread.isRunning).toBe(false);
        expect(holds(bytes!, await thread.sign(bytes!))).toBe(true);
        expect(thread.isRunning).toBe(true);
        await vi.waitFor(() => expect(thread.isRunning).toBe(false), 60_000);
      }
    });
  },
);

describe('a thread that cannot sign', () => {
  it('says so to all that waited for it, and the next ones ask a new one', async () => {
    const thread = new SigningThread({ algorithm: 'Ed25519', key: 'no key' as never });
    for (let times = 0; times < 2; times++) {
      const asked = await Promise.allSettled(messages(5).map((bytes) => thread.sign(bytes)));
      expect(asked.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    }
  });

  it('costs no signature: what waited for it is signed without it', async () => {
    const { signer, holds } = await pairOf('Ed25519');
    const wrong = { ...signer, key: 'no key', sign: (bytes: Uint8Array) => signer.sign(bytes) };
    const threaded = new ThreadedSigner(wrong as unknown as WebCryptoSigner);
    const all = messages(50);
    const signatures = await Promise.all(all.map((bytes) => threaded.sign(bytes)));
    expect(all.every((bytes, at) => holds(bytes, signatures[at]!))).toBe(true);
  });
});
