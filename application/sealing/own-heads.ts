import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { HeadFacts } from './head-check.ts';

const CAPACITY = 20_000;

/**
 * The heads that this process wrote itself, newest kept: these need no signature check before the next entry.
 * A head whose unit of work was rolled back stays here unharmed, since no stored head will ever have its hash.
 */
export class OwnHeads {
  private readonly facts = new Map<ChainKey, HeadFacts>();

  remember(chainKey: ChainKey, facts: HeadFacts): void {
    this.facts.delete(chainKey);
    this.facts.set(chainKey, facts);
    if (this.facts.size > CAPACITY) this.facts.delete(this.facts.keys().next().value as ChainKey);
  }

  get(chainKey: ChainKey, hash: string): HeadFacts | undefined {
    const facts = this.facts.get(chainKey);
    return facts?.hash === hash ? facts : undefined;
  }

  has(chainKey: ChainKey, hash: string): boolean {
    return this.get(chainKey, hash) !== undefined;
  }
}
