import { decodeBase64Strict } from '../../kernel/base64.ts';
import { orgReadsKey } from '../../transparency/org-read.ts';
import type { FailureClass } from '../report/failure.ts';
import type { OrgReadsContext } from '../log/org-reads-context.ts';
import type { OrgReadsCheckpointRow } from '../log/org-reads-rows.ts';
import { Findings } from '../report/report.ts';
import { OrgReadsCheck } from '../log/verify-org-reads.ts';
import { claimIn } from '../log/verify-org-reads-checkpoint.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import { dumpRows, faultIn, type DumpRow } from './rows/read-dump-rows.ts';
import { RowCursor } from './rows/row-cursor.ts';

interface LeafMembers {
  readonly org_id: string;
  readonly leaf_index: number;
  readonly signing_key_id: string;
  readonly leaf_hash: string;
  readonly created_at: string;
}

interface CheckpointMembers {
  readonly org_id: string;
  readonly tree_size: number;
  readonly root_hash: string;
  readonly signing_key_id: string;
  readonly witness_key_id?: string;
  readonly witness_signature?: string;
  readonly created_at: string;
}

export interface ReadsOutcome {
  readonly leaves: number;
  /** Those beyond the newest checkpoint of their log. */
  readonly beyond: number;
}

/** Verifies the log of reads of each org in a dump, its leaves and its checkpoints side by side. */
export const verifyReadsLogs = async (
  source: DumpSource,
  context: OrgReadsContext,
): Promise<ReadsOutcome> => {
  const walk = new ReadsWalk(source, context, await coverOf(source, context));
  await walk.verify();
  return walk;
};

class ReadsWalk implements ReadsOutcome {
  leaves = 0;
  beyond = 0;
  private readonly reads: RowCursor<LeafMembers>;
  private readonly checkpoints: RowCursor<CheckpointMembers>;
  private lastOrg = '';
  private readonly shown = new Set<string>();

  constructor(
    private readonly source: DumpSource,
    private readonly context: OrgReadsContext,
    /** By org: how many leaves a checkpoint by a key that is not retired covers. */
    private readonly cover: ReadonlyMap<string, number>,
  ) {
    const { findings } = context;
    this.reads = new RowCursor(source, 'org_admin_reads', findings);
    this.checkpoints = new RowCursor(source, 'org_admin_reads_checkpoints', findings);
  }

  async verify(): Promise<void> {
    await this.reads.advance();
    await this.checkpoints.advance();
    for (;;) {
      await this.skipOutOfOrder();
      const orgs = [this.reads.next, this.checkpoints.next].flatMap(
        (row) => row?.members.org_id ?? [],
      );
      const orgId = orgs.toSorted()[0];
      if (orgId === undefined) return this.tellGone();
      await this.log(orgId);
      this.lastOrg = orgId;
    }
  }

  /** Logs that the platform chain names and no file holds. */
  private tellGone(): void {
    for (const [orgId] of this.context.sealed)
      if (!this.shown.has(orgId)) new OrgReadsCheck(orgId, 0, this.context).end();
  }

  private async log(orgId: string): Promise<void> {
    this.shown.add(orgId);
    const check = new OrgReadsCheck(orgId, this.cover.get(orgId) ?? 0, this.context);
    while (this.reads.next?.members.org_id === orgId) {
      check.leaf(leafOf(this.reads.next));
      this.leaves++;
      await this.reads.advance();
      await this.room();
      await this.checkpointsUpTo(check.size, orgId, check);
    }
    await this.checkpointsUpTo(Infinity, orgId, check);
    this.beyond += check.end();
  }

  /** Those of one size stand one after the other, in the order of their keys. */
  private async checkpointsUpTo(size: number, orgId: string, check: OrgReadsCheck): Promise<void> {
    const { checkpoints } = this;
    const isHere = (): boolean => checkpoints.next?.members.org_id === orgId;
    while (isHere() && checkpoints.next!.members.tree_size <= size) {
      const shown = checkpoints.next!.members.tree_size;
      const rows: OrgReadsCheckpointRow[] = [];
      for (let keyId = ''; isHere() && checkpoints.next!.members.tree_size <= shown;) {
        const { members, line } = checkpoints.next!;
        if (members.tree_size < shown || members.signing_key_id <= keyId)
          this.outOfOrder('TENANT_CHECKPOINT_SIZE_MISMATCH', members.tree_size, orgId, line);
        else {
          rows.push(this.checkpointOf(checkpoints.next!));
          keyId = members.signing_key_id;
        }
        await checkpoints.advance();
      }
      check.checkpoints(rows);
      await this.room();
    }
  }

  private async skipOutOfOrder(): Promise<void> {
    for (; this.reads.next && this.reads.next.members.org_id <= this.lastOrg;) {
      const { members, line } = this.reads.next;
      this.outOfOrder('TENANT_READ_POSITION_GAP', members.leaf_index, members.org_id, line);
      await this.reads.advance();
    }
    for (; this.checkpoints.next && this.checkpoints.next.members.org_id <= this.lastOrg;) {
      const { members, line } = this.checkpoints.next;
      this.outOfOrder('TENANT_CHECKPOINT_SIZE_MISMATCH', members.tree_size, members.org_id, line);
      await this.checkpoints.advance();
    }
  }

  private outOfOrder(
    failureClass: FailureClass & `TENANT_${string}`,
    position: number,
    orgId: string,
    line: number,
  ): void {
    const [area, file] =
      failureClass === 'TENANT_READ_POSITION_GAP'
        ? (['chain', 'org_admin_reads'] as const)
        : (['checkpoints', 'org_admin_reads_checkpoints'] as const);
    this.context.findings.fail(
      'orgReads',
      area,
      failureClass,
      { chainKey: orgReadsKey(orgId), position },
      `line ${line} of ${file}.ndjson is out of order: the logs ascend by their orgs, and each stands in one place`,
    );
  }

  private checkpointOf({
    members,
    bytes,
    line,
  }: DumpRow<CheckpointMembers>): OrgReadsCheckpointRow {
    const { witness_key_id: witnessKeyId, witness_signature: signature } = members;
    const witnessSignature = signature === undefined ? null : decodeBase64Strict(signature);
    if (signature !== undefined && !witnessSignature)
      faultIn(
        'org_admin_reads_checkpoints',
        this.context.findings,
        `, line ${line}: its witness_signature is not canonical base64`,
      );
    return {
      orgId: members.org_id,
      treeSize: members.tree_size,
      rootHash: members.root_hash,
      signingKeyId: members.signing_key_id,
      coseSign1: bytes,
      createdAt: members.created_at,
      witnessKeyId: witnessKeyId ?? null,
      witnessSignature,
    };
  }

  private async room(): Promise<void> {
    const { signatures } = this.context;
    if (signatures.full) await signatures.room();
  }
}

const leafOf = ({ members, bytes }: DumpRow<LeafMembers>) => ({
  orgId: members.org_id,
  leafIndex: members.leaf_index,
  signingKeyId: members.signing_key_id,
  leafHash: members.leaf_hash,
  coseSign1: bytes,
  createdAt: members.created_at,
});

/** Read apart and before, where some key is retired: the leaves that it signed stand before what covers them. */
const coverOf = async (
  source: DumpSource,
  { ring }: OrgReadsContext,
): Promise<ReadonlyMap<string, number>> => {
  const cover = new Map<string, number>();
  if (![...ring.values()].some(({ retiredAt }) => retiredAt !== null)) return cover;
  const rows = dumpRows<CheckpointMembers>(source, 'org_admin_reads_checkpoints', new Findings());
  for await (const row of rows) {
    const found = row && claimIn(row.bytes);
    if (!found || ring.get(found.keyId)?.retiredAt !== null) continue;
    const { org_id: orgId } = row.members;
    cover.set(orgId, Math.max(cover.get(orgId) ?? 0, found.claim.treeSize));
  }
  return cover;
};
