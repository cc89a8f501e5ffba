import { bytesEqual, sha256, toHex } from '../../domain/kernel/digest.ts';
import { ANCHORED_STATEMENTS, statementKey } from '../../domain/vault/anchor-key.ts';
import type { AnchorStore } from '../../domain/vault/anchor.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { followSuccession } from '../../domain/vault/key-succession.ts';
import type { KeyStatement } from '../../domain/vault/key-statement.ts';
import { listedKeys } from '../../domain/vault/listed-keys.ts';
import { importVerificationKey, type VerificationKey } from '../../domain/vault/open-entry.ts';
import { KeyStatementError, readKeyStatement } from '../../domain/vault/read-key-statement.ts';
import { VerifyingKeys } from '../../domain/vault/signatures.ts';
import type { AnchorClaim } from './open-anchor.ts';
import type { UnprovenAnchors } from './unproven-anchors.ts';
import type { Vault } from '../sealing/vault.ts';

/** Key statements that the store of anchors has, and the database has not. */
export interface LostSuccession {
  readonly keyOf: (keyId: string) => VerificationKey | undefined;
  /** The newest of them, as the end of the platform chain that it shows; null where none is lost. */
  readonly newest: Omit<AnchorClaim, 'logIndex'> | null;
}

/** A statement in the store that the database does not hold. */
interface Found {
  readonly key: string;
  readonly coseSign1: Uint8Array;
  /** Hash of the statement that it follows, hex. */
  readonly after: string;
}

const NOTHING_LOST: LostSuccession = { keyOf: () => undefined, newest: null };

/**
 * Keeps the key statements beside the anchors. An older copy of the database does not know the keys that it rotated to
 * later, so of their checkpoints alone nobody could say whether they are genuine: each statement is signed by the key
 * before it, and leads from a key that the older copy knows to the one that signed.
 */
export class AnchoredSuccession {
  /** Statements of this process that are in the store. */
  private kept = 1;

  constructor(
    private readonly vault: Vault,
    private readonly unproven: UnprovenAnchors,
  ) {}

  /**
   * Before a checkpoint is anchored the statements of its key are. The first one is not: every copy of the database has it.
   *
   * @throws AnchorError
   */
  async keep(anchors: AnchorStore): Promise<void> {
    await this.vault.refreshIfRotated();
    const { keyStatements } = this.vault;
    if (keyStatements.length === this.kept) return;
    const there = new Set(await keysIn(anchors));
    for (const { chainPosition, coseSign1 } of keyStatements.slice(1)) {
      const key = statementKey(chainPosition, coseSign1);
      if (!there.has(key)) await anchors.put(key, coseSign1);
    }
    this.kept = keyStatements.length;
  }

  /** @throws AnchorError */
  async lost(anchors: AnchorStore): Promise<LostSuccession> {
    const keys = await keysIn(anchors);
    const own = (): Set<string> =>
      new Set(
        this.vault.keyStatements.map((one) => statementKey(one.chainPosition, one.coseSign1)),
      );
    if (keys.length === 0 || keys.every((key) => own().has(key))) return NOTHING_LOST;
    // What was put there was committed before.
    await this.vault.refreshIfRotated();
    const known = own();
    const found: Found[] = [];
    for (const key of keys.filter((one) => !known.has(one))) {
      const one = await this.read(anchors, key);
      if (one) found.push(one);
    }
    return found.length > 0 ? this.follow(found) : NOTHING_LOST;
  }

  /** From the newest statement of the database on, or from where the database went another way. */
  private async follow(found: readonly Found[]): Promise<LostSuccession> {
    const own = this.vault.keyStatements;
    for (let length = own.length; length > 0; length--) {
      if (this.isCompromised(own.slice(0, length))) continue;
      const branch = await longest(
        own.slice(0, length).map(({ coseSign1 }) => coseSign1),
        found,
      );
      if (branch.length > length) return lostIn(branch, own);
    }
    for (const { key } of found) this.unproven.note(key, 'no key of the succession signed it');
    return NOTHING_LOST;
  }

  /** Whoever stole the key that would sign the next statement can sign any. */
  private isCompromised(statements: readonly KeyStatement[]): boolean {
    const active = statements.findLast(({ statement }) => statement === 'activated');
    return active ? this.vault.retirements.get(active.keyId)?.reason === 'compromised' : false;
  }

  private async read(anchors: AnchorStore, key: string): Promise<Found | null> {
    const coseSign1 = await anchors.get(key);
    if (!coseSign1) return null;
    try {
      const statement = readKeyStatement(coseSign1, this.vault.hub);
      const after =
        statement.statement === 'activated'
          ? statement.previousStatement
          : toHex(statement.chain.previousHash);
      if (after !== null) return { key, coseSign1, after };
    } catch (error) {
      if (!(error instanceof KeyStatementError)) throw error;
    }
    this.unproven.note(key, 'it is no key statement of this hub');
    return null;
  }
}

const keysIn = async (anchors: AnchorStore): Promise<readonly string[]> => {
  const keys = new Set<string>();
  for await (const { key } of anchors.list(ANCHORED_STATEMENTS)) keys.add(key);
  return [...keys];
};

/** The statements, as far as what was found goes on from them. */
const longest = async (
  statements: readonly Uint8Array[],
  found: readonly Found[],
): Promise<readonly Uint8Array[]> => {
  const verifying = new VerifyingKeys();
  for (let branch = statements; ;) {
    const last = toHex(sha256(branch.at(-1)!));
    const before = branch.length;
    for (const { coseSign1 } of found.filter(({ after }) => after === last)) {
      const longer = [...branch, coseSign1];
      const { statements: accepted } = await followSuccession(longer, verifying);
      if (accepted.length === longer.length) {
        branch = longer;
        break;
      }
    }
    if (branch.length === before) return branch;
  }
};

const lostIn = async (
  branch: readonly Uint8Array[],
  own: readonly KeyStatement[],
): Promise<LostSuccession> => {
  const succession = await followSuccession(branch);
  const keys = new Map<string, VerificationKey>();
  for (const { keyId, publicKey } of listedKeys(succession))
    keys.set(keyId, await importVerificationKey(publicKeyFromSpki(publicKey)));
  const newest = succession.statements.at(-1)!;
  const isOwn = own.some(({ coseSign1 }) => bytesEqual(coseSign1, newest.coseSign1));
  return {
    keyOf: (keyId) => keys.get(keyId),
    newest: isOwn
      ? null
      : {
          chainKey: PLATFORM_CHAIN,
          position: newest.chainPosition,
          headHash: sha256(newest.coseSign1),
          at: newest.createdAt,
          coseSign1: newest.coseSign1,
          isKeyLost: true,
        },
  };
};
