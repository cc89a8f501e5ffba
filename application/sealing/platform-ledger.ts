import { PlatformFacts } from '../../domain/identity/platform-facts.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainReads, ChainStore } from '../../domain/vault/chain-store.port.ts';
import type { Vault } from './vault.ts';
import { FollowedChain } from './followed-chain.ts';
import type { RowVersions, VersionLookup } from './row-versions.port.ts';

/** With the lifetime of cached rows, less than the second in which a change takes effect on every node. */
const MAX_AGE_MS = 90;

export interface Losses {
  /** @param at of the checkpoint that saw the entry. */
  isLost(chainKey: ChainKey, position: number, at: string): boolean;
  /** Positions of the platform chain at which the loss of entries of this chain is acknowledged. */
  acknowledgementsOf(chainKey: ChainKey): readonly number[];
  isAcknowledged(finding: Pick<RewindFinding, 'chainKey' | 'checkpointHash'>): boolean;
}

/** What the platform chain says of orgs, agents, keys, issuers, certificates and publishers, whatever their rows say. */
export class PlatformLedger implements RowVersions {
  private readonly chain: FollowedChain<PlatformFacts>;

  constructor(chains: ChainReads, vault: Pick<Vault, 'keyOf'>) {
    this.chain = new FollowedChain(
      PLATFORM_CHAIN,
      chains,
      vault,
      (before) => new PlatformFacts(before),
    );
  }

  /**
   * Reads the chain from its first entry. Later only what was added is read.
   *
   * @returns how many entries there are, and of how many rows a version is held.
   */
  async open(): Promise<{ readonly entries: number; readonly rows: number }> {
    const facts = await this.chain.now();
    return { entries: this.chain.length, rows: facts.size };
  }

  factsWithin(chains: Pick<ChainStore, 'upFrom'>): Promise<PlatformFacts> {
    return this.chain.within(chains);
  }

  /** As the chain is committed now or a moment ago. */
  recentFacts(): Promise<PlatformFacts> {
    return this.chain.recent(MAX_AGE_MS);
  }

  /** As the chain is committed now or later. */
  factsNow(): Promise<PlatformFacts> {
    return this.chain.now();
  }

  /** What was acknowledged to be lost, as the chain is committed now or a moment ago. */
  async losses({ now = false } = {}): Promise<Losses> {
    const facts = await (now ? this.chain.now() : this.chain.recent(MAX_AGE_MS));
    return {
      isLost: (chainKey, position, at) => facts.isLost(chainKey, position, at),
      acknowledgementsOf: (chainKey) => facts.acknowledgementsOf(chainKey),
      isAcknowledged: ({ chainKey, checkpointHash }) =>
        facts.isAcknowledged(chainKey, toHex(checkpointHash)),
    };
  }

  async recent(): Promise<VersionLookup> {
    return lookUp(await this.chain.recent(MAX_AGE_MS));
  }

  async now(): Promise<VersionLookup> {
    return lookUp(await this.chain.now());
  }

  async within(chains: Pick<ChainStore, 'upFrom'>): Promise<VersionLookup> {
    return lookUp(await this.chain.within(chains));
  }
}

const lookUp =
  (facts: PlatformFacts): VersionLookup =>
  (id) =>
    facts.versionOf(id);
