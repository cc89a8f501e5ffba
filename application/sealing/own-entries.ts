import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { NewestEntries } from '../../domain/kernel/newest-entries.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';

const MAX_ENTRIES = 20_000;

/**
 * Entries that this process sealed, as many of the newest as fit, until somebody asks for them: their signature need not
 * be checked again. One whose unit of work was rolled back does no harm here, since no stored entry has its hash.
 */
export class OwnEntries {
  private readonly entries = new NewestEntries<
    string,
    { readonly hash: Uint8Array; readonly orgId: Uuid }
  >(MAX_ENTRIES);

  remember({ chainKey, position, hash, orgId }: ChainEntry): void {
    if (orgId === null) return;
    this.entries.set(nameOf(chainKey, position), { hash, orgId });
  }

  /** Whether these stored bytes are what was sealed for this org. It says so once. */
  take(orgId: Uuid, { chainKey, position, coseSign1 }: ChainEntry): boolean {
    const name = nameOf(chainKey, position);
    const own = this.entries.get(name);
    this.entries.delete(name);
    return own?.orgId === orgId && bytesEqual(own.hash, sha256(coseSign1));
  }
}

const nameOf = (chainKey: string, position: number): string => `${chainKey}/${position}`;
