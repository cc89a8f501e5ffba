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
import type { Vault } from '../vault/vault.ts';

/** What a retired key signed counts where the root in its KEY_RETIRED covers it: afterwards somebody else may have the key. */
export class CoveredEntries {
  constructor(
    private readonly checkpoints: Pick<CheckpointReads, 'newestBy'>,
    private readonly trees: TreeReads,
    private readonly vault: Pick<Vault, 'keyOf' | 'retirements'>,
  ) {}

  /** True of what a key signed that is not retired. */
  async holds({ chainKey, position }: ChainEntry, keyId: string): Promise<boolean> {
    const retirement = this.vault.retirements.get(keyId);
    if (!retirement) return true;
    const checkpoint = await this.checkpoints.newestBy(chainKey, keyId);
    if (!checkpoint || checkpoint.position < position) return false;
    const { logIndex, coseSign1 } = checkpoint;
    const { treeSize, treeRoot } = retirement;
    if (logIndex >= treeSize || !(await openCheckpoint(checkpoint, this.vault.keyOf))) return false;
    const siblings = inclusionPath(logIndex, treeSize);
    const hashes = await this.trees.hashes(CHECKPOINT_LOG, siblings.flat());
    let at = 0;
    const path = siblings.map((ids) =>
      foldPeaks(ids.map(() => hashes[at++] ?? new Uint8Array(32))),
    );
    return isIncluded(leafHash(coseSign1), logIndex, treeSize, path, fromHex(treeRoot));
  }
}
