import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { sealEntry, type Seal } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import { fingerprintOf, keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { KeySource } from '../../domain/vault/key-source.port.ts';
import {
  keyActivatedMembers,
  type KeyStatement,
  type VaultKey,
} from '../../domain/vault/key-statement.ts';
import {
  importVerificationKey,
  openEntry,
  type VerificationKey,
} from '../../domain/vault/open-entry.ts';
import type { SealedKey, SealedKeyStore } from '../../domain/vault/sealed-key-store.port.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { platformStatement, type Canonicalization } from '../../domain/vault/statement.ts';
import type { HubIdentity, VaultKeyReads } from '../../domain/vault/vault-store.port.ts';
import type { UnitOfWork } from '../unit-of-work.port.ts';
import type { CryptoCapabilities } from './crypto-capabilities.port.ts';

export interface VaultOptions {
  readonly algorithm: VaultAlgorithm;
  readonly canonicalization: Canonicalization;
  /** Without a trailing slash. Fixed by the first start; a later difference is a warning. */
  readonly predicateBase: string;
}

export interface VaultOpening {
  readonly hubId: Uuid;
  readonly keyId: string;
  /** SHA-256 of the key's SPKI, lowercase hex: what an auditor pins. */
  readonly fingerprint: string;
  /** This start made the key. */
  readonly created: boolean;
  readonly warnings: readonly string[];
}

interface OpenVault {
  readonly hub: HubIdentity;
  readonly seal: Seal;
  readonly keys: ReadonlyMap<string, VerificationKey>;
}

/** The signing key of this hub, with everything that is sealed along with it. Opened once at start. */
export class Vault {
  private opened: OpenVault | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: VaultKeyReads,
    private readonly chainReads: ChainReads,
    private readonly sealedKeys: SealedKeyStore,
    private readonly keySource: KeySource,
    private readonly capabilities: CryptoCapabilities,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly options: VaultOptions,
  ) {}

  get isOpen(): boolean {
    return this.opened !== null;
  }

  /** @throws SERVICE_UNAVAILABLE before the vault is open. */
  get seal(): Seal {
    return this.required.seal;
  }

  get hub(): HubIdentity {
    return this.required.hub;
  }

  /** A public key of this hub, retired ones included. */
  readonly keyOf = (keyId: string): VerificationKey | undefined => this.required.keys.get(keyId);

  /** Makes the first key on an empty database; otherwise opens the active one and checks that it is the one the chain names. */
  async open(): Promise<VaultOpening> {
    const created = (await this.reads.hub()) === null && (await this.activateFirstKey());
    const hub = await this.reads.hub();
    const rows = await this.reads.keys();
    const active = rows.find((key) => key.status === 'active');
    if (!hub || !active) throw new Error('the vault has no active signing key');
    const signer = await this.signerOf(active);
    const keys = new Map(
      await Promise.all(
        rows.map(
          async (row) =>
            [row.keyId, await importVerificationKey(publicKeyFromSpki(row.publicKey))] as const,
        ),
      ),
    );
    await this.assertGenesis(hub, keys);
    this.opened = {
      hub,
      keys,
      seal: {
        hubId: hub.hubId,
        signer,
        canonicalization: this.options.canonicalization,
        keyActivatedAt: active.activatedAt,
      },
    };
    return {
      hubId: hub.hubId,
      keyId: active.keyId,
      fingerprint: fingerprintOf(publicKeyFromSpki(active.publicKey)),
      created,
      warnings: this.warnings(hub, active),
    };
  }

  private get required(): OpenVault {
    if (!this.opened)
      throw new NotaryError(
        'SERVICE_UNAVAILABLE',
        'The service cannot sign yet: its vault is not open.',
        { retryAfter: 2 },
      );
    return this.opened;
  }

  /** False where another process was faster; what it wrote is then the truth. */
  private async activateFirstKey(): Promise<boolean> {
    const { signer, sealed } = await this.keySource.generate(await this.firstAlgorithm());
    const hub: HubIdentity = { hubId: this.ids.next(), predicateBase: this.options.predicateBase };
    const requestId = this.ids.next();
    return this.unitOfWork.transaction(async (stores) => {
      if (await stores.chains.lockHead(PLATFORM_CHAIN)) return false;
      const at = this.clock.now().toISOString();
      const key = publicKeyFromSpki(signer.publicKey);
      const statement = platformStatement(hub.predicateBase, {
        entryType: 'KEY_ACTIVATED',
        at,
        requestId,
        actor: SYSTEM_ACTOR,
        ...keyActivatedMembers(hub.hubId, key),
      });
      const seal: Seal = {
        hubId: hub.hubId,
        signer,
        canonicalization: this.options.canonicalization,
        keyActivatedAt: at,
      };
      const entry = await sealEntry(seal, PLATFORM_CHAIN, null, statement, {
        entryType: 'KEY_ACTIVATED',
        recordId: null,
        orgId: null,
        at,
        oidcIss: null,
        oidcSub: null,
      });
      const row: VaultKey = {
        keyId: keyIdOf(key),
        algorithm: signer.algorithm,
        publicKey: signer.publicKey,
        status: 'active',
        activatedAt: at,
        retiredAt: null,
      };
      const copy: KeyStatement = {
        keyId: row.keyId,
        statement: 'activated',
        chainPosition: entry.position,
        coseSign1: entry.coseSign1,
        createdAt: at,
      };
      await stores.vaultKeys.insertHub(hub);
      await stores.sealedKeys.insert(sealed);
      await stores.vaultKeys.insertKey(row, copy);
      await stores.chains.append(entry);
      return true;
    });
  }

  /** A host in FIPS mode may lack Ed25519; a new hub then signs with ES256. */
  private async firstAlgorithm(): Promise<VaultAlgorithm> {
    const wanted = this.options.algorithm;
    return wanted !== 'ES256' && !(await this.capabilities.canUse(wanted)) ? 'ES256' : wanted;
  }

  private async signerOf(active: VaultKey): Promise<Signer> {
    const sealed = (await this.sealedKeys.load()).find(
      (key: SealedKey) => key.keyId === active.keyId,
    );
    if (!sealed) throw new Error(`the private key of ${active.keyId} is not in this database`);
    const signer = await this.keySource.open(sealed);
    if (!bytesEqual(signer.publicKey, active.publicKey))
      throw new Error(`the private key of ${active.keyId} belongs to another public key`);
    return signer;
  }

  /** The chain, not the key table, says whose key this is: a swapped row must not become the signer's key. */
  private async assertGenesis(
    hub: HubIdentity,
    keys: ReadonlyMap<string, VerificationKey>,
  ): Promise<void> {
    const [first] = await this.chainReads.entries(PLATFORM_CHAIN, 1, 1);
    const opened = first ? await openEntry(first.coseSign1, (keyId) => keys.get(keyId)) : null;
    if (
      opened?.predicate['entryType'] !== 'KEY_ACTIVATED' ||
      opened.predicate['hubId'] !== hub.hubId ||
      opened.predicate['keyId'] !== opened.header.kid
    ) {
      throw new Error(
        'position 1 of the platform chain does not activate the key of this hub: the database was changed behind the service',
      );
    }
  }

  private warnings(hub: HubIdentity, active: VaultKey): readonly string[] {
    return [
      ...(hub.predicateBase === this.options.predicateBase
        ? []
        : [
            `PREDICATE_BASE is fixed at ${hub.predicateBase} since the first entry; the configured ${this.options.predicateBase} is ignored`,
          ]),
      ...(active.algorithm === this.options.algorithm
        ? []
        : [
            `VAULT_ALGORITHM is ${this.options.algorithm}, the active key is ${active.algorithm} and stays so until it is rotated`,
          ]),
    ];
  }
}
