import { bytesEqual, toHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { signStatement, type ChainHead, type Seal } from './chain.ts';
import { chainKindOf, type ChainKey } from './chain-key.ts';
import { typOf } from './cose-sign1.ts';
import { openEntry, type KeyLookup } from './open-entry.ts';
import { checkpointStatement } from './statement.ts';

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

export const sealCheckpoint = async (
  seal: Seal,
  predicateBase: string,
  head: ChainHead,
  place: { readonly id: Uuid; readonly logIndex: number; readonly at: string },
  headHashHex: string,
): Promise<Checkpoint> => {
  const chainKind = chainKindOf(head.chainKey);
  if (!chainKind) throw new TypeError(`no chain is called ${head.chainKey}`);
  const statement = checkpointStatement(predicateBase, {
    chainKind,
    chainKey: head.chainKey,
    position: head.position,
    headHash: headHashHex,
    logIndex: place.logIndex,
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
 * Whether a stored checkpoint is the signed claim that this is where the chain ends. Its row is believed in nothing: it
 * must repeat what its own bytes say, and the signature over them must hold.
 */
export const coversHead = async (
  checkpoint: Checkpoint,
  head: ChainHead,
  keys: KeyLookup,
): Promise<boolean> => {
  if (checkpoint.position !== head.position || !bytesEqual(checkpoint.headHash, head.hash))
    return false;
  const opened = await openEntry(checkpoint.coseSign1, keys);
  if (opened?.header.typ !== typOf('checkpoint') || opened.header.kid !== checkpoint.signingKeyId)
    return false;
  const { chainKind, chainKey, position, headHash, logIndex, at } = opened.predicate;
  return (
    chainKey === head.chainKey &&
    chainKind === checkpoint.chainKind &&
    position === head.position &&
    headHash === toHex(head.hash) &&
    logIndex === checkpoint.logIndex &&
    at === checkpoint.createdAt
  );
};
