import { orgReadsKey } from '../../../domain/transparency/org-read.ts';
import { growingOrgReads } from '../../../domain/transparency/org-reads-tree.ts';
import type { DumpSource } from '../../../domain/verification/dump/rows/dump-source.port.ts';
import { verifyReadsLogs } from '../../../domain/verification/dump/verify-reads-logs.ts';
import type { OrgReadsContext } from '../../../domain/verification/log/org-reads-context.ts';
import { Findings } from '../../../domain/verification/report/report.ts';
import type { ChainFaults, ScanFaults } from './scan-faults.ts';
import type { ScanLogSnapshot } from './scan-log-snapshot.port.ts';
import { ScannedNodes } from './scan-nodes.ts';

interface OpenTree {
  readonly orgId: string;
  readonly nodes: ScannedNodes;
}

/** The logs of reads, each of which counts as a chain. */
export class ScannedReads extends Findings {
  private readonly logs = new Map<string, ChainFaults>();
  /** By org: the largest size of which a checkpoint is stored. */
  private readonly signed = new Map<string, number>();

  /** @param platform takes what is of no log. */
  constructor(
    private readonly snapshot: ScanLogSnapshot,
    private readonly faults: ScanFaults,
    private readonly platform: ChainFaults,
  ) {
    super();
  }

  override fail(...given: Parameters<Findings['fail']>): void {
    const [, , , { chainKey }] = given;
    if (chainKey === null) this.platform.fail(...given);
    else this.ofLog(chainKey).fail(...given);
  }

  /** @returns how many logs there are, and how many leaves. */
  async verify(
    source: DumpSource,
    context: Omit<OrgReadsContext, 'findings'>,
  ): Promise<{ readonly logs: number; readonly leaves: number }> {
    const { leaves } = await verifyReadsLogs(source, { ...context, findings: this });
    for await (const page of this.snapshot.orgReadsCheckpoints())
      for (const row of page) {
        if (!row) continue;
        this.ofLog(orgReadsKey(row.orgId));
        this.signed.set(row.orgId, Math.max(row.treeSize, this.signed.get(row.orgId) ?? 0));
      }
    await this.compareNodes();
    await context.signatures.settled();
    for (const log of this.logs.values()) log.close();
    return { logs: this.logs.size, leaves };
  }

  private async compareNodes(): Promise<void> {
    let open = null as OpenTree | null;
    for await (const page of this.snapshot.orgReads())
      for (const row of page) {
        if (!row) continue;
        const { orgId, leafHash } = row;
        if (open?.orgId !== orgId) {
          await open?.nodes.end();
          open = { orgId, nodes: this.nodesOf(orgId) };
        }
        if (open.nodes.size < (this.signed.get(orgId) ?? 0)) await open.nodes.leaf(leafHash);
      }
    await open?.nodes.end();
  }

  private nodesOf(orgId: string): ScannedNodes {
    const log = orgReadsKey(orgId);
    const faults = this.ofLog(log);
    return new ScannedNodes(this.snapshot, log, growingOrgReads(0, []), (detail) =>
      faults.fault('TENANT_CHECKPOINT_ROOT_MISMATCH', null, detail),
    );
  }

  private ofLog(chainKey: string): ChainFaults {
    const known = this.logs.get(chainKey) ?? this.faults.ofChain(chainKey);
    this.logs.set(chainKey, known);
    return known;
  }
}
