import type { webcrypto } from 'node:crypto';
import {
  ALGORITHMS,
  type AlgorithmRow,
  type VaultAlgorithm,
} from '../../domain/vault/algorithm.ts';
import { keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { cannotSign } from './cannot-sign.ts';
import { coseSignature } from './cose-signature.ts';

/** The part of the W3C Web Cryptography API that a provider must have. */
export interface CryptoProvider {
  readonly subtle: Pick<webcrypto.SubtleCrypto, 'importKey' | 'sign' | 'generateKey' | 'exportKey'>;
}

/**
 * Signs with any implementation of the Web Cryptography API: the runtime's, a portable one, or that
 * of a token.
 */
export class WebCryptoSigner implements Signer {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;

  private constructor(
    private readonly provider: CryptoProvider,
    private readonly row: AlgorithmRow,
    /** It cannot be exported. */
    readonly key: webcrypto.CryptoKey,
    readonly publicKey: Uint8Array,
  ) {
    this.algorithm = row.name;
    this.keyId = keyIdOf(publicKeyFromSpki(publicKey));
  }

  /**
   * The imported key cannot be exported again.
   *
   * @throws where the provider lacks the algorithm or refuses the key.
   */
  static async fromPkcs8(
    provider: CryptoProvider,
    algorithm: VaultAlgorithm,
    pkcs8: Uint8Array,
    spki: Uint8Array,
  ): Promise<WebCryptoSigner> {
    const row = ALGORITHMS[algorithm];
    const key = await provider.subtle.importKey('pkcs8', pkcs8, row.importParams, false, ['sign']);
    return new WebCryptoSigner(provider, row, key, spki);
  }

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    try {
      return coseSignature(
        this.row,
        new Uint8Array(await this.provider.subtle.sign(this.row.signParams, this.key, bytes)),
      );
    } catch (cause) {
      throw cannotSign(cause);
    }
  }
}
