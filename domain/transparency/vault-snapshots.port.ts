import type { Uuid } from '../kernel/ids.ts';
import type { VaultSnapshot } from '../vault/vault-snapshot.port.ts';
import type { OrgRead } from './org-read.ts';
import type { CosignedCheckpoint } from './org-reads-checkpoint.ts';
import type { ReadsExtent } from './org-reads-store.port.ts';

/** The logs of reads as they were at the same moment as the vault, every row as it is stored. */
export interface ReadsSnapshot {
  /** Of every org that has a log, in order of its id. */
  extents(signingKeyId: string): AsyncIterable<readonly ReadsExtent[]>;
  /** In order of index. */
  leaves(orgId: Uuid): AsyncIterable<readonly OrgRead[]>;
  /** In order of size, then of the key's id. */
  checkpoints(orgId: Uuid): AsyncIterable<readonly CosignedCheckpoint[]>;
}

/** Looks at one moment of the vault, and of what was read, while others write. */
export interface VaultSnapshots {
  /** Everything that was committed before it was called, and nothing that began after it, until `work` is done. */
  take<T>(work: (vault: VaultSnapshot, reads: ReadsSnapshot) => Promise<T>): Promise<T>;
}
