import { coseKeyOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { CborKey, CborValue } from '../../domain/kernel/deterministic-cbor.ts';
import type { Vault } from '../sealing/vault.ts';

export interface ListedCoseKey {
  /** As `kid` of what it signed: UTF-8 of the keyId. */
  readonly kid: Uint8Array;
  /** RFC 9052 section 7, with kid and alg. */
  readonly key: ReadonlyMap<CborKey, CborValue>;
}

/** The keys that receipts are verified with, newest first. One that was retired as compromised is not among them. */
export class ListCoseKeys {
  constructor(private readonly vault: Vault) {}

  async execute(): Promise<readonly ListedCoseKey[]> {
    await this.vault.refreshIfRotated();
    const { keys, retirements } = this.vault;
    return keys
      .filter(({ keyId }) => retirements.get(keyId)?.reason !== 'compromised')
      .map(({ keyId, publicKey }) => {
        const kid = new TextEncoder().encode(keyId);
        return { kid, key: new Map([...coseKeyOf(publicKeyFromSpki(publicKey)), [KID, kid]]) };
      });
  }
}

const KID = 2;
