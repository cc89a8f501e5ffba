import { bytesEqual } from '../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { ChainScan, CoveredHead } from '../../domain/vault/chain-store.port.ts';
import type { ChainWriter } from './chain-writer.ts';

/** Chains in one look, and heads in one batch: small enough that nobody waits for either. */
const LOOK = 500;
const BATCH = 64;

/** A chain that cannot be checkpointed: it is shorter than its checkpoint, is another, or its head does not verify. */
export interface UncoveredChain {
  readonly chainKey: ChainKey;
  readonly finding: 'rewound' | 'payload_drift';
}

/**
 * The heads of all chains that grew since their newest checkpoint, in batches, each verified. The platform chain is left
 * out: a round ends with it.
 *
 * @param found is told of chains that cannot be checkpointed.
 */
export async function* grownChains(
  scan: ChainScan,
  writer: Pick<ChainWriter, 'genuine' | 'rewound'>,
  found: (uncovered: UncoveredChain) => void,
): AsyncGenerator<readonly ChainHead[]> {
  const { isLost } = await writer.rewound.losses();
  const hasGrown = (head: CoveredHead): boolean => {
    const { covered, chainKey } = head;
    if (writer.rewound.isRewound(chainKey)) {
      found({ chainKey, finding: 'rewound' });
      return false;
    }
    if (!covered || covered.position < head.position) return true;
    if (covered.position === head.position && bytesEqual(covered.hash, head.hash)) return false;
    // What was acknowledged as lost covers nothing: the chain needs another one.
    if (isLost(chainKey, covered.position, covered.at)) return true;
    found({ chainKey, finding: 'rewound' });
    return false;
  };
  let after = '';
  for (;;) {
    const page = await scan.headsAfter(after, LOOK);
    const last = page.at(-1);
    if (!last) return;
    after = last.chainKey;
    const grown = page.filter((head) => head.chainKey !== PLATFORM_CHAIN && hasGrown(head));
    for (let from = 0; from < grown.length; from += BATCH) {
      const batch = grown.slice(from, from + BATCH);
      const genuine = await writer.genuine(batch, scan);
      for (const head of batch)
        if (!genuine.has(head)) found({ chainKey: head.chainKey, finding: 'payload_drift' });
      yield batch.filter((head) => genuine.has(head));
    }
  }
}
