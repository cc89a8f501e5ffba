import type { Uuid } from '../../domain/kernel/ids.ts';
import type { AnchorLog } from '../../domain/vault/anchor-log.port.ts';
import type { AnchorMatch, AnchorMatches } from './anchor-matches.ts';

/** Compares anchors with the log of checkpoints for whoever holds the host. */
export class VerifyAnchorsOnHost {
  constructor(
    private readonly anchored: AnchorLog,
    private readonly matches: AnchorMatches,
  ) {}

  /**
   * @param chainKey of one chain; some of all, by chance, where it is left out.
   * @param most so many anchors.
   * @throws AnchorError where the store cannot be read.
   */
  async execute(input: {
    readonly chainKey?: Uuid;
    readonly most: number;
  }): Promise<readonly AnchorMatch[]> {
    const { chainKey, most } = input;
    return this.matches.of(
      await (chainKey ? this.anchored.ofChain(chainKey, most) : this.anchored.sample(most)),
    );
  }
}
