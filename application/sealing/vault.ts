import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { Seal } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { HeldKeyError } from '../../domain/vault/held-key.port.ts';
import type {
  KeyRetiredMembers,
  KeyStatement,
  VaultKey,
} from '../../domain/vault/key-statement.ts';
import {
  importVerificationKey,
  type KeyLookup,
  type VerificationKey,
} from '../../domain/vault/open-entry.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import type { HubIdentity, VaultKeyReads } from '../../domain/vault/vault-store.port.ts';
import type { FirstKey } from './first-key.ts';
import { proveSuccession, VaultRowError, type ProvenKeys } from './prove-succession.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { VaultOptions } from './vault-options.ts';

export interface VaultIdentity {
  readonly hubId: Uuid;
  readonly keyId: string;
  /** SHA-256 of the key's SPKI, lowercase hex: what an auditor pins. */
  readonly fingerprint: string;
}

export interface VaultOpening extends VaultIdentity {
  /** This start made the key. */
  readonly created: boolean;
  readonly warnings: readonly string[];
}

interface OpenVault {
  readonly proven: ProvenKeys;
  readonly seal: Seal;
  readonly keys: ReadonlyMap<string, VerificationKey>;
}

const MAX_READINGS = 4;

/** The signing key of this hub, with everything else that sealing needs. Opened at the start, and again after a rotation. */
export class Vault {
  private opened: OpenVault | null = null;
  private refreshing: Promise<void> | null = null;

  constructor(
    private readonly firstKey: FirstKey,
    private readonly reads: VaultKeyReads,
    private readonly chainReads: ChainReads,
    private readonly signingKeys: SigningKeys,
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
    return this.required.proven.hub;
  }

  /** Who the hub is, and the key that it signs with now. */
  get identity(): VaultIdentity {
    const { hub, keys } = this.required.proven;
    const [{ keyId, publicKey }] = keys;
    return { hubId: hub.hubId, keyId, fingerprint: fingerprintOf(publicKeyFromSpki(publicKey)) };
  }

  /** Every key of the succession, newest first: what is listed and exported, and never a row. */
  get keys(): readonly VaultKey[] {
    return this.required.proven.keys;
  }

  /** What the statements say of the retired keys, by their id. */
  get retirements(): ReadonlyMap<string, KeyRetiredMembers> {
    return this.required.proven.retirements;
  }

  /** In the order of the platform chain. */
  get keyStatements(): readonly KeyStatement[] {
    return this.required.proven.statements;
  }

  /** A public key of this hub, retired ones included, and those that another node activated since. */
  readonly keyOf: KeyLookup = (keyId) => {
    const known = this.required.keys.get(keyId);
    return known ?? this.refreshIfRotated().then(() => this.required.keys.get(keyId));
  };

  /**
   * The public keys by which something may be signed that no root covers: one made at that time, ISO 8601, by whoever had
   * the key then. Whoever stole a key that was retired as compromised can sign anything, dated back.
   */
  uncoveredKeyOf(at: string): KeyLookup {
    return async (keyId) => {
      await this.refreshIfRotated();
      if (this.retirements.get(keyId)?.reason === 'compromised') return undefined;
      const known = this.keys.find((key) => key.keyId === keyId);
      return known && (known.retiredAt === null || at <= known.retiredAt)
        ? this.keyOf(keyId)
        : undefined;
    };
  }

  /**
   * Opens the active key, after making the first one on an empty database. Who the hub is and which keys it has is proven
   * by the platform chain first.
   *
   * @throws VaultRowError; HeldKeyError where the settings name no signer that holds the active key.
   */
  async open(): Promise<VaultOpening> {
    const created = (await this.isNew()) && (await this.firstKey.activate(this.options));
    const { hub } = await this.load();
    return { ...this.identity, created, warnings: await this.warnings(hub) };
  }

  /**
   * Reads the keys anew where another node rotated them, so that nothing is signed with a key that was retired.
   *
   * @returns whether there was something new.
   */
  async refreshIfRotated(): Promise<boolean> {
    const { proven } = this.required;
    const statements = await this.reads.statements();
    if (statements.length === proven.statements.length) return false;
    await this.refresh();
    return true;
  }

  /** Reads the keys anew. Calls that come meanwhile share one reading. */
  refresh(): Promise<void> {
    this.refreshing ??= this.loadSettled().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** The rows are read one after the other, so a rotation that commits in between makes them look wrong: once. */
  private async loadSettled(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.load();
        return;
      } catch (error) {
        if (!(error instanceof VaultRowError) || tries >= MAX_READINGS) throw error;
      }
    }
  }

  private async load(): Promise<{ readonly hub: HubIdentity }> {
    const proven = await proveSuccession(this.reads, this.chainReads);
    const { hub } = proven;
    const [active] = proven.keys;
    const signer = await this.signerOf(proven.keys);
    const keys = new Map(
      await Promise.all(
        proven.keys.map(
          async ({ keyId, publicKey }) =>
            [keyId, await importVerificationKey(publicKeyFromSpki(publicKey))] as const,
        ),
      ),
    );
    this.opened = {
      proven,
      keys,
      seal: {
        hubId: hub.hubId,
        signer,
        canonicalization: this.options.canonicalization,
        keyActivatedAt: active.activatedAt,
      },
    };
    return { hub };
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

  /** Whether this hub was never started. The row that says who it is may be missing beside others that say more. */
  private async isNew(): Promise<boolean> {
    const [keys, statements, newest] = await Promise.all([
      this.reads.keys(),
      this.reads.statements(),
      this.chainReads.newest(PLATFORM_CHAIN),
    ]);
    // Read last: what another process writes at its first start, it writes in one transaction.
    if ((await this.reads.hub()) !== null) return false;
    if (keys.length > 0 || statements.length > 0 || newest)
      throw new VaultRowError('the row of instance is missing beside keys and a platform chain');
    return true;
  }

  /** At the start a signer is a must. Later another node may rotate to one that this node was not given: it reads on. */
  private async signerOf(keys: ProvenKeys['keys']): Promise<Signer> {
    try {
      return await this.signingKeys.signerOf(keys);
    } catch (error) {
      if (!this.opened || !(error instanceof HeldKeyError)) throw error;
      const [{ keyId, algorithm, publicKey }] = keys;
      const sign = async (bytes: Uint8Array): Promise<Uint8Array> => {
        const found = await this.signingKeys.signerOf(keys).catch((cause: unknown) => {
          throw elsewhere(cause);
        });
        return found.sign(bytes);
      };
      return { keyId, algorithm, publicKey, sign };
    }
  }

  private async warnings(hub: HubIdentity): Promise<readonly string[]> {
    return [
      ...((await this.signingKeys.hasSpentPredecessor(this.seal.signer))
        ? ['SIGNER_PREVIOUS is of no use any more, because SIGNER holds the active key: remove it']
        : []),
      ...(hub.predicateBase === this.options.predicateBase
        ? []
        : [
            `PREDICATE_BASE is fixed at ${hub.predicateBase} since the first entry; the configured ${this.options.predicateBase} is ignored`,
          ]),
    ];
  }
}

/** Another node rotated to a signer that this process was not given. */
const elsewhere = (cause: unknown): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The service cannot sign at the moment; nothing was written.',
    {
      retryAfter: 5,
      suggestion:
        'Tell the operator: the signing key was rotated to a signer that the settings of this node do not name.',
    },
    { cause },
  );
