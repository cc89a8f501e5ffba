import { SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { sealEntry, type ChainEntry, type Seal } from '../../domain/vault/chain.ts';
import { keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import {
  keyActivatedMembers,
  type KeyStatement,
  type VaultKey,
} from '../../domain/vault/key-statement.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { platformStatement } from '../../domain/vault/statement.ts';
import type { HubIdentity } from '../../domain/vault/vault-store.port.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { CryptoCapabilities } from './crypto-capabilities.port.ts';
import type { SigningKeys } from './signing-keys.ts';
import { usableAlgorithm } from './usable-algorithm.ts';
import type { VaultOptions } from './vault-options.ts';

/**
 * Makes the first signing key of a hub and begins the platform chain with it. The vault cannot be open before that, so
 * this entry alone is signed and appended outside of `application/sealing`.
 */
export class FirstKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly signingKeys: SigningKeys,
    private readonly capabilities: CryptoCapabilities,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @returns false if another process was faster; what it wrote then counts. */
  async activate(options: VaultOptions): Promise<boolean> {
    const { signer, sealed } = await this.signingKeys.next(() =>
      usableAlgorithm(options.algorithm, this.capabilities),
    );
    const hub: HubIdentity = { hubId: this.ids.next(), predicateBase: options.predicateBase };
    const requestId = this.ids.next();
    return this.unitOfWork.transaction(async (stores) => {
      if (await stores.chains.lockHead(PLATFORM_CHAIN)) return false;
      const at = this.clock.now().toISOString();
      const { canonicalization } = options;
      const seal: Seal = { hubId: hub.hubId, signer, canonicalization, keyActivatedAt: at };
      const entry = await genesisOf(seal, hub, requestId);
      await stores.vaultKeys.insertHub(hub);
      if (sealed) await stores.sealedKeys.insert(sealed);
      await stores.vaultKeys.insertKey(keyRowOf(signer, at), statementRowOf(entry));
      await stores.chains.append(entry);
      return true;
    });
  }
}

/** Position 1 of the platform chain: it says who the hub is, and which key signs, this entry included. */
const genesisOf = (seal: Seal, hub: HubIdentity, requestId: string): Promise<ChainEntry> => {
  const at = seal.keyActivatedAt;
  const statement = platformStatement(hub.predicateBase, {
    entryType: 'KEY_ACTIVATED',
    at,
    requestId,
    actor: SYSTEM_ACTOR,
    ...keyActivatedMembers(hub.hubId, publicKeyFromSpki(seal.signer.publicKey)),
  });
  return sealEntry(seal, PLATFORM_CHAIN, null, statement, {
    entryType: 'KEY_ACTIVATED',
    recordId: null,
    orgId: null,
    at,
    oidcIss: null,
    oidcSub: null,
  });
};

const keyRowOf = ({ algorithm, publicKey }: Signer, at: string): VaultKey => ({
  keyId: keyIdOf(publicKeyFromSpki(publicKey)),
  algorithm,
  publicKey,
  status: 'active',
  activatedAt: at,
  retiredAt: null,
});

const statementRowOf = (entry: ChainEntry): KeyStatement => ({
  keyId: entry.signingKeyId,
  statement: 'activated',
  chainPosition: entry.position,
  coseSign1: entry.coseSign1,
  createdAt: entry.at,
});
