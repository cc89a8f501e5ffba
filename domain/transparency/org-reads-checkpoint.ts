import { toHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { signStatement, type Seal } from '../vault/chain.ts';
import { openSigned } from '../vault/checkpoint.ts';
import type { KeyLookup } from '../vault/open-entry.ts';
import { checkpointStatement, type CheckpointPredicate } from '../vault/statement.ts';
import { orgReadsKey } from './org-read.ts';

/** A signed claim that the log of an org's reads had `treeSize` leaves under this root, at `createdAt`. */
export interface OrgReadsCheckpoint {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly treeSize: number;
  /** 32 bytes. */
  readonly rootHash: Uint8Array;
  readonly signingKeyId: string;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly coseSign1: Uint8Array;
}

/** The signature of somebody outside who saw a checkpoint. There is one place for it. */
export interface Cosignature {
  readonly checkpointId: Uuid;
  readonly witnessKeyId: Uuid;
  readonly signature: Uint8Array;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface CosignedCheckpoint extends OrgReadsCheckpoint {
  readonly cosignature: Cosignature | null;
}

/** The tree that a checkpoint is to state, with the hash of its newest leaf. */
export interface ReadsTree {
  readonly size: number;
  readonly root: Uint8Array;
  readonly newest: Uint8Array;
}

export const sealOrgReadsCheckpoint = async (
  seal: Seal,
  predicateBase: string,
  orgId: Uuid,
  tree: ReadsTree,
  place: { readonly id: Uuid; readonly at: string },
): Promise<OrgReadsCheckpoint> => {
  const chainKey = orgReadsKey(orgId);
  const statement = checkpointStatement(predicateBase, {
    chainKind: 'org-reads',
    chainKey,
    position: tree.size,
    headHash: toHex(tree.newest),
    treeSize: tree.size,
    treeRoot: toHex(tree.root),
    at: place.at,
  });
  return {
    id: place.id,
    orgId,
    treeSize: tree.size,
    rootHash: tree.root,
    signingKeyId: seal.signer.keyId,
    createdAt: place.at,
    coseSign1: await signStatement(seal, 'checkpoint', chainKey, statement, place.at),
  };
};

/** What a stored checkpoint says, or null where its row says otherwise, or its signature does not hold. */
export const openOrgReadsCheckpoint = async (
  checkpoint: OrgReadsCheckpoint,
  keys: KeyLookup,
): Promise<CheckpointPredicate | null> => {
  const opened = await openSigned(checkpoint, keys);
  if (!opened) return null;
  const { sub, said } = opened;
  const isRow =
    sub === orgReadsKey(checkpoint.orgId) &&
    said.chainKind === 'org-reads' &&
    said.chainKey === orgReadsKey(checkpoint.orgId) &&
    said.position === checkpoint.treeSize &&
    said.treeSize === checkpoint.treeSize &&
    said.treeRoot === toHex(checkpoint.rootHash) &&
    said.at === checkpoint.createdAt;
  return isRow ? said : null;
};
