import type { ChainKey } from '../../vault/chain-key.ts';
import type { FailureClass } from '../report/failure.ts';

/** The head of an org's log of statements, as a checkpoint of its schema chain states it. Plain data. */
export interface OrgLogHead {
  /** Of the row in the block. */
  readonly index: number;
  readonly chainKey: ChainKey;
  readonly position: number;
  readonly logIndex: number;
  /** Null if the checkpoint states none, which is reported where it is read. */
  readonly tree: { readonly size: number; readonly root: string } | null;
}

/**
 * Holds the heads that the log of checkpoints has of each org's log against each other: a log only grows, and one size of it has
 * one root. The leaves themselves are not in a dump.
 */
export class OrgLogHeads {
  private readonly newest = new Map<ChainKey, OrgLogHead>();

  constructor(
    private readonly fail: (failureClass: FailureClass, head: OrgLogHead, detail: string) => void,
  ) {}

  /** The newest leaf of the log that covers the schema chain. */
  newestOf(chainKey: ChainKey): number | undefined {
    return this.newest.get(chainKey)?.logIndex;
  }

  /** In the order of the log. */
  take(head: OrgLogHead): void {
    const before = this.newest.get(head.chainKey);
    const known = before?.tree;
    const { tree } = head;
    this.newest.set(head.chainKey, { ...head, tree: tree ?? known ?? null });
    if (!tree || !known) return;
    const [size, was] = [tree.size, known.size];
    if (size < was)
      this.fail(
        'CHECKPOINT_LOG_GAP',
        head,
        `the checkpoint ${head.logIndex} says that the log of the org has ${size} leaves, and it had ${was} before`,
      );
    else if ((size === was) !== (tree.root === known.root))
      this.fail(
        'CHECKPOINT_ROOT_MISMATCH',
        head,
        size === was
          ? `two checkpoints of ${size} leaves of the log of the org have different roots`
          : `the log of the org has the same root with ${was} and with ${size} leaves`,
      );
  }
}
