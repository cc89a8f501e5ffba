import { ALGORITHMS } from '../../../domain/vault/algorithm.ts';
import { keyIdOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { HeldKeyError, type HeldKey } from '../../../domain/vault/held-key.port.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { cannotSign } from '../cannot-sign.ts';
import { coseSignature } from '../cose-signature.ts';
import type { TokenKeyName } from './token-messages.ts';
import { TokenThread } from './token-thread.ts';

/** SIGNER=pkcs11: a key pair in an HSM, or in whatever else speaks PKCS#11. The private key never leaves it. */
export class Pkcs11Key implements HeldKey {
  readonly name: string;
  private readonly thread: TokenThread;

  constructor(key: TokenKeyName) {
    this.name = `pkcs11:${key.key}`;
    this.thread = new TokenThread(key);
  }

  async open(): Promise<Signer> {
    const publicKey = await this.thread.ask(null).catch((cause: Error) => {
      throw new HeldKeyError(cause.message, { cause });
    });
    const key = publicKeyFromSpki(publicKey);
    const row = ALGORITHMS[key.algorithm];
    return {
      keyId: keyIdOf(key),
      algorithm: row.name,
      publicKey,
      sign: async (bytes) => {
        try {
          return coseSignature(row, await this.thread.ask(bytes));
        } catch (cause) {
          throw cannotSign(cause);
        }
      },
    };
  }
}
