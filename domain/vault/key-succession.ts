import { bytesEqual, toHex } from '../kernel/digest.ts';
import { GENESIS_HASH } from './chain.ts';
import { KeyError } from './cose-key.ts';
import { possessionBytes, type KeyRetiredMembers, type KeyStatement } from './key-statement.ts';
import {
  KeyStatementError,
  readKeyStatement,
  type KeyFailureClass,
  type ReadActivation,
  type ReadKeyStatement,
  type ReadRetirement,
} from './read-key-statement.ts';
import { verifySignature, VerifyingKeys, type VerifyingKey } from './signatures.ts';
import type { HubIdentity } from './vault-store.port.ts';

/** A key of the hub, as its statements say. No other source says anything about a key. */
export interface SuccessionKey {
  readonly keyId: string;
  /** The COSE algorithm id of its statement: the only one that its signatures may name. */
  readonly alg: number;
  /** Null where the algorithm is not known here. */
  readonly verifying: VerifyingKey | null;
  /** `at` of its KEY_ACTIVATED and of its KEY_RETIRED, ISO 8601 with milliseconds; both belong to its window. */
  readonly activatedAt: string;
  readonly retiredAt: string | null;
  readonly retirement: KeyRetiredMembers | null;
}

export interface SuccessionFault {
  readonly failureClass: KeyFailureClass;
  /** Of the statement on the platform chain; null where it does not say, or none is there. */
  readonly position: number | null;
  readonly detail: string;
}

/** The keys of a hub, one after the other. */
export interface KeySuccession {
  /** Null where position 1 of the platform chain is not there or does not hold. */
  readonly hub: HubIdentity | null;
  /** Oldest first: each is the successor of the one before. The last one is active where there is no fault. */
  readonly keys: readonly SuccessionKey[];
  /** In the order of the platform chain. */
  readonly statements: readonly KeyStatement[];
  /** Empty where all of it holds. What follows the first break of a rule was not looked at. */
  readonly faults: readonly SuccessionFault[];
}

/**
 * Follows the succession of a hub's keys through its key statements, which are all the KEY_ACTIVATED and KEY_RETIRED
 * entries of its platform chain, in their order, as the bytes that were sealed.
 *
 * - Position 1 is a KEY_ACTIVATED that the key signs that it names. It says who the hub is.
 * - A later KEY_ACTIVATED is signed by the key before. It names the hash of the key statement before it, and holds the new
 *   key's own signature over `possessionBytes`.
 * - The next entry of the chain is the KEY_RETIRED of the key before, signed by the new key.
 *
 * So the newest statement seals all of them, and none in between can be left out or put in. Whether the newest is there
 * shows elsewhere: the newest key is the one that signs the head of the platform chain.
 *
 * @param keys share one instance where the same keys are met again.
 */
export const followSuccession = async (
  statements: readonly Uint8Array[],
  keys = new VerifyingKeys(),
): Promise<KeySuccession> => {
  const walk = new Walk(keys);
  for (const coseSign1 of statements) if (!(await walk.follow(coseSign1))) return walk.outcome();
  walk.end();
  return walk.outcome();
};

class Walk {
  private hub: HubIdentity | null = null;
  private readonly keys: SuccessionKey[] = [];
  private readonly statements: KeyStatement[] = [];
  private readonly faults: SuccessionFault[] = [];
  private last: ReadKeyStatement | null = null;
  private readonly verifying: VerifyingKeys;

  constructor(verifying: VerifyingKeys) {
    this.verifying = verifying;
  }

  outcome(): KeySuccession {
    const { hub, keys, statements, faults } = this;
    return { hub, keys, statements, faults };
  }

  /** Whether the walk can go on. */
  async follow(coseSign1: Uint8Array): Promise<boolean> {
    let position: number | null = null;
    try {
      const statement = readKeyStatement(coseSign1, this.hub);
      position = statement.chain.position;
      if (this.last) this.assertAfter(statement, this.last);
      if (statement.statement === 'activated') await this.activate(statement);
      else await this.retire(statement);
      this.last = statement;
      this.statements.push({
        keyId: statement.keyId,
        statement: statement.statement,
        chainPosition: position,
        coseSign1,
        createdAt: statement.at,
      });
      return true;
    } catch (error) {
      if (!(error instanceof KeyStatementError)) throw error;
      this.fault(error, position);
      return false;
    }
  }

  /** After the last statement. */
  end(): void {
    const { last } = this;
    if (!last)
      this.fault(broken('there is no key statement, so nothing says which keys the hub has'), null);
    else if (this.awaitsRetirement)
      this.fault(
        broken(`the key ${last.keyId} is activated, and nothing retires the key before it`),
        last.chain.position,
      );
  }

  /** A key was activated, and the one before it is still to be retired. */
  private get awaitsRetirement(): boolean {
    return this.last?.statement === 'activated' && this.keys.length > 1;
  }

  private assertAfter(statement: ReadKeyStatement, last: ReadKeyStatement): void {
    if (statement.chain.position <= last.chain.position)
      throw broken('the key statements are not in ascending order of the platform chain');
    if (statement.at < last.at) throw broken('sealed before the key statement before it');
    if ((statement.statement === 'retired') !== this.awaitsRetirement)
      throw broken(
        this.awaitsRetirement
          ? `the activation of the key ${last.keyId} is not followed by the retirement of the key before it`
          : `the key ${statement.keyId} is retired without a successor`,
      );
  }

  private async activate(statement: ReadActivation): Promise<void> {
    const { keyId, coseKey, chain } = statement;
    const key: SuccessionKey = {
      keyId,
      alg: coseKey.alg,
      verifying: this.trustworthy(statement),
      activatedAt: statement.at,
      retiredAt: null,
      retirement: null,
    };
    const signer = this.keys.at(-1);
    if (this.keys.some((known) => known.keyId === keyId))
      throw broken(`the key ${keyId} is activated twice`);
    if (!signer) {
      if (chain.position !== 1)
        throw broken('the key statements do not begin at position 1 of the platform chain');
      if (!bytesEqual(chain.previousHash, GENESIS_HASH))
        throw new KeyStatementError(
          'CHAIN_GENESIS_INVALID',
          'position 1 of the platform chain names an entry before it',
        );
      if (statement.possession || statement.previousStatement !== null)
        throw broken('the first key has no predecessor');
      await this.assertSigned(statement, key);
      this.hub = statement.hub;
    } else {
      if (!this.last || statement.previousStatement !== toHex(this.last.hash))
        throw broken('previousStatement is not the hash of the key statement before it');
      await this.assertSigned(statement, signer);
      await this.assertPossession(statement, signer, key);
    }
    this.keys.push(key);
  }

  private async retire(statement: ReadRetirement): Promise<void> {
    const [old, current] = this.keys.slice(-2);
    const { last } = this;
    if (!old || !current || !last)
      throw broken(`the key ${statement.keyId} is retired without being active`);
    if (
      statement.chain.position !== last.chain.position + 1 ||
      !bytesEqual(statement.chain.previousHash, last.hash)
    )
      throw broken('a retirement stands right after the activation of the next key');
    if (statement.keyId !== old.keyId)
      throw broken(`the key ${statement.keyId} is retired, and its successor follows another key`);
    await this.assertSigned(statement, current);
    this.keys[this.keys.length - 2] = {
      ...old,
      retiredAt: statement.at,
      retirement: statement.members,
    };
  }

  /** The key that a statement names, if its algorithm is known. */
  private trustworthy({ keyId, coseKey }: ReadActivation): VerifyingKey | null {
    if (!coseKey.key) return null;
    try {
      const verifying = this.verifying.of(coseKey.key);
      if (verifying.keyId !== keyId)
        throw new KeyStatementError(
          'CHAIN_SIGNING_KEY_DRIFT',
          `the key that is activated has the id ${verifying.keyId}, not ${keyId}`,
        );
      return verifying;
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
      throw broken(`the key must not be trusted: ${error.message}`);
    }
  }

  private async assertSigned(
    { signed, chain }: ReadKeyStatement,
    key: SuccessionKey,
  ): Promise<void> {
    const { header } = signed;
    if (header.kid !== key.keyId) {
      if (!this.hub)
        throw new KeyStatementError(
          'CHAIN_SIGNATURE_MISSING_KEY',
          'the first key statement is not signed by the key that it activates',
        );
      throw broken(`signed by the key ${header.kid}, and not by ${key.keyId}`);
    }
    if (key.verifying && header.alg !== key.alg)
      throw new KeyStatementError(
        'CHAIN_ALG_MISMATCH',
        `the header names the COSE algorithm ${header.alg}, the key ${key.keyId} is one of ${key.alg}`,
      );
    await this.assertHolds(
      key,
      signed.signature,
      signed.signed,
      chain.position,
      'the signature is not one of its key over these bytes',
    );
  }

  private async assertPossession(
    { possession, coseKeyBytes, hub, chain }: ReadActivation,
    old: SuccessionKey,
    key: SuccessionKey,
  ): Promise<void> {
    await this.assertHolds(
      key,
      possession ?? new Uint8Array(0),
      possessionBytes(hub.hubId, old.keyId, key.keyId, coseKeyBytes),
      chain.position,
      'the new key does not show that it was there: its possession signature is missing or wrong',
    );
  }

  private async assertHolds(
    key: SuccessionKey,
    signature: Uint8Array,
    bytes: Uint8Array,
    position: number,
    detail: string,
  ): Promise<void> {
    const result = key.verifying
      ? await verifySignature(key.verifying, signature, bytes)
      : 'unsupported';
    if (result === 'invalid') throw new KeyStatementError('CHAIN_SIGNATURE_INVALID', detail);
    if (result === 'unsupported')
      this.fault(
        new KeyStatementError(
          'CHAIN_UNSUPPORTED_ALGORITHM',
          `the key ${key.keyId} uses the COSE algorithm ${key.alg}, which cannot be checked here`,
        ),
        position,
      );
  }

  private fault({ failureClass, message }: KeyStatementError, position: number | null): void {
    this.faults.push({ failureClass, position, detail: message });
  }
}

const broken = (detail: string): KeyStatementError =>
  new KeyStatementError('CHAIN_KEY_POLICY_VIOLATION', detail);
