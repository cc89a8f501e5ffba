import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';

/** Entries in one read. */
const PAGE = 200;

/** Tells whether a chain that was rewound is whole again: nothing of it is lost then, and nothing is to be acknowledged. */
export class RestoredChains {
  constructor(private readonly chains: Pick<ChainReads, 'head' | 'entries'>) {}

  /**
   * Whether the chain has, from where it ended when it was found on, every entry up to the one that the checkpoint saw, by
   * its very hash, and goes on from there to its head. What the hash leads back to is what was signed.
   */
  async isWhole(finding: RewindFinding): Promise<boolean> {
    const { chainKey, localPosition, anchoredPosition, anchoredHash } = finding;
    const head = await this.chains.head(chainKey);
    if (!head || head.position < anchoredPosition) return false;
    let previous: Uint8Array | null = null;
    let next = Math.max(1, Math.min(localPosition, anchoredPosition));
    while (next <= head.position) {
      const page = await this.chains.entries(chainKey, next, PAGE);
      if (page.length === 0) return false;
      for (const { position, coseSign1 } of page) {
        if (position > head.position) break;
        const claim = readEntry(coseSign1)?.header.chain;
        const hash = sha256(coseSign1);
        if (position !== next || claim?.position !== position || claim.chainKey !== chainKey)
          return false;
        if (previous && !bytesEqual(claim.previousHash, previous)) return false;
        if (position === anchoredPosition && !bytesEqual(hash, anchoredHash)) return false;
        previous = hash;
        next++;
      }
    }
    return previous !== null && bytesEqual(previous, head.hash);
  }
}
