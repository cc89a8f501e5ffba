import { readAnchorKey } from '../../domain/vault/anchor-key.ts';
import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { Log } from '../ports/log.port.ts';

export interface UnprovenAnchor {
  readonly key: string;
  readonly detail: string;
}

/** Whoever fills the store with them is not to fill the memory. */
const MAX_REMEMBERED = 1_000;

/**
 * Objects among the anchors that no key of this hub signed. They show that somebody else writes there, and nothing about
 * the chains: so they are told, and nothing stops for them.
 */
export class UnprovenAnchors {
  private readonly found = new Map<string, string>();

  constructor(private readonly log: Log) {}

  /** Tells of each object once. */
  note(key: string, detail: string): void {
    if (this.found.has(key) || this.found.size >= MAX_REMEMBERED) return;
    this.found.set(key, detail);
    this.log.error({ key, detail }, 'an object among the anchors is none of this hub');
  }

  /** @param chainKey of one chain; all where it is left out. */
  list(chainKey?: ChainKey): readonly UnprovenAnchor[] {
    return [...this.found]
      .filter(([key]) => !chainKey || readAnchorKey(key)?.chainKey === chainKey)
      .map(([key, detail]) => ({ key, detail }));
  }
}
