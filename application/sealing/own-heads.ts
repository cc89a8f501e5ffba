import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { HeadFacts } from './head-check.ts';

const CAPACITY = 20_000;

interface OwnHead {
  readonly entry: Pick<ChainEntry, 'hash' | 'position' | 'at'>;
  readonly facts: HeadFacts;
}

/**
 * The heads that this process wrote itself, newest kept: these need no signature check before the next entry.
 * A head whose unit of work was rolled back stays here unharmed, since no stored head will ever have its hash.
 */
export class OwnHeads {
  private readonly heads = new Map<ChainKey, OwnHead>();

  remember({ chainKey, hash, position, at }: ChainEntry, facts: HeadFacts): void {
    this.heads.delete(chainKey);
    this.heads.set(chainKey, { entry: { hash, position, at }, facts });
    if (this.heads.size > CAPACITY) this.heads.delete(this.heads.keys().next().value as ChainKey);
  }

  /** What is known of exactly this head; an edited position or time is another head. */
  get(head: ChainHead): HeadFacts | undefined {
    const own = this.heads.get(head.chainKey);
    return own &&
      bytesEqual(own.entry.hash, head.hash) &&
      own.entry.position === head.position &&
      own.entry.at === head.at
      ? own.facts
      : undefined;
  }
}
