import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { ChainWriter } from '../sealing/chain-writer.ts';
import { grownChains, type UncoveredChain } from '../sealing/grown-chains.ts';
import type { ProvenEnds } from '../sealing/proven-ends.ts';
import type { QuietRanges } from '../sealing/quiet-ranges.ts';
import type { SealCheckpoint } from '../sealing/seal-checkpoint.ts';
import type { CoverLogs } from '../transparency/cover-logs.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { LockedSigning } from '../sealing/locked-signing.port.ts';
import type { Vault } from '../sealing/vault.ts';

/** How long writers wait for one turn, ms, but for the batch that it ends with. */
const TURN_MS = 100;

/**
 * Covers chains that grow as fast as rounds of checkpoints cover them, before a rotation.
 *
 * A walk over all chains takes turns with the writers: in its own it holds the lock that every signature shares, on all
 * nodes, and has the machine for itself. So a walk ends, and what grows meanwhile is what some few requests write between
 * its turns, however many there are.
 */
export class CoverInTurns {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly chains: ChainReads,
    private readonly writer: ChainWriter,
    private readonly seals: SealCheckpoint,
    private readonly logs: CoverLogs,
    private readonly signing: LockedSigning,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /**
   * @param quiet is told what is covered: the next look passes over it.
   * @param between runs after each turn.
   * @returns how many chains grew and have a checkpoint now.
   */
  async walk(
    proven: ProvenEnds,
    quiet: QuietRanges,
    between: () => Promise<void>,
  ): Promise<number> {
    await this.logs.readAhead();
    quiet.begin();
    // Whoever seals the rotation counts what cannot be covered.
    const found = ({ chainKey }: UncoveredChain): void => quiet.leave(chainKey);
    const grown = grownChains(this.chains, this.writer, { found, proven, quiet });
    const keyId = this.vault.seal.signer.keyId;
    let covered = 0;
    for (let isOver = false; !isOver;) {
      let tries = 0;
      isOver = await this.unitOfWork.transaction(async (stores) => {
        if (tries++ > 0) quiet.distrust();
        // Another rotation was faster, and the one that walks will find out.
        if (!(await stores.vaultKeys.lockActive(keyId))) return true;
        return this.signing.within(async () => {
          const until = performance.now() + TURN_MS;
          do {
            const next = await grown.next();
            if (next.done) return true;
            if (next.value.length === 0) continue;
            covered += next.value.length;
            const items = await this.logs.withTrees(next.value, stores, found);
            await this.seals.sealAll(stores, items, this.clock.now().toISOString());
          } while (performance.now() < until);
          return false;
        });
      });
      await between();
    }
    return covered;
  }
}
