import type { OpenedEntry } from '../../domain/vault/open-entry.ts';
import type { Stores } from '../unit-of-work.port.ts';
import { namedEntry, payloadDrift } from './head-check.ts';
import type { OpenChain } from './seal-events.ts';

/** Read at a time: an entry may have 64 KiB. */
const PAGE = 32;

/**
 * What the entries of a chain say, the newest first, as far back as whoever asks goes. Each is reached from the verified
 * head by the hashes that the entries name, so none of them can have been edited, left out or put in.
 *
 * @param chain whose head the unit of work holds and has verified.
 * @throws CONFLICT with reason payload_drift.
 */
export async function* entriesBehind(
  { chains }: Pick<Stores, 'chains'>,
  { chainKey, head }: OpenChain,
): AsyncGenerator<OpenedEntry['predicate']> {
  let hash = head?.hash;
  for (let next = head?.position ?? 0; next > 0;) {
    const page = await chains.downFrom(chainKey, next, PAGE);
    if (page.length === 0) throw payloadDrift(chainKey, 'an entry before the head');
    for (const entry of page) {
      const { header, predicate } = namedEntry(chainKey, hash, entry);
      yield predicate;
      hash = header.chain?.previousHash;
      next = (header.chain?.position ?? 1) - 1;
    }
  }
}
