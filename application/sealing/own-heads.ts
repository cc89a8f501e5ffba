import type { Uuid } from '../../domain/kernel/ids.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import type { ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import { NewestEntries } from '../../domain/kernel/newest-entries.ts';
import type { RecordFacts } from '../../domain/record/record-facts.ts';

const MAX_HEADS = 20_000;

/** What an entry is in the log of its org. */
export interface OwnLeaf {
  readonly orgId: Uuid;
  readonly hash: Uint8Array;
}

interface OwnHead {
  readonly entry: Pick<ChainEntry, 'hash' | 'position' | 'at'>;
  readonly leaf: OwnLeaf | null;
  /** Of the record; null where no row mirrors the chain. */
  readonly facts: RecordFacts | null;
}

/**
 * The heads that this process wrote itself, as many of the newest as fit: they need no signature check before the next
 * entry. A head whose unit of work was rolled back does no harm here, since no stored head will ever have its hash.
 */
export class OwnHeads {
  private readonly heads = new NewestEntries<ChainKey, OwnHead>(MAX_HEADS);

  remember(entry: ChainEntry, facts: RecordFacts | null): void {
    const { chainKey, hash, position, at, orgId, coseSign1 } = entry;
    const leaf = orgId === null ? null : { orgId, hash: leafHash(coseSign1) };
    this.heads.set(chainKey, { entry: { hash, position, at }, leaf, facts });
  }

  /** The leaf of exactly this entry, where this process wrote it and no later one. */
  leafOf({
    chainKey,
    position,
    hash,
  }: Pick<ChainHead, 'chainKey' | 'position' | 'hash'>): OwnLeaf | null {
    const own = this.heads.get(chainKey);
    return own?.entry.position === position && bytesEqual(own.entry.hash, hash) ? own.leaf : null;
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
