import { readEntryFacts, type EntryFacts } from '../../domain/record/entry-facts.ts';
import type { Stores } from '../unit-of-work.port.ts';
import { namedEntry, payloadDrift } from './head-check.ts';
import type { OpenChain } from './open-chain.ts';

/** An entry may have 64 KiB. */
const ENTRIES_PER_READ = 32;

/**
 * What the entries of a record's chain say, the newest first, as far back as the caller reads. Each entry is reached from
 * the verified head by the hashes that the entries name, so none can have been edited, left out or put in.
 *
 * @param chain its head is locked and verified by this unit of work.
 * @throws CONFLICT with reason payload_drift.
 */
export async function* entriesBehind(
  { chains }: Pick<Stores, 'chains'>,
  { chainKey, head }: OpenChain,
): AsyncGenerator<EntryFacts> {
  let hash = head?.hash;
  for (let next = head?.position ?? 0; next > 0;) {
    const page = await chains.downFrom(chainKey, next, ENTRIES_PER_READ);
    if (page.length === 0) throw payloadDrift(chainKey, 'an entry before the head');
    for (const entry of page) {
      const { header, predicate } = namedEntry(chainKey, hash, entry);
      yield readEntryFacts(predicate);
      hash = header.chain?.previousHash;
      next = (header.chain?.position ?? 1) - 1;
    }
  }
}
