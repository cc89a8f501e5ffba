import type { webcrypto } from 'node:crypto';
import type { CryptoCapabilities } from '../../application/sealing/crypto-capabilities.port.ts';
import { ALGORITHMS, type VaultAlgorithm } from '../../domain/vault/algorithm.ts';

/** The part of a provider that the probe tries out. */
export interface ProbedCrypto {
  readonly subtle: Pick<webcrypto.SubtleCrypto, 'generateKey' | 'sign' | 'verify'>;
}

/**
 * Tries a provider of the Web Cryptography API out, because one does not always do what it lists.
 */
export class CryptoProbe implements CryptoCapabilities {
  private readonly answers = new Map<VaultAlgorithm, Promise<boolean>>();

  constructor(private readonly provider: () => Promise<ProbedCrypto>) {}

  canUse(algorithm: VaultAlgorithm): Promise<boolean> {
    const known = this.answers.get(algorithm) ?? this.tryOut(algorithm).catch(() => false);
    this.answers.set(algorithm, known);
    return known;
  }

  private async tryOut(algorithm: VaultAlgorithm): Promise<boolean> {
    const { importParams, signParams } = ALGORITHMS[algorithm];
    const { subtle } = await this.provider();
    const pair = (await subtle.generateKey(importParams, false, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const message = Uint8Array.of(1, 2, 3);
    return subtle.verify(
      signParams,
      pair.publicKey,
      await subtle.sign(signParams, pair.privateKey, message),
      message,
    );
  }
}
