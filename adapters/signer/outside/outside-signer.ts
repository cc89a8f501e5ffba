import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import {
  VerifyingKeys,
  verifySignature,
  type VerifyingKey,
} from '../../../domain/vault/signatures.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { cannotSign } from '../cannot-sign.ts';
import type { Rehearsals } from './rehearsals.ts';

/**
 * A signer that is away from this process. Within a unit of work it gives the signature that was made for these bytes before,
 * or asks for it and ends the run. Elsewhere it signs at once.
 */
export class OutsideSigner implements Signer {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  readonly publicKey: Uint8Array;
  private readonly timely: Signer;

  constructor(
    remote: Signer,
    private readonly rehearsals: Rehearsals,
    limitMs: number,
  ) {
    ({ keyId: this.keyId, algorithm: this.algorithm, publicKey: this.publicKey } = remote);
    this.timely = timelySigner(remote, limitMs);
  }

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    const rehearsal = this.rehearsals.current;
    return rehearsal && !rehearsal.isLocked
      ? rehearsal.signature(this.timely, bytes)
      : this.timely.sign(bytes);
  }
}

/**
 * Stops waiting after this time, whatever the signer does. A signature is taken only where it is one of the key that was shown:
 * a token may hold two keys under one label, and a service may be at fault.
 */
const timelySigner = (remote: Signer, limitMs: number): Signer => {
  const key = new VerifyingKeys().of(publicKeyFromSpki(remote.publicKey));
  return {
    keyId: remote.keyId,
    algorithm: remote.algorithm,
    publicKey: remote.publicKey,
    sign: (bytes) => within(limitMs, checked(remote, key, bytes)),
  };
};

const checked = async (
  remote: Signer,
  key: VerifyingKey,
  bytes: Uint8Array,
): Promise<Uint8Array> => {
  const signature = await remote.sign(bytes);
  if ((await verifySignature(key, signature, bytes)) !== 'valid')
    throw cannotSign(new Error(`the signer gave a signature that is none of its key ${key.keyId}`));
  return signature;
};

const within = <T>(limitMs: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(cannotSign(new Error(`the signer did not answer within ${limitMs} ms`))),
      limitMs,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
