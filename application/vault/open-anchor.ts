import { fromHex } from '../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import { issuerOf } from '../../domain/vault/chain.ts';
import { typOf } from '../../domain/vault/cose-sign1.ts';
import { openEntry, readEntry, type KeyLookup } from '../../domain/vault/open-entry.ts';
import type { CheckpointPredicate } from '../../domain/vault/statement.ts';

/** What an anchored checkpoint says. */
export interface AnchorClaim {
  readonly chainKey: ChainKey;
  readonly position: number;
  readonly headHash: Uint8Array;
  readonly logIndex: number;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  readonly coseSign1: Uint8Array;
  /** Nothing is known of the key that signed it, so nothing shows that it is genuine. */
  readonly isKeyLost: boolean;
}

/**
 * Reads an anchor. Null for what is no checkpoint of this hub, or does not verify. A key that is not known counts on the
 * platform chain: the statement that activated it may be what was lost.
 */
export const openAnchor = async (
  coseSign1: Uint8Array,
  hubId: string,
  keys: KeyLookup,
): Promise<AnchorClaim | null> => {
  const read = readEntry(coseSign1);
  if (!read || read.header.typ !== typOf('checkpoint') || read.header.iss !== issuerOf(hubId))
    return null;
  const isKeyLost = read.header.sub === PLATFORM_CHAIN && !(await keys(read.header.kid));
  if (!isKeyLost && !(await openEntry(coseSign1, keys))) return null;
  const said = read.predicate as unknown as CheckpointPredicate;
  const { logIndex } = said;
  if (said.chainKey !== read.header.sub || logIndex === undefined) return null;
  return {
    chainKey: said.chainKey,
    position: said.position,
    headHash: fromHex(said.headHash),
    logIndex,
    at: said.at,
    coseSign1,
    isKeyLost,
  };
};
