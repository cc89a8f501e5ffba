import type { NodeId, TreeNode } from './rfc9162-tree.ts';

/** The name of a log: that of all checkpoints, or `scitt:<orgId>`. */
export type LogKey = string;

export const CHECKPOINT_LOG: LogKey = 'checkpoints';

/**
 * The complete subtrees of logs. A node is a fact about the leaves below it, so whoever computes it again may write it
 * again: one that is there stays as it is. They are no evidence: whoever reads them folds them and compares the result
 * with a signed root.
 */
export interface TreeReads {
  /** The hashes of these nodes, in their order; null where one is missing. */
  hashes(log: LogKey, nodes: readonly NodeId[]): Promise<readonly (Uint8Array | null)[]>;
}

/** Inside a unit of work. */
export interface TreeStore extends TreeReads {
  add(log: LogKey, nodes: readonly TreeNode[]): Promise<void>;
}
