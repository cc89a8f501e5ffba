import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainEnds, ChainScan, HeadsExtent } from '../../domain/vault/chain-store.port.ts';

interface Range extends HeadsExtent {
  readonly upTo: ChainKey;
}

/**
 * The ranges of chains that were all covered when they were looked at, so that the next look passes over those in which no
 * chain grew since: the last one of a rotation holds everybody up, and of millions of chains few grow between two rounds.
 *
 * That goes by the rows of the heads. Whoever edits them between two looks, so that their sum stays the same, leaves a tail
 * uncovered, which the verifier tells; nothing more is won by it than by deleting the entries. Rounds look at all chains
 * once a day.
 */
export class QuietRanges {
  private readonly ranges = new Map<ChainKey, Range>();
  private readonly uncovered = new Set<ChainKey>();
  private isSure = true;

  /** The next look passes over nothing. */
  forget(): void {
    this.ranges.clear();
  }

  /** A look begins. */
  begin(): void {
    this.isSure = true;
    this.uncovered.clear();
  }

  /** Checkpoints of this look were undone: it shows nothing. */
  distrust(): void {
    this.isSure = false;
    this.ranges.clear();
  }

  /** The chain was not covered: the next look finds it again. */
  leave(chainKey: ChainKey): void {
    this.uncovered.add(chainKey);
  }

  /** From where a look goes on that has come to this key: behind all that is still as it was. */
  async pass(after: ChainKey, scan: Pick<ChainScan, 'headsExtent'>): Promise<ChainKey> {
    for (let at = after; ;) {
      const range = this.ranges.get(at);
      if (!range) return at;
      const { heads, positions } = await scan.headsExtent(at, range.upTo);
      if (heads !== range.heads || positions !== range.positions) return at;
      at = range.upTo;
    }
  }

  /** The part of a page that lies in the range that begins there, so that the ranges behind it are found again. */
  within(after: ChainKey, page: readonly ChainEnds[]): readonly ChainEnds[] {
    const upTo = this.ranges.get(after)?.upTo;
    const own = upTo === undefined ? [] : page.filter(({ chainKey }) => chainKey <= upTo);
    return own.length > 0 ? own : page;
  }

  /** The chains after this key, up to the last one of the page, were looked at, and those that grew were covered. */
  seen(after: ChainKey, page: readonly ChainEnds[]): void {
    this.ranges.delete(after);
    if (!this.isSure || page.some(({ chainKey }) => this.uncovered.has(chainKey))) return;
    const heads = page.flatMap(({ head }) => (head && head.position > 0 ? [head.position] : []));
    this.ranges.set(after, {
      upTo: page.at(-1)!.chainKey,
      heads: heads.length,
      positions: heads.reduce((sum, position) => sum + position, 0),
    });
  }
}
