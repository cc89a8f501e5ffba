import type { ChainEntry, ChainHead } from './chain.ts';
import type { ChainKey } from './chain-key.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Where a chain ends as the row of its newest checkpoint says, which is verified nowhere yet. */
export interface CoveredEnd {
  readonly logIndex: number;
  readonly position: number;
  readonly hash: Uint8Array;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}

/** Where a chain ends: by its entries, by the row of its head, and by that of its newest checkpoint. */
export interface ChainEnds {
  readonly chainKey: ChainKey;
  /** The position of its newest entry; 0 where it has none. */
  readonly newest: number;
  /** Null where the row is missing, which nothing in the service removes. */
  readonly head: ChainHead | null;
  /** Null where it has no checkpoint. */
  readonly covered: CoveredEnd | null;
}

/** What the rows of heads say of a range of chains: no chain grows without changing it. */
export interface HeadsExtent {
  /** Heads of chains that have an entry. */
  readonly heads: number;
  /** The sum of their positions. */
  readonly positions: number;
}

/** Looks at all chains, in order of their keys. */
export interface ChainScan {
  /** Of the chains after one key, up to another one. */
  headsExtent(after: ChainKey, upTo: ChainKey): Promise<HeadsExtent>;
  /** Chains with entries, or with a head that says so, after this key, at most `limit` of them; none at the end. */
  chainsAfter(chainKey: ChainKey, limit: number): Promise<readonly ChainEnds[]>;
  /** The checkpoints at these places of the log; those that are missing are left out. */
  checkpointsAt(logIndexes: readonly number[]): Promise<readonly Checkpoint[]>;
  /** The entries at these heads, by chain key; those that are missing are left out. */
  entriesAt(
    heads: readonly Pick<ChainHead, 'chainKey' | 'position'>[],
  ): Promise<ReadonlyMap<ChainKey, ChainEntry>>;
}

/**
 * Writes chains, inside a unit of work.
 *
 * `begin` writes the first entry of a chain that this unit of work creates: nothing is read, nothing is
 * locked, and the write may be deferred to the commit. `lockHead` locks the chain until the end of the unit
 * of work, so that two appends to one chain follow each other; different chains never wait for each other.
 * Positions are unique by a database constraint: a fork is impossible even with a bug above.
 */
export interface ChainStore extends ChainScan {
  begin(entry: ChainEntry): Promise<void>;
  /** Null where the chain has no entry yet; the chain is locked all the same. */
  lockHead(chainKey: ChainKey): Promise<ChainHead | null>;
  /** Appends entries of one chain, in order, after the head that this unit of work locked, and moves the head. */
  append(...entries: readonly [ChainEntry, ...ChainEntry[]]): Promise<void>;
  /** The entry at the head, with its bytes; null on an empty chain. */
  headEntry(chainKey: ChainKey): Promise<ChainEntry | null>;
  /** The entries from a position down, the newest first, at most `limit` of them. */
  downFrom(chainKey: ChainKey, position: number, limit: number): Promise<readonly ChainEntry[]>;
  /** The entries from a position up, at most `limit` of them. */
  upFrom(chainKey: ChainKey, position: number, limit: number): Promise<readonly ChainEntry[]>;
  /** The entry at a position, as this unit of work sees it; null where there is none. */
  entryAt(chainKey: ChainKey, position: number): Promise<ChainEntry | null>;
}

/** Reads chains as they are committed, outside of any unit of work. */
export interface ChainReads extends ChainScan {
  head(chainKey: ChainKey): Promise<ChainHead | null>;
  /** The heads of those chains that exist. */
  heads(chainKeys: readonly ChainKey[]): Promise<ReadonlyMap<ChainKey, ChainHead>>;
  newest(chainKey: ChainKey): Promise<ChainEntry | null>;
  /** The ids of the keys that signed entries of the chain, as their rows say. */
  signingKeys(chainKey: ChainKey): Promise<readonly string[]>;
  /** All entries in order of position. A record's chain is short; longer ones are read in parts. */
  entries(chainKey: ChainKey, fromPosition: number, limit: number): Promise<readonly ChainEntry[]>;
}
