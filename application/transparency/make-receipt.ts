import type { Uuid } from '../../domain/kernel/ids.ts';
import { signReceipt } from '../../domain/transparency/receipt.ts';
import { statementLog, type LogLeaf } from '../../domain/transparency/statement-log.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { LogPaths } from './log-paths.ts';
import type { OrgLogs } from './org-logs.ts';

/** Rotations that one receipt may meet. */
const MAX_ROTATIONS = 4;

/** Signs, by the active key, that a leaf stands in the log of its org as it is now. */
export class MakeReceipt {
  constructor(
    private readonly logs: OrgLogs,
    private readonly paths: LogPaths,
    private readonly vault: Pick<Vault, 'seal' | 'refreshIfRotated'>,
  ) {}

  /** @throws CONFLICT with reason log_broken. */
  async of(orgId: Uuid, leaf: LogLeaf): Promise<Uint8Array> {
    const [receipt] = await this.all(orgId, [leaf]);
    return receipt!;
  }

  /** In the order of the leaves, all under one root. @throws CONFLICT with reason log_broken, SERVICE_UNAVAILABLE. */
  async all(orgId: Uuid, leaves: readonly LogLeaf[]): Promise<readonly Uint8Array[]> {
    if (leaves.length === 0) return [];
    const log = statementLog(orgId);
    const { size, root } = await this.logs.forCaller(orgId);
    const proofs = await Promise.all(
      leaves.map(async (leaf) => ({
        kind: 'inclusion' as const,
        treeSize: size,
        leafIndex: leaf.index,
        path: await this.paths.inclusion(log, leaf, { size, root }),
      })),
    );
    for (let rotations = 0; ; rotations++) {
      const { seal } = this.vault;
      const receipts = await Promise.all(
        proofs.map((proof) => signReceipt(seal, log, proof, root)),
      );
      // A receipt has no row that a retired key could be refused at.
      if (!(await this.vault.refreshIfRotated()) || rotations >= MAX_ROTATIONS) return receipts;
    }
  }
}
