import { bytesEqual, fromHex, toHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { signStatement, type ChainHead, type Seal } from './chain.ts';
import { chainKindOf, type ChainKey } from './chain-key.ts';
import { typOf } from './cose-sign1.ts';
import { openEntry, type KeyLookup } from './open-entry.ts';
import { checkpointStatement, type CheckpointPredicate } from './statement.ts';

/** A signed claim that `chainKey` had exactly `position` entries, ending in `headHash`, at `createdAt`. */
export interface Checkpoint {
  readonly id: Uuid;
  /** Place in the one log of all checkpoints, from 0, without a gap. */
  readonly logIndex: number;
  readonly chainKey: ChainKey;
  readonly chainKind: 'record' | 'schema' | 'admin';
  readonly position: number;
  readonly headHash: Uint8Array;
  readonly signingKeyId: string;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly coseSign1: Uint8Array;
}

/** The size and the root of a Merkle tree (RFC 9162 section 2.1). */
export interface TreeHead {
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

export interface CheckpointPlace {
  readonly id: Uuid;
  readonly logIndex: number;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  /**
   * At the end of the platform chain: the log of checkpoints as it was before this one. At the end of a schema chain: the
   * log of the org's statements.
   */
  readonly tree?: TreeHead;
}

export const sealCheckpoint = async (
  seal: Seal,
  predicateBase: string,
  head: ChainHead,
  place: CheckpointPlace,
): Promise<Checkpoint> => {
  const chainKind = chainKindOf(head.chainKey);
  if (!chainKind) throw new TypeError(`no chain is called ${head.chainKey}`);
  const statement = checkpointStatement(predicateBase, {
    chainKind,
    chainKey: head.chainKey,
    position: head.position,
    headHash: toHex(head.hash),
    logIndex: place.logIndex,
    ...(place.tree ? { treeSize: place.tree.size, treeRoot: toHex(place.tree.root) } : {}),
    at: place.at,
  });
  const coseSign1 = await signStatement(seal, 'checkpoint', head.chainKey, statement, place.at);
  return {
    id: place.id,
    logIndex: place.logIndex,
    chainKey: head.chainKey,
    chainKind,
    position: head.position,
    headHash: head.hash,
    signingKeyId: seal.signer.keyId,
    createdAt: place.at,
    coseSign1,
  };
};

/**
 * What a stored checkpoint says, or null where its row does not repeat what its own bytes say, or the signature over them
 * does not hold: the row is believed in nothing.
 */
export const openCheckpoint = async (
  checkpoint: Checkpoint,
  keys: KeyLookup,
): Promise<CheckpointPredicate | null> => {
  const opened = await openSigned(checkpoint, keys);
  if (!opened) return null;
  const { said } = opened;
  const isRow =
    said.chainKey === checkpoint.chainKey &&
    said.chainKind === checkpoint.chainKind &&
    said.position === checkpoint.position &&
    said.headHash === toHex(checkpoint.headHash) &&
    said.logIndex === checkpoint.logIndex &&
    said.at === checkpoint.createdAt;
  return isRow ? said : null;
};

/**
 * What the signed bytes of a stored checkpoint say, of whatever kind: null where they are none, or were not signed by the
 * key that the row names. The row is still to be compared with it.
 */
export const openSigned = async (
  { coseSign1, signingKeyId }: Pick<Checkpoint, 'coseSign1' | 'signingKeyId'>,
  keys: KeyLookup,
): Promise<{ readonly sub: string; readonly said: CheckpointPredicate } | null> => {
  const opened = await openEntry(coseSign1, keys);
  if (opened?.header.typ !== typOf('checkpoint') || opened.header.kid !== signingKeyId) return null;
  return { sub: opened.header.sub, said: opened.predicate as unknown as CheckpointPredicate };
};

/** Whether a stored checkpoint is the signed claim that this is where the chain ends. */
export const coversHead = async (
  checkpoint: Checkpoint,
  head: ChainHead,
  keys: KeyLookup,
): Promise<boolean> =>
  checkpoint.chainKey === head.chainKey &&
  checkpoint.position === head.position &&
  bytesEqual(checkpoint.headHash, head.hash) &&
  (await openCheckpoint(checkpoint, keys)) !== null;

/** The tree that a checkpoint states; null where it states none. */
export const treeOf = ({ treeSize, treeRoot }: CheckpointPredicate): TreeHead | null =>
  treeSize === undefined || treeRoot === undefined
    ? null
    : { size: treeSize, root: fromHex(treeRoot) };
