import type { AcknowledgedLosses } from '../report/acknowledged-losses.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { ChainCover } from '../keys/key-ring.ts';
import type { ChainContext } from '../chain/verify-chain.ts';
import type { Cover } from './rows/packed-cover.ts';

/** Holds one chain against the checkpoints that the log has of it. */
export class CoverCheck {
  /** By retired key: how far what the root in its KEY_RETIRED covers reaches. */
  readonly byRetiredKeys: ChainCover;
  private readonly byPosition = new Map<number, Cover[]>();
  private readonly covers: readonly Cover[];
  private last = 0;

  /**
   * @param covers in the order of the log.
   * @param keyIds of the succession, in its order.
   */
  constructor(
    private readonly chainKey: string,
    covers: readonly Cover[],
    keyIds: readonly string[],
    losses: AcknowledgedLosses,
    private readonly context: ChainContext,
  ) {
    // What is acknowledged as lost is compared with nothing, and shows nothing of what stands in its place now.
    this.covers = covers.filter(({ position, at }) => !losses.isLost(chainKey, position, at));
    const byRetiredKeys = new Map<string, { position: number }>();
    for (const cover of this.covers) {
      const { position, key, logIndex } = cover;
      const known = this.byPosition.get(position);
      if (known) known.push(cover);
      else this.byPosition.set(position, [cover]);
      const keyId = key === null ? '' : (keyIds[key] ?? '');
      const retirement = context.ring.get(keyId)?.retirement;
      const reached = byRetiredKeys.get(keyId)?.position ?? 0;
      if (retirement && logIndex < retirement.treeSize && position > reached)
        byRetiredKeys.set(keyId, { position });
    }
    this.byRetiredKeys = byRetiredKeys;
  }

  /** When the newest checkpoint was sealed, ISO 8601 with milliseconds; null without one. */
  get newestAt(): string | null {
    return this.covers.at(-1)?.at ?? null;
  }

  /** The first leaf of the log that covers the chain; null without one. */
  get firstLeaf(): number | null {
    return this.covers[0]?.logIndex ?? null;
  }

  /** How far the leaves of the log before this one cover the chain: a position. */
  coveredBefore(logIndex: number): number {
    const before = this.covers.filter((cover) => cover.logIndex < logIndex);
    return Math.max(0, ...before.slice(-1).map(({ position }) => position));
  }

  entry(row: ChainRow): void {
    this.last = Math.max(this.last, row.position);
    const covers = this.byPosition.get(row.position);
    if (!covers) return;
    for (const cover of covers) {
      if (cover.headHash !== row.hash)
        this.fail('CHECKPOINT_HEAD_MISMATCH', cover, 'the entry at that position has another hash');
      if (cover.at < row.createdAt)
        this.fail(
          'CHAIN_PAYLOAD_BINDING_MISMATCH',
          cover,
          `the checkpoint is of ${cover.at}, before the entry that it covers (${row.createdAt})`,
        );
    }
    this.byPosition.delete(row.position);
  }

  /** @returns how many entries stand beyond the newest checkpoint. */
  end(): number {
    for (const [cover] of this.byPosition.values())
      if (cover)
        this.fail(
          'CHECKPOINT_HEAD_MISMATCH',
          cover,
          `the checkpoint saw ${cover.position} entries; the one at that position is not here`,
        );
    return Math.max(0, this.last - (this.covers.at(-1)?.position ?? 0));
  }

  private fail(
    failureClass: 'CHECKPOINT_HEAD_MISMATCH' | 'CHAIN_PAYLOAD_BINDING_MISMATCH',
    { position }: Cover,
    detail: string,
  ): void {
    this.context.findings.fail(
      'checkpoints',
      'checkpoints',
      failureClass,
      { chainKey: this.chainKey, position },
      detail,
    );
  }
}
