import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hasPassed, isAhead } from '../../domain/kernel/due.ts';
import { madeAt } from '../../domain/kernel/ids.ts';
import type { StatementLogReads } from '../../domain/transparency/statement-log.port.ts';
import { CHECKPOINT_LOG, type TreeReads } from '../../domain/transparency/tree-store.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import { openCheckpoint, type Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { ChainWriter } from '../sealing/chain-writer.ts';
import { CheckpointTree } from '../sealing/checkpoint-tree.ts';
import { grownChains, type UncoveredChain } from '../sealing/grown-chains.ts';
import { ProvenEnds } from '../sealing/proven-ends.ts';
import { QuietRanges } from '../sealing/quiet-ranges.ts';
import type { RewindGuard } from '../sealing/rewind-guard.ts';
import type { SealCheckpoint } from '../sealing/seal-checkpoint.ts';
import type { CoverLogs } from '../transparency/cover-logs.ts';
import type { IntegrateEntries } from '../transparency/integrate-entries.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { NO_BREAKS, type Breaks } from '../call/background-pace.ts';
import type { Vault } from '../sealing/vault.ts';

export interface RoundResult {
  /** Chains that grew and have a checkpoint now, without the platform chain. */
  readonly covered: number;
  readonly uncovered: readonly UncoveredChain[];
  /** That of the platform chain, whose root covers every one before it. */
  readonly closing: Checkpoint;
}

/**
 * A round of checkpoints: every chain that grew gets one, and the platform chain's, which closes the round, seals the
 * tree over all of them. Nobody waits for a round: it takes the log in small batches. It passes over the chains among
 * which none grew since this process covered them; once a day it looks at all of them.
 */
export class CheckpointRound {
  private readonly quiet = new QuietRanges();
  private lookedAtAll = 0;
  private isLooking = false;
  private begunAt = -Infinity;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: {
      readonly chains: ChainReads;
      readonly checkpoints: CheckpointReads;
      readonly trees: TreeReads;
      readonly statementLogs: StatementLogReads;
    },
    private readonly writer: ChainWriter,
    private readonly seals: SealCheckpoint,
    private readonly logs: CoverLogs,
    private readonly integrate: Pick<IntegrateEntries, 'catchUp'>,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly rewinds: Pick<RewindGuard, 'isRewound' | 'isUncompared'>,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** Whether the newest round is older than this, as its signed bytes say. */
  async isDue(afterMs: number): Promise<boolean> {
    // Nothing is signed then.
    if (this.rewinds.isUncompared || this.rewinds.isRewound(PLATFORM_CHAIN)) return false;
    const newest = await this.reads.checkpoints.newestOf(PLATFORM_CHAIN);
    const said = newest && (await openCheckpoint(newest, this.vault.keyOf));
    if (!said) return true;
    // An entry never goes back behind its key or the one before it, so the time of a round may lie ahead for hours.
    return isAhead(said.at, this.clock.now())
      ? this.monotonic() - this.begunAt >= afterMs
      : hasPassed(afterMs, said.at, this.clock.now());
  }

  /**
   * @param stopping ends the round early; the next one goes on.
   * @param proven before a rotation: no row of a checkpoint is believed.
   * @param breaks between batches, of a round that nobody waits for.
   * @returns null where it was ended.
   * @throws CONFLICT with reason log_broken where the stored log is not the one that was signed.
   */
  async run(
    stopping: AbortSignal | null = null,
    proven: ProvenEnds | null = null,
    breaks: Breaks = NO_BREAKS,
  ): Promise<RoundResult | null> {
    this.begunAt = this.monotonic();
    // A rotation believes no row, and what one round is told of is of no use to another.
    if (proven || this.isLooking) return this.look(stopping, proven, new QuietRanges(), breaks);
    this.isLooking = true;
    try {
      return await this.look(stopping, null, this.known(), breaks);
    } finally {
      this.isLooking = false;
    }
  }

  /** What the rounds of this process covered, but once a day nothing. */
  private known(): QuietRanges {
    const now = this.clock.now().getTime();
    if (Math.abs(now - this.lookedAtAll) >= DAY_MS) {
      this.quiet.forget();
      this.lookedAtAll = now;
    }
    this.quiet.begin();
    return this.quiet;
  }

  private async look(
    stopping: AbortSignal | null,
    proven: ProvenEnds | null,
    quiet: QuietRanges,
    breaks: Breaks,
  ): Promise<RoundResult | null> {
    const uncovered: UncoveredChain[] = [];
    const found = (chain: UncoveredChain): void => {
      uncovered.push(chain);
      quiet.leave(chain.chainKey);
    };
    let covered = 0;
    const look = { found, proven, isLeft: begunAfter(this.clock), quiet };
    for await (const heads of grownChains(this.reads.chains, this.writer, look)) {
      if (stopping?.aborted) return null;
      if (heads.length === 0) continue;
      covered += heads.length;
      await this.integrate.catchUp(heads.map(({ chainKey }) => chainKey));
      const items = await this.logs.withTrees(heads, null, found);
      await this.unitOfWork.transaction((stores) =>
        this.seals.sealAll(stores, items, this.clock.now().toISOString()),
      );
      await breaks.pause();
    }
    for await (const orgId of this.logs.grown(found)) {
      if (stopping?.aborted) return null;
      await this.unitOfWork.transaction(async (stores) => {
        const item = await this.logs.ofOrg(stores, orgId);
        return this.seals.seal(stores, item, this.clock.now().toISOString());
      });
      covered++;
    }
    return { covered, uncovered, closing: await this.close() };
  }

  /** What is known of checkpoints before a rotation: nothing yet. */
  nothingProven(): ProvenEnds {
    return new ProvenEnds(this.seals);
  }

  /** The tree up to the newest leaf that is committed, its nodes stored. @param begun is read on. */
  async tree(begun: CheckpointTree | null = null): Promise<CheckpointTree> {
    const tree = begun ?? (await CheckpointTree.open(this.reads, this.vault, this.seals));
    await tree.readOn(this.reads.checkpoints);
    const nodes = tree.takeNodes();
    for (let from = 0; from < nodes.length; from += NODES)
      await this.unitOfWork.transaction((stores) =>
        stores.trees.add(CHECKPOINT_LOG, nodes.slice(from, from + NODES)),
      );
    return tree;
  }

  private async close(): Promise<Checkpoint> {
    const prepared = await this.tree();
    return this.unitOfWork.transaction(async (stores) => {
      const { head, at } = await this.writer.lockVerified(stores, PLATFORM_CHAIN);
      if (!head) throw new Error('the platform chain has no entry');
      await stores.checkpoints.lockLog();
      const tree = prepared.copy();
      await tree.readOn(stores.checkpoints);
      const { size, root } = tree;
      const closing = await this.seals.seal(stores, { head, tree: { size, root } }, at);
      await tree.take(closing);
      await stores.trees.add(CHECKPOINT_LOG, tree.takeNodes());
      return closing;
    });
  }
}

const DAY_MS = 86_400_000;

/** Nodes in one transaction. */
const NODES = 1_000;

/**
 * Whether a chain began only after now. New chains come last, so a round that took them too would not end while they are
 * begun faster than it covers them.
 */
const begunAfter = (clock: Clock): ((chainKey: ChainKey) => boolean) => {
  const now = clock.now().getTime();
  return (chainKey) => {
    const made = madeAt(chainKey);
    // A clock that is ahead puts off nothing for longer than a round.
    return made !== null && made > now && made <= clock.now().getTime();
  };
};
