import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import { withReceipts } from '../../domain/transparency/scitt-statement.ts';
import {
  statementLog,
  type LogLeaf,
  type StatementLogReads,
} from '../../domain/transparency/statement-log.port.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { GenuineLeaves } from './genuine-leaves.ts';
import type { IntegrateEntries } from './integrate-entries.ts';
import type { MakeReceipt } from './make-receipt.ts';

/** Receipts of the entries of a chain, whether or not their log holds them already. */
export class EntryReceipts {
  constructor(
    private readonly statementLogs: Pick<StatementLogReads, 'leavesOfChain'>,
    private readonly genuine: Pick<GenuineLeaves, 'isOfOrg'>,
    private readonly integrate: Pick<IntegrateEntries, 'takeChain'>,
    private readonly receipts: Pick<MakeReceipt, 'all'>,
  ) {}

  /**
   * The signed bytes of these entries, each with its receipt in the unprotected header. One that does not verify stays
   * without.
   *
   * @param entries of one chain, in order; all before them stand in the log.
   * @throws CONFLICT with reason log_broken.
   */
  async beside(orgId: Uuid, entries: readonly ChainEntry[]): Promise<readonly Uint8Array[]> {
    const leaves = await this.leavesOf(orgId, entries);
    const found = leaves.filter((leaf) => leaf !== null);
    const receipts = await this.receipts.all(orgId, found);
    const receiptOf = new Map(found.map((leaf, at) => [leaf, receipts[at]!]));
    return entries.map(({ coseSign1 }, at) => {
      const leaf = leaves[at];
      return leaf ? withReceipts(coseSign1, [receiptOf.get(leaf)!]) : coseSign1;
    });
  }

  private async leavesOf(
    orgId: Uuid,
    entries: readonly ChainEntry[],
  ): Promise<readonly (LogLeaf | null)[]> {
    const leaves = await this.find(orgId, entries);
    const unlogged = entries.filter((_entry, at) => leaves[at] === null);
    const genuine: ChainEntry[] = [];
    for (const entry of unlogged) if (await this.genuine.isOfOrg(orgId, entry)) genuine.push(entry);
    if (genuine.length === 0) return leaves;
    await this.integrate.takeChain(orgId, genuine);
    return this.find(orgId, entries);
  }

  /** What its row says of an entry counts where it is the hash of these bytes. */
  private async find(
    orgId: Uuid,
    entries: readonly ChainEntry[],
  ): Promise<readonly (LogLeaf | null)[]> {
    const [first, last] = [entries.at(0), entries.at(-1)];
    if (!first || !last) return [];
    const { chainKey, position } = first;
    const found = await this.statementLogs.leavesOfChain(
      statementLog(orgId),
      chainKey,
      position,
      last.position,
    );
    const leafAt = new Map(found.map((leaf) => [leaf.entry!.position, leaf]));
    return entries.map((entry) => {
      const leaf = leafAt.get(entry.position);
      return leaf && bytesEqual(leaf.hash, leafHash(entry.coseSign1)) ? leaf : null;
    });
  }
}
