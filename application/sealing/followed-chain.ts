import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import type { ChainKey } from '../../domain/vault/chain-key.ts';
import { GENESIS_HASH, type ChainEntry } from '../../domain/vault/chain.ts';
import type { ChainReads, ChainStore } from '../../domain/vault/chain-store.port.ts';
import { openEntry, readEntry } from '../../domain/vault/open-entry.ts';
import type { Vault } from './vault.ts';
import { payloadDrift } from './head-check.ts';

/** Entries in one read. The newest of them is verified, and the hashes bind the others to it. */
const PAGE = 500;

/** How far behind the chain the memory may be while units of work read on from it. */
const CATCH_UP_MS = 200;

type Read = (position: number) => Promise<readonly ChainEntry[]>;

interface Tip {
  readonly position: number;
  readonly hash: Uint8Array;
}

/** What the entries of a chain say together. Facts over others add to them and leave them unchanged. */
interface Taking {
  take(predicate: JsonObject, position: number): void;
}

/**
 * What a chain says, from its first entry on, kept in memory and followed as the chain grows. No index and no row is
 * believed: every entry is bound by its hash to the one after it, and the newest by its signature to the hub.
 */
export class FollowedChain<Facts extends Taking> {
  private tip: Tip = { position: 0, hash: GENESIS_HASH };
  private readonly facts: Facts;
  private readAt = -Infinity;
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<Facts> | null = null;

  constructor(
    private readonly chainKey: ChainKey,
    private readonly reads: ChainReads,
    private readonly vault: Pick<Vault, 'keyOf'>,
    private readonly factsOver: (before: Facts | null) => Facts,
  ) {
    this.facts = factsOver(null);
  }

  /** Entries that were read so far. */
  get length(): number {
    return this.tip.position;
  }

  /** @param maxAgeMs how old the answer may be. */
  recent(maxAgeMs: number): Promise<Facts> {
    return performance.now() - this.readAt < maxAgeMs ? Promise.resolve(this.facts) : this.now();
  }

  /**
   * As the chain is committed now or later. A read under way began before this call and may miss what it is about, so the
   * one after it answers, which serves everybody who waits.
   *
   * @throws CONFLICT with reason payload_drift where the chain does not verify.
   */
  now(): Promise<Facts> {
    this.next ??= this.running.then(
      () => this.follow(),
      () => this.follow(),
    );
    return this.next;
  }

  /** The same with the entries that a unit of work sees beyond, which may be rolled back. */
  async within(chains: Pick<ChainStore, 'upFrom'>): Promise<Facts> {
    // What was committed meanwhile is read aside, so that not every unit of work reads it anew. Nobody waits for that: a
    // unit holds a connection already.
    void this.recent(CATCH_UP_MS).catch(() => undefined);
    const facts = this.factsOver(this.facts);
    await this.walk(
      this.tip,
      (position) => chains.upFrom(this.chainKey, position, PAGE),
      (tip, predicates) => takeAll(facts, tip, predicates),
    );
    return facts;
  }

  private follow(): Promise<Facts> {
    const begun = performance.now();
    this.running = this.next!;
    this.next = null;
    return this.walk(
      this.tip,
      (position) => this.reads.entries(this.chainKey, position, PAGE),
      (tip, predicates) => {
        takeAll(this.facts, tip, predicates);
        this.tip = tip;
      },
    ).then(() => {
      this.readAt = begun;
      return this.facts;
    });
  }

  private async walk(
    from: Tip,
    read: Read,
    take: (tip: Tip, predicates: readonly JsonObject[]) => void,
  ): Promise<void> {
    let tip = from;
    for (;;) {
      // The tip is read again, so that a chain that was cut or written anew is noticed.
      const page = await read(Math.max(1, tip.position));
      const entries = tip.position === 0 ? page : this.withoutTip(page, tip);
      const newest = entries.at(-1);
      if (!newest) return;
      const predicates = entries.map((entry, at) =>
        this.linked(entry, at === 0 ? tip : entries[at - 1]!),
      );
      if (!(await openEntry(newest.coseSign1, this.vault.keyOf)))
        throw payloadDrift(this.chainKey, `the signature of entry ${newest.position}`);
      tip = newest;
      take(tip, predicates);
      if (page.length < PAGE) return;
    }
  }

  private withoutTip([first, ...rest]: readonly ChainEntry[], tip: Tip): readonly ChainEntry[] {
    if (!first || !bytesEqual(sha256(first.coseSign1), tip.hash))
      throw payloadDrift(
        this.chainKey,
        `entry ${tip.position} is not the one that was read before`,
      );
    return rest;
  }

  /** What an entry says, which has to follow the one before it. */
  private linked(entry: ChainEntry, before: Tip): JsonObject {
    const opened = readEntry(entry.coseSign1);
    const chain = opened?.header.chain;
    if (
      !opened ||
      chain?.chainKey !== this.chainKey ||
      chain.position !== before.position + 1 ||
      chain.position !== entry.position ||
      !bytesEqual(chain.previousHash, before.hash) ||
      !bytesEqual(sha256(entry.coseSign1), entry.hash)
    )
      throw payloadDrift(this.chainKey, `entry ${before.position + 1}`);
    return opened.predicate;
  }
}

/** @param tip the entry of the last of them. */
const takeAll = (facts: Taking, tip: Tip, predicates: readonly JsonObject[]): void => {
  const first = tip.position - predicates.length + 1;
  predicates.forEach((predicate, index) => facts.take(predicate, first + index));
};
