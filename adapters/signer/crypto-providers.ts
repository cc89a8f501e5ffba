import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { NodeSigner } from './node-signer.ts';
import { ThreadedSigner } from './threads/threaded-signer.ts';
import { WebCryptoSigner, type CryptoProvider } from './webcrypto-signer.ts';

/** One value of SIGNER_CRYPTO: what generates keys, and what signs with them. */
export interface SoftwareCrypto {
  provider(): Promise<CryptoProvider>;
  signer(algorithm: VaultAlgorithm, pkcs8: Uint8Array, spki: Uint8Array): Promise<Signer>;
}

const through = (provider: () => Promise<CryptoProvider>): SoftwareCrypto => ({
  provider,
  signer: async (algorithm, pkcs8, spki) =>
    WebCryptoSigner.fromPkcs8(await provider(), algorithm, pkcs8, spki),
});

const runtime = async (): Promise<CryptoProvider> => globalThis.crypto;

/** Loaded only when it is chosen. */
const peculiar = async (): Promise<CryptoProvider> => {
  const { Crypto } = await import('@peculiar/webcrypto');
  return new Crypto();
};

export const CRYPTO_PROVIDERS = {
  runtime: {
    provider: runtime,
    signer: async (algorithm, pkcs8, spki) =>
      new ThreadedSigner(await WebCryptoSigner.fromPkcs8(await runtime(), algorithm, pkcs8, spki)),
  },
  peculiar: through(peculiar),
  node: {
    provider: runtime,
    signer: async (algorithm, pkcs8, spki) => new NodeSigner(algorithm, pkcs8, spki),
  },
} as const satisfies Record<string, SoftwareCrypto>;

export type CryptoProviderName = keyof typeof CRYPTO_PROVIDERS;
