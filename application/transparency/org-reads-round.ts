import type { PlatformFacts } from '../../domain/identity/platform-facts.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hasPassed, isAhead } from '../../domain/kernel/due.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { openOrgReadsCheckpoint } from '../../domain/transparency/org-reads-checkpoint.ts';
import type {
  OrgReadsLeaves,
  OrgReadsReads,
  ReadsExtent,
} from '../../domain/transparency/org-reads-store.port.ts';
import type { TreeReads } from '../../domain/transparency/tree-store.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import {
  coveredMembers,
  MAX_COVERED_AT_ONCE,
  type CoveredReads,
} from '../../domain/vault/covered-reads.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { KeepNodes, SealOrgReads } from './seal-org-reads.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { isReadsBroken } from './reads-broken.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';

export interface ReadsRoundResult {
  readonly covered: number;
  /** Logs that are not the ones that were signed. */
  readonly broken: readonly { readonly orgId: Uuid; readonly detail: string }[];
}

/** Orgs in one look. */
const LOOK = 500;
/** Nodes in one transaction. */
const NODES = 1_000;

/** Checkpoints of the logs of reads: of each that grew, and of each that the active key signed none of yet. */
export class OrgReadsRound {
  private begunAt = -Infinity;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: { readonly orgReads: OrgReadsReads; readonly trees: TreeReads },
    private readonly seals: SealOrgReads,
    private readonly platform: PlatformLedger,
    private readonly sealPlatform: SealPlatform,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  /** Whether some log has waited this long, or was last covered by a key that is retired. */
  async isDue(afterMs: number): Promise<boolean> {
    for await (const extent of this.uncovered(this.reads.orgReads))
      if (isDue(extent, this.clock.now(), afterMs, this.sinceBegun())) return true;
    return false;
  }

  /**
   * @param afterMs leaves out logs that have not waited this long.
   * @param stopping ends the round early; the next one goes on.
   */
  async run({
    afterMs = 0,
    stopping,
  }: {
    readonly afterMs?: number;
    readonly stopping?: AbortSignal;
  } = {}): Promise<ReadsRoundResult> {
    const broken: { orgId: Uuid; detail: string }[] = [];
    let covered = 0;
    const sinceBegun = this.sinceBegun();
    this.begunAt = this.monotonic();
    for await (const page of this.pages(this.reads.orgReads)) {
      if (stopping?.aborted) break;
      for (const extent of page) {
        if (!isUncovered(extent) || !isDue(extent, this.clock.now(), afterMs, sinceBegun)) continue;
        const fault = await faultOf(() => this.cover(extent.orgId));
        if (fault) broken.push({ orgId: extent.orgId, detail: fault.message });
        else covered++;
      }
      await this.sealCovered(page);
    }
    return { covered, broken };
  }

  /**
   * The same inside of the unit of work of a rotation, which holds the key.
   *
   * @returns how many logs could not be covered, and the latest time that was signed: '' where none was.
   */
  async runWithin(
    stores: Stores,
    at: string,
  ): Promise<{ readonly uncovered: number; readonly newestAt: string }> {
    let [uncovered, newestAt] = [0, ''];
    for await (const { orgId } of this.uncovered(stores.orgReads)) {
      const fault = await faultOf(async () => {
        const log = await this.seals.read(stores, orgId, (key, nodes) =>
          stores.trees.add(key, nodes),
        );
        const checkpoint = await this.seals.seal(log, at);
        await stores.orgReads.insertCheckpoint(checkpoint);
        if (checkpoint.createdAt > newestAt) newestAt = checkpoint.createdAt;
      });
      if (fault) uncovered++;
    }
    return { uncovered, newestAt };
  }

  private sinceBegun(): number {
    return this.monotonic() - this.begunAt;
  }

  private async cover(orgId: Uuid): Promise<void> {
    const log = await this.seals.read(this.reads, orgId, this.keep);
    const now = this.clock.now().toISOString();
    try {
      await this.unitOfWork.transaction(async ({ orgReads }) =>
        orgReads.insertCheckpoint(await this.seals.seal(log, now)),
      );
    } catch (error) {
      // Another node was faster.
      if (!(error instanceof DuplicateError)) throw error;
    }
  }

  private readonly keep: KeepNodes = async (log, nodes) => {
    for (let from = 0; from < nodes.length; from += NODES)
      await this.unitOfWork.transaction(({ trees }) =>
        trees.add(log, nodes.slice(from, from + NODES)),
      );
  };

  /**
   * Says on the platform chain, which anchors cover, how far the checkpoints of these logs go. Without it somebody with the
   * database could erase a log together with its checkpoints.
   */
  private async sealCovered(page: readonly ReadsExtent[]): Promise<void> {
    const facts = await this.platform.recentFacts();
    const logs: CoveredReads[] = [];
    for (const { orgId } of page) {
      const { keyId } = this.vault.seal.signer;
      const newest = await this.reads.orgReads.newestCheckpoint(orgId, keyId);
      // Only the bytes that the active key signed are believed: the row may be anybody's.
      if (newest?.signingKeyId !== keyId || !isLonger(newest, facts)) continue;
      if (!(await openOrgReadsCheckpoint(newest, this.vault.keyOf))) continue;
      logs.push({ orgId, treeSize: newest.treeSize, treeRoot: toHex(newest.rootHash) });
    }
    for (let from = 0; from < logs.length; from += MAX_COVERED_AT_ONCE)
      await this.unitOfWork.transaction((stores) =>
        this.sealLonger(stores, logs.slice(from, from + MAX_COVERED_AT_ONCE)),
      );
  }

  private async sealLonger(stores: Stores, logs: readonly CoveredReads[]): Promise<void> {
    await stores.chains.lockHead(PLATFORM_CHAIN);
    // Another node may have sealed them meanwhile.
    const facts = await this.platform.factsWithin(stores.chains);
    const longer = logs.filter((log) => isLonger(log, facts));
    if (longer.length === 0) return;
    await this.sealPlatform.seal(stores, systemOrigin(this.ids.next()), {
      entryType: 'ORG_READS_COVERED',
      orgId: null,
      rows: {},
      members: coveredMembers(longer),
    });
  }

  private async *uncovered(source: OrgReadsLeaves): AsyncGenerator<ReadsExtent> {
    for await (const page of this.pages(source)) yield* page.filter(isUncovered);
  }

  private async *pages(source: OrgReadsLeaves): AsyncGenerator<readonly ReadsExtent[]> {
    for (let after: Uuid | null = null; ;) {
      const page: readonly ReadsExtent[] = await source.extents(
        after,
        LOOK,
        this.vault.seal.signer.keyId,
      );
      yield page;
      const last = page.at(-1);
      if (!last || page.length < LOOK) return;
      after = last.orgId;
    }
  }
}

const isUncovered = ({ leaves, coveredByKey }: ReadsExtent): boolean => leaves > coveredByKey;

const isLonger = (
  { orgId, treeSize }: Pick<CoveredReads, 'orgId' | 'treeSize'>,
  facts: PlatformFacts,
): boolean => treeSize > (facts.coveredReadsOf(orgId)?.treeSize ?? 0);

const isDue = (
  { covered, coveredByKey, since }: ReadsExtent,
  now: Date,
  afterMs: number,
  sinceBegunMs: number,
): boolean => {
  if (covered > 0 && coveredByKey === 0) return true;
  // A read is never dated before the one before it, so its time may lie ahead for hours.
  return isAhead(since, now) ? sinceBegunMs >= afterMs : hasPassed(afterMs, since, now);
};

const faultOf = async (work: () => Promise<void>): Promise<NotaryError | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    if (isReadsBroken(error)) return error;
    throw error;
  }
};
