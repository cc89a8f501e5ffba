import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { foldPeaks, GrowingTree, peaksOf } from '../../domain/transparency/rfc9162-tree.ts';
import {
  statementLog,
  type StatementLogReads,
} from '../../domain/transparency/statement-log.port.ts';
import type { TreeReads } from '../../domain/transparency/tree-store.port.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import { openCheckpoint, treeOf, type TreeHead } from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import { NO_BREAKS, type Breaks } from '../call/background-pace.ts';
import type { Vault } from '../sealing/vault.ts';
import { orgLogBroken } from './org-log-broken.ts';
import type { GenuineLeaves, LeafSources } from './genuine-leaves.ts';

/** Where a log is read from: committed, or as a unit of work sees it. */
export interface LogSources extends LeafSources {
  readonly checkpoints: Pick<CheckpointReads, 'newestOf'>;
  readonly trees: TreeReads;
  readonly statementLogs: StatementLogReads;
}

/** Leaves in one read. */
const PAGE = 200;
/** ms that a caller waits for a long log. */
const PATIENCE_MS = 5_000;
/** Logs that are kept in mind, each with its peaks. */
const LOGS = 2_000;

/**
 * The trees over the logs of orgs. What is stored is believed only as far as it leads to the root that was signed last;
 * every leaf after it is verified, once by each process.
 */
export class OrgLogs {
  private readonly known = new BoundedCache<GrowingTree>(LOGS);
  /** Who reads a log of which this process knows little. */
  private readonly reading = new Map<Uuid, Promise<unknown>>();

  constructor(
    private readonly vault: Pick<Vault, 'keyOf'>,
    private readonly genuine: GenuineLeaves,
    /** What is committed. */
    private readonly reads: LogSources,
  ) {}

  /**
   * The tree up to the newest leaf that a unit of work sees. It may be changed. What is committed is read before the unit
   * begins: a process that has just started knows nothing that was added since the newest signed head.
   *
   * @throws CONFLICT with reason log_broken where the stored log is not the one that was signed, or a leaf is not what it
   *   says.
   */
  async open(orgId: Uuid, sources: LogSources): Promise<GrowingTree> {
    const tree = await this.begun(orgId, sources);
    while (await this.grow(tree, orgId, sources));
    return tree;
  }

  /**
   * The same of what is committed. Page by page it is kept in mind, so that the next reader goes on from there, also where
   * this one is stopped by its breaks.
   */
  async committed(orgId: Uuid, breaks: Breaks = NO_BREAKS): Promise<GrowingTree> {
    for (;;) {
      await this.reading.get(orgId)?.catch(() => undefined);
      const tree = await this.begun(orgId, this.reads);
      const hasMore = await this.grow(tree, orgId, this.reads);
      this.remember(orgId, tree);
      if (!hasMore) return tree;
      // Of those who waited together one reads on.
      if (this.reading.has(orgId)) continue;
      const rest = this.readOn(tree, orgId, breaks).finally(() => this.reading.delete(orgId));
      this.reading.set(orgId, rest);
      await rest;
      return tree;
    }
  }

  /**
   * The same for a caller, who waits no longer than some seconds; meanwhile it is read on.
   *
   * @throws SERVICE_UNAVAILABLE; CONFLICT with reason log_broken.
   */
  async forCaller(orgId: Uuid): Promise<GrowingTree> {
    const reading = this.committed(orgId);
    // Whoever left is not told of what becomes of it.
    reading.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, null);
    });
    try {
      const tree = await Promise.race([reading, late]);
      if (tree) return tree;
    } finally {
      clearTimeout(timer);
    }
    throw new NotaryError(
      'SERVICE_UNAVAILABLE',
      `The service still verifies the log of the org: ${this.known.get(orgId)?.size ?? 0} leaves so far. Nothing was stored. Try again later.`,
      { retryAfter: 5 },
    );
  }

  private async readOn(tree: GrowingTree, orgId: Uuid, breaks: Breaks): Promise<void> {
    for (let hasMore = true; hasMore;) {
      await breaks.pause();
      hasMore = await this.grow(tree, orgId, this.reads);
      this.remember(orgId, tree);
    }
  }

  /** @param tree as it was committed. */
  remember(orgId: Uuid, tree: GrowingTree): void {
    const known = this.known.get(orgId);
    if (!known || known.size < tree.size) this.known.set(orgId, tree.copy());
  }

  /** The head of the log that was signed last; null before the first one. @throws CONFLICT where it does not verify. */
  async signedHead(
    orgId: Uuid,
    { checkpoints }: Pick<LogSources, 'checkpoints'>,
  ): Promise<TreeHead | null> {
    const newest = await checkpoints.newestOf(schemaChain(orgId));
    if (!newest) return null;
    const said = await openCheckpoint(newest, this.vault.keyOf);
    if (!said) throw orgLogBroken(`the checkpoint ${newest.logIndex} does not verify`);
    return treeOf(said);
  }

  private async begun(orgId: Uuid, sources: LogSources): Promise<GrowingTree> {
    return this.known.get(orgId)?.copy() ?? (await this.fromSigned(orgId, sources));
  }

  /** @returns whether there may be more leaves than those of one page. */
  private async grow(tree: GrowingTree, orgId: Uuid, sources: LogSources): Promise<boolean> {
    const page = await sources.statementLogs.leaves(statementLog(orgId), tree.size, PAGE);
    for (const hash of await this.genuine.hashes(orgId, tree.size, page, sources))
      tree.append(hash);
    return page.length === PAGE;
  }

  private async fromSigned(orgId: Uuid, sources: LogSources): Promise<GrowingTree> {
    const signed = await this.signedHead(orgId, sources);
    if (!signed) return new GrowingTree(0, []);
    const hashes = await sources.trees.hashes(statementLog(orgId), peaksOf(signed.size));
    const found = hashes.filter((hash) => hash !== null);
    if (found.length < hashes.length || !bytesEqual(foldPeaks(found), signed.root))
      throw orgLogBroken(
        `its nodes do not lead to the root that was signed at ${signed.size} leaves`,
      );
    return new GrowingTree(signed.size, found);
  }
}
