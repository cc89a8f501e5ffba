import type { Uuid } from '../kernel/ids.ts';
import { signStatement, type ChainHead, type Seal } from './chain.ts';
import { chainKindOf, type ChainKey } from './chain-key.ts';
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
