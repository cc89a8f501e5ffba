import type { OpenedEntry } from '../../domain/vault/open-entry.ts';
import type { Stores } from '../unit-of-work.port.ts';
import { namedEntry, payloadDrift } from './head-check.ts';
import type { OpenChain } from './seal-events.ts';

/**
 * What the entries of a chain say, the oldest first. Each is reached from the verified head by the hashes that the
 * entries name, so none of them can have been edited, left out or put in.
 *
 * @param chain whose head the unit of work holds and has verified.
 * @throws CONFLICT with reason payload_drift.
 */
export const entriesBehind = async (stores: Stores, { chainKey, head }: OpenChain): Promise<readonly OpenedEntry['predicate'][]> => {
  const predicates: OpenedEntry['predicate'][] = [];
  let hash = head?.hash;
  let position = 0;
  for (const entry of await stores.chains.newestFirst(chainKey)) {
    const { header, predicate } = namedEntry(chainKey, hash, entry);
    predicates.push(predicate);
    hash = header.chain?.previousHash;
    position = header.chain?.position ?? 0;
  }
  if (position !== 1) throw payloadDrift(chainKey, 'the first entry');
  return predicates.reverse();
};
