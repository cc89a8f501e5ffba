import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import { HeldKeyError, type HeldKey } from '../../domain/vault/held-key.port.ts';
import type { KeySource } from '../../domain/vault/key-source.port.ts';
import type { VaultKey } from '../../domain/vault/key-statement.ts';
import type { SealedKey, SealedKeyStore } from '../../domain/vault/sealed-key-store.port.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';

/** The keys of this service that it makes itself and keeps in its database, encrypted. */
const OWN = 'software';

/** What the settings say of the keys: SIGNER and SIGNER_PREVIOUS. */
export interface KeyChoice {
  readonly current: HeldKey | typeof OWN;
  /** Holds the active key until a rotation to `current` is done; null where none is named. */
  readonly previous: HeldKey | typeof OWN | null;
}

/** A key to rotate to, or to begin with. `sealed` is null where a device or a key service holds the private key. */
export interface NextKey {
  readonly signer: Signer;
  readonly sealed: SealedKey | null;
}

/** Finds who signs: the key that the settings name, or the one before it as long as that is the active one. */
export class SigningKeys {
  constructor(
    private readonly choice: KeyChoice,
    private readonly sealedKeys: SealedKeyStore,
    private readonly keySource: KeySource,
  ) {}

  /** Whether the service makes its keys itself, so that a rotation needs nothing but a call. */
  get areOwn(): boolean {
    return this.choice.current === OWN;
  }

  /**
   * The signer of the active key.
   *
   * @param keys of the succession, newest first.
   * @throws HeldKeyError, SealedKeyError with a sentence for the operator.
   */
  async signerOf([active, ...retired]: readonly [VaultKey, ...VaultKey[]]): Promise<Signer> {
    const { current, previous } = this.choice;
    const signer = current === OWN ? await this.ownSigner(active) : await current.open();
    if (signer?.keyId === active.keyId) return assertSame(signer, active);
    const name = nameOf(current);
    const former = signer && retired.find(({ keyId }) => keyId === signer.keyId);
    if (former)
      throw new HeldKeyError(
        `SIGNER names ${name}, whose key ${former.keyId} was retired at ${former.retiredAt}. No key is activated twice: name a key that this notary never had.`,
      );
    if (!previous)
      throw new HeldKeyError(
        `The active signing key is ${active.keyId}, and SIGNER names ${name}, which holds ${signer ? signer.keyId : 'no such key'}. To rotate to ${name}, name the signer that holds ${active.keyId} in SIGNER_PREVIOUS; else set SIGNER back to it.`,
      );
    return this.predecessor(previous, active);
  }

  /** Whether the active key is where the settings want it. */
  isCurrent(active: Signer): Promise<boolean> {
    const { current } = this.choice;
    return current === OWN
      ? this.sealed(active.keyId).then((sealed) => sealed !== null)
      : current.open().then(({ keyId }) => keyId === active.keyId);
  }

  /** Whether SIGNER_PREVIOUS names something that is of no use any more. */
  hasSpentPredecessor(active: Signer): Promise<boolean> {
    return this.choice.previous ? this.isCurrent(active) : Promise.resolve(false);
  }

  /** The key that SIGNER names, or a new one of this algorithm. */
  async next(algorithm: () => Promise<VaultAlgorithm>): Promise<NextKey> {
    const { current } = this.choice;
    return current === OWN
      ? this.keySource.generate(await algorithm())
      : { signer: await current.open(), sealed: null };
  }

  private async predecessor(previous: HeldKey | typeof OWN, active: VaultKey): Promise<Signer> {
    const signer = await (previous === OWN ? this.ownSigner(active) : opened(previous));
    if (signer?.keyId === active.keyId) return assertSame(signer, active);
    throw new HeldKeyError(
      `SIGNER_PREVIOUS names ${nameOf(previous)}, which holds ${signer ? signer.keyId : 'no such key'} and cannot sign for the active key ${active.keyId}. Only the active key can name its successor: name the signer that holds it.`,
    );
  }

  private async ownSigner(active: VaultKey): Promise<Signer | null> {
    const sealed = await this.sealed(active.keyId);
    return sealed && this.keySource.open(sealed);
  }

  private async sealed(keyId: string): Promise<SealedKey | null> {
    return (await this.sealedKeys.load()).find((key) => key.keyId === keyId) ?? null;
  }
}

const nameOf = (key: HeldKey | typeof OWN): string => (key === OWN ? OWN : key.name);

const opened = (previous: HeldKey): Promise<Signer> =>
  previous.open().catch((cause: unknown) => {
    const why = cause instanceof Error ? ` ${cause.message}` : '';
    throw new HeldKeyError(
      `SIGNER_PREVIOUS names ${previous.name}, which cannot sign, and only the active key can name its successor.${why}`,
      { cause },
    );
  });

const assertSame = (signer: Signer, { keyId, publicKey }: VaultKey): Signer => {
  if (!bytesEqual(signer.publicKey, publicKey))
    throw new HeldKeyError(`The private key of ${keyId} belongs to another public key.`);
  return signer;
};
