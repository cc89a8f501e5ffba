import { bytesEqual, fromHex, toHex } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import {
  openOrgRead,
  orgReadsKey,
  readOrgRead,
  type OrgRead,
} from '../../domain/transparency/org-read.ts';
import {
  openOrgReadsCheckpoint,
  sealOrgReadsCheckpoint,
  type OrgReadsCheckpoint,
} from '../../domain/transparency/org-reads-checkpoint.ts';
import type { OrgReadsLeaves } from '../../domain/transparency/org-reads-store.port.ts';
import { growingOrgReads, orgReadsRoot } from '../../domain/transparency/org-reads-tree.ts';
import {
  peaksOf,
  type GrowingTree,
  type TreeNode,
} from '../../domain/transparency/rfc9162-tree.ts';
import type { LogKey, TreeReads } from '../../domain/transparency/tree-store.port.ts';
import type { ChainStore } from '../../domain/vault/chain-store.port.ts';
import type { CoveredReads } from '../../domain/vault/covered-reads.ts';
import { assertReachesCovered, readsBroken } from './reads-broken.ts';
import type { Vault } from '../sealing/vault.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';

/** Leaves in one read. */
const PAGE = 500;

interface Source {
  readonly orgReads: OrgReadsLeaves;
  readonly trees: TreeReads;
  /** Inside a unit of work. */
  readonly chains?: Pick<ChainStore, 'upFrom'>;
}

/** The log of an org up to its newest leaf, verified. */
export interface ReadsLog {
  readonly orgId: Uuid;
  readonly tree: GrowingTree;
  /** Hash of the newest leaf; null where there is none. */
  readonly newest: Uint8Array | null;
  /** No checkpoint of it is older. */
  readonly at: string;
}

/** Keeps complete subtrees. */
export type KeepNodes = (log: LogKey, nodes: readonly TreeNode[]) => Promise<void>;

/** Signs how far the logs of reads go. */
export class SealOrgReads {
  constructor(
    private readonly vault: Vault,
    private readonly platform: Pick<PlatformLedger, 'factsWithin' | 'recentFacts'>,
    private readonly ids: IdSource,
  ) {}

  /**
   * Reads a log on from its last checkpoint. The stored tree is believed as far as it leads to the signed root; the
   * leaves after it link to the newest one, whose signature is checked.
   *
   * @throws CONFLICT with reason log_broken where it is not the one that was signed.
   */
  async read(source: Source, orgId: Uuid, keep: KeepNodes): Promise<ReadsLog> {
    const log = orgReadsKey(orgId);
    const begun = await this.begin(source, orgId);
    const { tree } = begun;
    let { newest, at } = begun;
    let last: OrgRead | null = null;
    for (;;) {
      const page = await source.orgReads.from(orgId, tree.size, PAGE);
      const nodes: TreeNode[] = [];
      for (const read of page) {
        this.assertNext(read, tree.size, newest);
        nodes.push(...tree.append(read.leafHash));
        newest = read.leafHash;
        if (read.createdAt > at) at = read.createdAt;
        last = read;
      }
      if (nodes.length > 0) await keep(log, nodes);
      if (page.length < PAGE) break;
    }
    if (last && !(await openOrgRead(last, this.vault.keyOf)))
      throw readsBroken(orgId, `its leaf ${last.leafIndex} does not verify`);
    return { orgId, tree, newest, at };
  }

  /** @param at ISO 8601 with milliseconds; later where the log is. */
  seal({ orgId, tree, newest, at: notBefore }: ReadsLog, at: string): Promise<OrgReadsCheckpoint> {
    if (!newest) throw new RangeError(`the log of reads of the org ${orgId} is empty`);
    const { seal, hub } = this.vault;
    const root = orgReadsRoot(tree.size, tree.peakHashes);
    const times = [at, notBefore, seal.keyActivatedAt].sort();
    return sealOrgReadsCheckpoint(
      seal,
      hub.predicateBase,
      orgId,
      { size: tree.size, root, newest },
      { id: this.ids.next(), at: times.at(-1)! },
    );
  }

  private async begin(source: Source, orgId: Uuid): Promise<ReadsLog> {
    const { orgReads, trees } = source;
    // Asked for first, because a log that grows meanwhile contradicts nothing.
    const facts = await (source.chains
      ? this.platform.factsWithin(source.chains)
      : this.platform.recentFacts());
    await this.assertCovered(source, facts.coveredReadsOf(orgId));
    const last = await orgReads.newestCheckpoint(orgId, this.vault.seal.signer.keyId);
    if (!last) return { orgId, tree: growingOrgReads(0, []), newest: null, at: '' };
    const { treeSize, rootHash, createdAt } = last;
    const said = await openOrgReadsCheckpoint(last, this.vault.keyOf);
    if (!said) throw readsBroken(orgId, `its checkpoint at ${treeSize} leaves does not verify`);
    const hashes = await trees.hashes(orgReadsKey(orgId), peaksOf(treeSize));
    const found = hashes.filter((hash) => hash !== null);
    if (found.length < hashes.length || !bytesEqual(orgReadsRoot(treeSize, found), rootHash))
      throw readsBroken(
        orgId,
        `its nodes do not lead to the root that was signed at ${treeSize} leaves`,
      );
    const tree = growingOrgReads(treeSize, found);
    return { orgId, tree, newest: fromHex(said.headHash), at: createdAt };
  }

  /** The stored tree must hold what the platform chain says that a round covered. */
  private async assertCovered(
    { orgReads, trees }: Source,
    covered: CoveredReads | null,
  ): Promise<void> {
    if (!covered) return;
    const { orgId, treeSize, treeRoot } = covered;
    assertReachesCovered(covered, await orgReads.newest(orgId));
    const hashes = await trees.hashes(orgReadsKey(orgId), peaksOf(treeSize));
    const found = hashes.filter((hash) => hash !== null);
    if (found.length < hashes.length || toHex(orgReadsRoot(treeSize, found)) !== treeRoot)
      throw readsBroken(
        orgId,
        `its nodes do not lead to the root that the platform chain seals at ${treeSize} leaves`,
      );
  }

  private assertNext(read: OrgRead, leafIndex: number, newest: Uint8Array | null): void {
    const { orgId } = read;
    if (read.leafIndex !== leafIndex)
      throw readsBroken(orgId, `its leaf ${leafIndex} is missing before ${read.leafIndex}`);
    const said = readOrgRead(read);
    if (said?.previousHash !== toHex(newest ?? new Uint8Array(32)))
      throw readsBroken(orgId, `its leaf ${leafIndex} does not follow the one before`);
    // A rotation covers all that its old key signed.
    if (this.vault.retirements.has(read.signingKeyId))
      throw readsBroken(orgId, `a retired key signed its leaf ${leafIndex}`);
  }
}
