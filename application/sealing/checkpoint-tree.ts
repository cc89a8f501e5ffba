import { bytesEqual } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import {
  foldPeaks,
  GrowingTree,
  peaksOf,
  type TreeNode,
} from '../../domain/transparency/rfc9162-tree.ts';
import { CHECKPOINT_LOG, type TreeReads } from '../../domain/transparency/tree-store.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { openCheckpoint, treeOf, type Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { Vault } from './vault.ts';
import type { SealCheckpoint } from './seal-checkpoint.ts';

/** Leaves in one read. */
const PAGE = 200;

/** Reads leaves, committed or as a unit of work sees them. */
type Leaves = Pick<CheckpointReads, 'from' | 'newestOf'>;

/**
 * The tree over the log of checkpoints, from the last root that was signed to its newest leaf. What is stored is believed
 * only as far as it leads to that root; every leaf after it is verified.
 */
export class CheckpointTree {
  private nodes: TreeNode[] = [];

  private constructor(
    private readonly tree: GrowingTree,
    private readonly checkpoints: Pick<SealCheckpoint, 'assertGenuine'>,
  ) {}

  /** @throws CONFLICT with reason log_broken where the stored tree does not lead to the root that was signed. */
  static async open(
    { checkpoints, trees }: { readonly checkpoints: Leaves; readonly trees: TreeReads },
    vault: Pick<Vault, 'keyOf'>,
    seals: Pick<SealCheckpoint, 'assertGenuine'>,
  ): Promise<CheckpointTree> {
    const last = await checkpoints.newestOf(PLATFORM_CHAIN);
    if (!last) return new CheckpointTree(new GrowingTree(0, []), seals);
    const said = await openCheckpoint(last, vault.keyOf);
    const signed = said && treeOf(said);
    if (!signed || signed.size !== last.logIndex)
      throw logBroken(`the checkpoint ${last.logIndex} of the platform chain does not verify`);
    const hashes = await trees.hashes(CHECKPOINT_LOG, peaksOf(signed.size));
    const found = hashes.filter((hash) => hash !== null);
    if (found.length < hashes.length || !bytesEqual(foldPeaks(found), signed.root))
      throw logBroken(`its nodes do not lead to the root that was signed at ${signed.size} leaves`);
    const opened = new CheckpointTree(new GrowingTree(signed.size, found), seals);
    // It became the next leaf itself.
    await opened.take(last);
    return opened;
  }

  get size(): number {
    return this.tree.size;
  }

  get root(): Uint8Array {
    return this.tree.root;
  }

  /** Reads on to the newest leaf. */
  async readOn(checkpoints: Pick<Leaves, 'from'>): Promise<void> {
    for (;;) {
      const page = await checkpoints.from(this.tree.size, PAGE);
      // The signatures of a page are verified side by side.
      const hashes = await Promise.all(page.map((leaf) => this.checkpoints.assertGenuine(leaf)));
      page.forEach((leaf, index) => this.append(leaf, hashes[index]!));
      if (page.length < PAGE) return;
    }
  }

  async take(checkpoint: Checkpoint): Promise<void> {
    this.append(checkpoint, await this.checkpoints.assertGenuine(checkpoint));
  }

  /** The nodes that are new since the last call. */
  takeNodes(): readonly TreeNode[] {
    const nodes = this.nodes;
    this.nodes = [];
    return nodes;
  }

  /** A tree to be changed in a unit of work that may be run again. */
  copy(): CheckpointTree {
    const copy = new CheckpointTree(this.tree.copy(), this.checkpoints);
    copy.nodes = [...this.nodes];
    return copy;
  }

  private append({ logIndex }: Checkpoint, hash: Uint8Array): void {
    if (logIndex !== this.tree.size)
      throw logBroken(`the leaf ${this.tree.size} is missing before ${logIndex}`);
    this.nodes.push(...this.tree.append(hash));
  }
}

/** The log of checkpoints was changed behind the service. Nothing is signed over it. */
export const logBroken = (what: string): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored log of checkpoints is not the one that was signed: ${what}.`,
    {
      reason: 'log_broken',
      suggestion:
        'Tell the operator: the database was changed behind the service, or an older copy of it was restored.',
    },
  );
