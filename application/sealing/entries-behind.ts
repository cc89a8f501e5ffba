import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { readEntryFacts, type EntryFacts } from '../../domain/record/entry-facts.ts';
import { factsAfter } from '../../domain/record/chain-facts.ts';
import type { RecordFacts } from '../../domain/record/record-facts.ts';
import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import type { OpenedEntry } from '../../domain/vault/open-entry.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { namedEntry, payloadDrift } from './head-check.ts';
import type { OpenChain } from './open-chain.ts';

/** An entry may have 64 KiB. */
const ENTRIES_PER_READ = 32;

/** An entry as it is stored, with what it says. */
export interface EntryBehind {
  readonly entry: ChainEntry;
  readonly predicate: JsonObject;
}

/** What the entries of a record's chain say, as `openedBehind` reaches them. */
export async function* entriesBehind(
  stores: Pick<Stores, 'chains'>,
  chain: OpenChain,
): AsyncGenerator<EntryFacts> {
  for await (const { predicate } of openedBehind(stores, chain)) yield readEntryFacts(predicate);
}

/**
 * The entries of a record's chain, the newest first, as far back as the caller reads. Each entry is reached from the
 * verified head by the hashes that the entries name, so none can have been edited, left out or put in.
 *
 * @param chain its head is locked and verified by this unit of work.
 * @throws CONFLICT with reason payload_drift.
 */
export const openedBehind = (
  stores: Pick<Stores, 'chains'>,
  { chainKey, head }: OpenChain,
): AsyncGenerator<EntryBehind> => openedFrom(stores, chainKey, head?.position ?? 0, head?.hash);

/**
 * What a chain says of its record, from its first entry to a verified head.
 *
 * @param opened the entry at the head.
 * @throws CONFLICT with reason payload_drift.
 */
export const factsBehind = async (
  stores: Pick<Stores, 'chains'>,
  { chainKey, position }: ChainHead,
  { header, predicate }: OpenedEntry,
): Promise<RecordFacts> => {
  const entries = [readEntryFacts(predicate)];
  const before = openedFrom(stores, chainKey, position - 1, header.chain?.previousHash);
  for await (const entry of before) entries.push(readEntryFacts(entry.predicate));
  return entries.reduceRight(factsAfter, null as RecordFacts | null) as RecordFacts;
};

async function* openedFrom(
  { chains }: Pick<Stores, 'chains'>,
  chainKey: ChainKey,
  position: number,
  newest: Uint8Array | undefined,
): AsyncGenerator<EntryBehind> {
  let hash = newest;
  for (let next = position; next > 0;) {
    const page = await chains.downFrom(chainKey, next, ENTRIES_PER_READ);
    if (page.length === 0) throw payloadDrift(chainKey, 'an entry before the head');
    for (const entry of page) {
      const { header, predicate } = namedEntry(chainKey, hash, entry);
      yield { entry, predicate };
      hash = header.chain?.previousHash;
      next = (header.chain?.position ?? 1) - 1;
    }
  }
}
