import { bytesEqual } from '../../../domain/kernel/digest.ts';
import type { GrowingTree, TreeNode } from '../../../domain/transparency/rfc9162-tree.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import type { ScanLogSnapshot } from './scan-log-snapshot.port.ts';

/** Nodes that are asked for at once. */
const NODES = 1_000;

/** Compares the stored nodes of the tree over one log with what its leaves make. */
export class ScannedNodes {
  private pending: TreeNode[] = [];

  /**
   * @param tree of the kind of the log, without leaves.
   * @param onFault told of each node that is another one.
   */
  constructor(
    private readonly snapshot: Pick<ScanLogSnapshot, 'nodes'>,
    private readonly log: LogKey,
    private readonly tree: GrowingTree,
    private readonly onFault: (detail: string) => void,
  ) {}

  get size(): number {
    return this.tree.size;
  }

  get root(): Uint8Array {
    return this.tree.root;
  }

  async leaf(hash: Uint8Array): Promise<void> {
    this.pending.push(...this.tree.append(hash));
    if (this.pending.length >= NODES) await this.end();
  }

  async end(): Promise<void> {
    const { pending } = this;
    this.pending = [];
    if (pending.length === 0) return;
    const stored = await this.snapshot.nodes(this.log, pending);
    for (const [at, { level, index, hash }] of pending.entries()) {
      const found = stored[at];
      if (!found || !bytesEqual(found, hash))
        this.onFault(
          `log_nodes ${this.log} ${level}/${index} is not what the leaves below it make`,
        );
    }
  }
}
