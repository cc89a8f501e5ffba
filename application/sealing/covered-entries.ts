import { fromHex } from '../../domain/kernel/digest.ts';
import {
  foldPeaks,
  inclusionPath,
  isIncluded,
  leafHash,
} from '../../domain/transparency/rfc9162-tree.ts';
import { CHECKPOINT_LOG, type TreeReads } from '../../domain/transparency/tree-store.port.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import { openCheckpoint } from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { Vault } from './vault.ts';

/** The log of checkpoints: as it is committed, or as a unit of work sees it. */
export interface CheckpointLog {
  readonly checkpoints: Pick<CheckpointReads, 'newestBy'>;
  readonly trees: Pick<TreeReads, 'hashes'>;
}

/** What a retired key signed counts where the root in its KEY_RETIRED covers it: afterwards somebody else may have the key. */
export class CoveredEntries {
  constructor(private readonly vault: Pick<Vault, 'keyOf' | 'retirements'>) {}

  /** True of what a key signed that is not retired. */
  async holds(
    { chainKey, position }: Pick<ChainEntry, 'chainKey' | 'position'>,
    keyId: string,
    { checkpoints, trees }: CheckpointLog,
  ): Promise<boolean> {
    const retirement = this.vault.retirements.get(keyId);
    if (!retirement) return true;
    const checkpoint = await checkpoints.newestBy(chainKey, keyId);
    if (!checkpoint || checkpoint.position < position) return false;
    const { logIndex, coseSign1 } = checkpoint;
    const { treeSize, treeRoot } = retirement;
    if (logIndex >= treeSize || !(await openCheckpoint(checkpoint, this.vault.keyOf))) return false;
    const siblings = inclusionPath(logIndex, treeSize);
    const hashes = await trees.hashes(CHECKPOINT_LOG, siblings.flat());
    let at = 0;
    const path = siblings.map((ids) =>
      foldPeaks(ids.map(() => hashes[at++] ?? new Uint8Array(32))),
    );
    return isIncluded(leafHash(coseSign1), logIndex, treeSize, path, fromHex(treeRoot));
  }
}
