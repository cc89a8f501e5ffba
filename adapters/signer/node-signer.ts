import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import {
  ALGORITHMS,
  type AlgorithmRow,
  type VaultAlgorithm,
} from '../../domain/vault/algorithm.ts';
import { keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { cannotSign } from './cannot-sign.ts';
import { coseSignature } from './cose-signature.ts';

/**
 * Signs with node:crypto on the calling thread. A single signature has the least delay this way,
 * but a busy service cannot spread its signatures over other cores.
 */
export class NodeSigner implements Signer {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  private readonly key: KeyObject;
  private readonly row: AlgorithmRow;

  /** @throws where the bytes are not a private key. */
  constructor(
    algorithm: VaultAlgorithm,
    pkcs8: Uint8Array,
    readonly publicKey: Uint8Array,
  ) {
    this.row = ALGORITHMS[algorithm];
    this.algorithm = algorithm;
    this.key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    this.keyId = keyIdOf(publicKeyFromSpki(publicKey));
  }

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    try {
      return signatureNow(this.row, this.key, bytes);
    } catch (cause) {
      throw cannotSign(cause);
    }
  }
}

/** As COSE wants it, made on the thread that asks. @throws where the key does not sign. */
export const signatureNow = (row: AlgorithmRow, key: KeyObject, bytes: Uint8Array): Uint8Array =>
  coseSignature(
    row,
    new Uint8Array(
      sign(row.signParams.hash ? 'sha256' : null, bytes, { key, dsaEncoding: 'ieee-p1363' }),
    ),
  );
