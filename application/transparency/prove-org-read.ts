import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { openOrgRead, orgReadsKey } from '../../domain/transparency/org-read.ts';
import {
  openOrgReadsCheckpoint,
  type OrgReadsCheckpoint,
} from '../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsReads } from '../../domain/transparency/org-reads-store.port.ts';
import {
  isOrgRead,
  orgReadLeaf,
  orgReadsPath,
  orgReadsSiblings,
} from '../../domain/transparency/org-reads-tree.ts';
import { peaksOf } from '../../domain/transparency/rfc9162-tree.ts';
import type { TreeReads } from '../../domain/transparency/tree-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Vault } from '../sealing/vault.ts';
import { visibleCheckpoint } from './visible-checkpoint.ts';
import { readsBroken } from './reads-broken.ts';

export interface OrgReadProof {
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly leafHash: Uint8Array;
  /** One sibling for each level, that of the leaf first. */
  readonly path: readonly Uint8Array[];
  readonly rootHash: Uint8Array;
}

/** Proves that a read stands in the log as a checkpoint signed it. None is given that would not verify. */
export class ProveOrgRead {
  constructor(
    private readonly reads: OrgReadsReads,
    private readonly trees: TreeReads,
    private readonly vault: Pick<Vault, 'keyOf'>,
  ) {}

  async execute(
    { caller }: CallContext,
    { checkpointId, leaf }: { readonly checkpointId: Uuid; readonly leaf: number },
  ): Promise<OrgReadProof> {
    const checkpoint = await visibleCheckpoint(this.reads, caller, checkpointId);
    const { orgId, treeSize, rootHash } = checkpoint;
    if (leaf >= treeSize) throw outOfRange(treeSize);
    const [read] = await this.reads.from(orgId, leaf, 1);
    if (read?.leafIndex !== leaf || !(await openOrgRead(read, this.vault.keyOf)))
      throw readsBroken(orgId, `its leaf ${leaf} is missing, or does not verify`);
    const leafHash = orgReadLeaf(read.coseSign1);
    const path = await this.pathOf(checkpoint, leaf);
    const holds =
      (await openOrgReadsCheckpoint(checkpoint, this.vault.keyOf)) !== null &&
      path !== null &&
      isOrgRead(leafHash, leaf, treeSize, path, rootHash);
    if (!holds)
      throw readsBroken(orgId, `its nodes do not prove that the leaf ${leaf} stands in it`);
    return { leafIndex: leaf, treeSize, leafHash, path, rootHash };
  }

  /** One statement, of at most two nodes for each level. Null where one is missing. */
  private async pathOf(
    { orgId, treeSize }: OrgReadsCheckpoint,
    leaf: number,
  ): Promise<readonly Uint8Array[] | null> {
    const siblings = orgReadsSiblings(leaf, treeSize);
    const peaks = peaksOf(treeSize);
    const stored = siblings.filter((id) => id !== null);
    const hashes = await this.trees.hashes(orgReadsKey(orgId), [...peaks, ...stored]);
    const found = hashes.filter((hash) => hash !== null);
    if (found.length < hashes.length) return null;
    const below = found.slice(peaks.length).values();
    return orgReadsPath(
      treeSize,
      siblings.map((id) => (id === null ? null : (below.next().value ?? null))),
      found.slice(0, peaks.length),
    );
  }
}

const outOfRange = (treeSize: number): NotaryError =>
  new NotaryError('VALIDATION_ERROR', `The checkpoint covers the leaves 0 to ${treeSize - 1}.`, {
    errors: [{ path: '/leaf', keyword: 'maximum', message: `must be at most ${treeSize - 1}` }],
    suggestion: `Ask for a leaf from 0 to ${treeSize - 1}, or for a newer checkpoint.`,
  });
