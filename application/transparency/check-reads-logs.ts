import type { Uuid } from '../../domain/kernel/ids.ts';
import type { OrgReadsLeaves } from '../../domain/transparency/org-reads-store.port.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';

/** A log of reads that has fewer leaves than the platform chain says. */
export interface CutReadsLog {
  readonly orgId: Uuid;
  readonly leaves: number;
  readonly covered: number;
}

export const CUT_READS_LOG = 'a log of reads is shorter than the platform chain says';

/** Orgs in one look. */
const LOOK = 500;

/** Compares how long the logs of reads are with what the platform chain says. It reads no leaf. */
export class CheckReadsLogs {
  constructor(
    private readonly reads: OrgReadsLeaves,
    private readonly platform: Pick<PlatformLedger, 'recentFacts'>,
  ) {}

  async execute(): Promise<readonly CutReadsLog[]> {
    // Asked for first, because a log that grows meanwhile contradicts nothing.
    const covered = [...(await this.platform.recentFacts()).coveredReads()];
    const leaves = await this.leaves();
    return covered.flatMap(({ orgId, treeSize }) => {
      const found = leaves.get(orgId) ?? 0;
      return found < treeSize ? [{ orgId, leaves: found, covered: treeSize }] : [];
    });
  }

  private async leaves(): Promise<ReadonlyMap<Uuid, number>> {
    const found = new Map<Uuid, number>();
    for (let after: Uuid | null = null; ;) {
      const page = await this.reads.extents(after, LOOK, '');
      for (const { orgId, leaves } of page) found.set(orgId, leaves);
      after = page.at(-1)?.orgId ?? null;
      if (page.length < LOOK) return found;
    }
  }
}
