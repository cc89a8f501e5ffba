import { sha256, toHex } from '../../domain/kernel/digest.ts';
import { KnownDigests } from '../../domain/kernel/known-digests.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';

/** 4 MB. */
const MAX_ENTRIES = 131_072;

/** Where an entry stands, and for whom. */
type Place = Pick<ChainEntry, 'chainKey' | 'position' | 'at' | 'orgId'>;

/**
 * Entries of orgs that this process sealed, as many of the newest as fit: whoever reads one need not check its signature
 * again. One whose unit of work was rolled back does no harm here: its signature holds as well.
 */
export class OwnEntries {
  private readonly entries = new KnownDigests(MAX_ENTRIES);

  remember(entry: ChainEntry): void {
    if (entry.orgId !== null) this.entries.add(digestOf(entry, entry.hash));
  }

  /** @param hash that of stored bytes, just computed: they are what was sealed for this place. */
  has(place: Place, hash: Uint8Array): boolean {
    return place.orgId !== null && this.entries.has(digestOf(place, hash));
  }
}

const digestOf = ({ chainKey, position, at, orgId }: Place, hash: Uint8Array): Uint8Array =>
  sha256(utf8.encode(`${chainKey}/${position}/${at}/${orgId}/${toHex(hash)}`));

const utf8 = new TextEncoder();
