import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import { NewestEntries } from '../../domain/kernel/newest-entries.ts';
import type { RecordFacts } from '../../domain/record/record-facts.ts';

const MAX_HEADS = 20_000;

interface OwnHead {
  readonly entry: Pick<ChainEntry, 'hash' | 'position' | 'at'>;
  /** Of the record; null where no row mirrors the chain. */
  readonly facts: RecordFacts | null;
}

/**
 * The heads that this process wrote itself, as many of the newest as fit: they need no signature check before the next
 * entry. A head whose unit of work was rolled back does no harm here, since no stored head will ever have its hash.
 */
export class OwnHeads {
  private readonly heads = new NewestEntries<ChainKey, OwnHead>(MAX_HEADS);

  remember({ chainKey, hash, position, at }: ChainEntry, facts: RecordFacts | null): void {
    this.heads.set(chainKey, { entry: { hash, position, at }, facts });
  }

  /** Whether this process wrote further than this. It may have been rolled back, or the chain was cut. */
  isBeyond({ chainKey, position }: ChainHead): boolean {
    const own = this.heads.get(chainKey);
    return own !== undefined && own.entry.position > position;
  }

  /** What is known of exactly this head; one with an edited position or time is another. */
  get(head: ChainHead): Pick<OwnHead, 'facts'> | undefined {
    const own = this.heads.get(head.chainKey);
    return own &&
      bytesEqual(own.entry.hash, head.hash) &&
      own.entry.position === head.position &&
      own.entry.at === head.at
      ? own
      : undefined;
  }
}
