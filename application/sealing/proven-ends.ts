import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainScan, CoveredEnd } from '../../domain/vault/chain-store.port.ts';
import type { SealCheckpoint } from './seal-checkpoint.ts';

/** A chain whose newest checkpoint says, by its row, that it covers all of it. */
export interface SaidToBeCovered {
  readonly chainKey: ChainKey;
  readonly covered: CoveredEnd;
}

/**
 * Of which chains the newest checkpoint is known to be what was signed. What a rotation leaves out stays out for ever, so
 * it believes no row of the log; the signatures are verified before anything is locked, and only those of the few
 * checkpoints that are newer while the lock is held.
 */
export class ProvenEnds {
  private readonly positions = new Map<ChainKey, number>();

  constructor(private readonly seals: Pick<SealCheckpoint, 'isGenuine'>) {}

  /** Those of the chains whose row is not what was signed: nothing says that they are covered. */
  async unproven(
    chains: readonly SaidToBeCovered[],
    scan: Pick<ChainScan, 'checkpointsAt'>,
  ): Promise<ReadonlySet<ChainKey>> {
    // The log is append-only: what one checkpoint of the chain covers stays covered, whatever its row says later.
    const unknown = chains.filter(
      ({ chainKey, covered }) => this.positions.get(chainKey) !== covered.position,
    );
    const unproven = new Map(unknown.map(({ chainKey, covered }) => [chainKey, covered.position]));
    for (let from = 0; from < unknown.length; from += BATCH) {
      const places = unknown.slice(from, from + BATCH).map(({ covered }) => covered.logIndex);
      const stored = await scan.checkpointsAt(places);
      await Promise.all(
        stored.map(async (checkpoint) => {
          const { chainKey, position } = checkpoint;
          // The row may say something else by now.
          if (unproven.get(chainKey) !== position) return;
          if (!(await this.seals.isGenuine(checkpoint))) return;
          this.positions.set(chainKey, position);
          unproven.delete(chainKey);
        }),
      );
    }
    return new Set(unproven.keys());
  }
}

/** Signatures in one go: few enough that nobody waits for them. */
const BATCH = 64;
