import { fromHex } from '../../domain/kernel/digest.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import { belongs, mayRead } from '../../domain/record/sides.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import {
  statementLog,
  type LogLeaf,
  type StatementLogReads,
} from '../../domain/transparency/statement-log.port.ts';
import { chainKindOf } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { MakeReceipt } from './make-receipt.ts';
import { orgLogBroken } from './org-log-broken.ts';
import { ownLog } from './own-log.ts';
import type { LoggedStatement } from './results.ts';

/** A registered statement or a chain entry of the org, with a receipt that is made now. */
export class GetStatement {
  constructor(
    private readonly reads: {
      readonly chains: Pick<ChainReads, 'entries'>;
      readonly records: Pick<RecordReads, 'find'>;
      readonly statementLogs: StatementLogReads;
    },
    private readonly receipts: MakeReceipt,
  ) {}

  /**
   * An entry of a record has the readers of its record, and a registered statement those of its agent. The receipt of one
   * entry names the hashes of its neighbours, so a hash gives nobody the right to read.
   *
   * @throws NOT_FOUND if it is missing, and just the same if the caller may not read it; ORG_REQUIRED; CONFLICT with reason
   *   log_broken.
   */
  async execute(
    { caller }: CallContext,
    { entryId }: { readonly entryId: string },
  ): Promise<LoggedStatement> {
    const orgId = ownLog(caller);
    const leaf = await this.reads.statementLogs.leaf(statementLog(orgId), fromHex(entryId));
    if (!leaf || !(await this.isReadable(caller, orgId, leaf))) throw notFound('entry of the log');
    const statement = await this.bytesOf(orgId, leaf);
    if (!statement || !bytesEqual(leafHash(statement), leaf.hash))
      throw orgLogBroken(`the bytes of the leaf ${leaf.index} are missing or others`);
    return { leaf, statement, receipt: await this.receipts.of(orgId, leaf) };
  }

  private async isReadable(
    caller: Caller,
    orgId: Uuid,
    { entry, hash }: LogLeaf,
  ): Promise<boolean> {
    if (!entry) {
      const registered = await this.reads.statementLogs.statement(orgId, hash);
      return registered === null || belongs(caller, registered.agentId, orgId);
    }
    if (chainKindOf(entry.chainKey) !== 'record') return true;
    const found = await this.reads.records.find(entry.chainKey);
    return found !== null && mayRead(caller, found.record);
  }

  private async bytesOf(orgId: Uuid, { entry, hash }: LogLeaf): Promise<Uint8Array | undefined> {
    if (!entry) return (await this.reads.statementLogs.statement(orgId, hash))?.coseSign1;
    const [found] = await this.reads.chains.entries(entry.chainKey, entry.position, 1);
    return found?.position === entry.position ? found.coseSign1 : undefined;
  }
}
