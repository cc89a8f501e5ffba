import { bytesEqual } from '../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { ChainScan, ChainEnds } from '../../domain/vault/chain-store.port.ts';
import type { ChainWriter } from './chain-writer.ts';
import type { QuietRanges } from './quiet-ranges.ts';
import type { ProvenEnds, SaidToBeCovered } from './proven-ends.ts';

/** Chains in one look, and heads in one batch: small enough that nobody waits for either. */
const LOOK = 500;
const BATCH = 64;

/** A chain that cannot be checkpointed: it is shorter than its checkpoint, is another, or its head is gone or does not verify. */
export interface UncoveredChain {
  readonly chainKey: ChainKey;
  readonly finding: 'rewound' | 'payload_drift';
}

export interface Look {
  /** Is told of chains that cannot be checkpointed. */
  readonly found: (uncovered: UncoveredChain) => void;
  /**
   * What is known of checkpoints. Null: the row of one is believed where it says that its chain did not grow; the next look
   * goes by the row again.
   */
  readonly proven: ProvenEnds | null;
  /** Of a chain that is left to the next look. */
  readonly isLeft?: (chainKey: ChainKey) => boolean;
  /** What looks before this one covered. */
  readonly quiet?: QuietRanges;
}

/**
 * The heads of all chains that grew since their newest checkpoint, in batches, each verified; an empty batch where many
 * chains did not. The platform chain is left out: a round ends with it.
 */
export async function* grownChains(
  scan: ChainScan,
  writer: Pick<ChainWriter, 'genuine' | 'rewound'>,
  { found, proven, isLeft = () => false, quiet }: Look,
): AsyncGenerator<readonly ChainHead[]> {
  const { isLost } = await writer.rewound.losses();
  const endOf = (chain: ChainEnds): 'grown' | 'covered' | UncoveredChain['finding'] => {
    const { chainKey, newest, head, covered } = chain;
    if (writer.rewound.isRewound(chainKey)) return 'rewound';
    // Entries and head are written together. Whoever edits the one hides what the other says.
    if (head?.position !== newest) return 'payload_drift';
    if (!covered || covered.position < newest) return 'grown';
    if (covered.position === newest && bytesEqual(covered.hash, head.hash)) return 'covered';
    // What was acknowledged as lost covers nothing: the chain needs another one.
    return isLost(chainKey, covered.position, covered.at) ? 'grown' : 'rewound';
  };
  for (let after = ''; ;) {
    const from = (await quiet?.pass(after, scan)) ?? after;
    const next = await scan.chainsAfter(from, LOOK);
    const page = quiet?.within(from, next) ?? next;
    const last = page.at(-1);
    if (!last) return;
    after = last.chainKey;
    const left = new Set(page.flatMap(({ chainKey }) => (isLeft(chainKey) ? [chainKey] : [])));
    for (const chainKey of left) quiet?.leave(chainKey);
    const ends = page
      .filter(({ chainKey }) => chainKey !== PLATFORM_CHAIN && !left.has(chainKey))
      .map((chain) => ({ ...chain, end: endOf(chain) }));
    const unproven = await proven?.unproven(ends.filter(isCovered), scan);
    const grown: ChainHead[] = [];
    for (const { chainKey, head, end } of ends)
      if (end === 'rewound' || end === 'payload_drift') found({ chainKey, finding: end });
      else if (head && (end === 'grown' || unproven?.has(chainKey))) grown.push(head);
    if (grown.length === 0) yield [];
    for (let first = 0; first < grown.length; first += BATCH) {
      const batch = grown.slice(first, first + BATCH);
      const genuine = await writer.genuine(batch, scan);
      for (const head of batch)
        if (!genuine.has(head)) found({ chainKey: head.chainKey, finding: 'payload_drift' });
      yield batch.filter((head) => genuine.has(head));
    }
    quiet?.seen(from, page);
  }
}

const isCovered = <T extends ChainEnds & { readonly end: string }>(
  chain: T,
): chain is T & SaidToBeCovered => chain.end === 'covered';
