import { orgReadsKey } from '../../transparency/org-read.ts';
import { coveredReadsIn, type CoveredReads } from '../../vault/covered-reads.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { Findings } from '../report/report.ts';

/**
 * How far the logs of reads went, as entries of the platform chain say: by org the largest size, because a log that has that
 * root at that size has all its leaves before it.
 */
export class SealedReads extends Map<string, CoveredReads> {
  constructor(private readonly findings: Findings) {
    super();
  }

  /** Of the platform chain. Whether its bytes are genuine is found elsewhere. */
  entry({ entryType, coseSign1, position }: ChainRow): void {
    if (entryType !== 'ORG_READS_COVERED') return;
    try {
      const { statement } = parseStatement(coseSign1);
      for (const covered of (statement && coveredReadsIn(statement.predicate)) ?? [])
        this.take(covered, position);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
    }
  }

  private take(covered: CoveredReads, position: number): void {
    const { orgId, treeSize, treeRoot } = covered;
    const before = this.get(orgId);
    const place = { chainKey: orgReadsKey(orgId), position: treeSize };
    const isFork = before?.treeSize === treeSize && before.treeRoot !== treeRoot;
    if (isFork || (before && treeSize < before.treeSize))
      this.findings.fail(
        'orgReads',
        'checkpoints',
        isFork ? 'TENANT_CHECKPOINT_FORK' : 'TENANT_CHECKPOINT_SIZE_MISMATCH',
        place,
        `the platform chain says at its position ${position} that the log has ${treeSize} reads under the root ${treeRoot}, and before that it had ${before.treeSize} under ${before.treeRoot}`,
      );
    else this.set(orgId, covered);
  }
}
