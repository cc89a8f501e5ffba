import { fromHex } from '../../domain/kernel/digest.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import {
  statementLog,
  type LogLeaf,
  type StatementLogReads,
} from '../../domain/transparency/statement-log.port.ts';
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
      readonly statementLogs: StatementLogReads;
    },
    private readonly receipts: MakeReceipt,
  ) {}

  /** @throws NOT_FOUND, ORG_REQUIRED; CONFLICT with reason log_broken. */
  async execute(
    { caller }: CallContext,
    { entryId }: { readonly entryId: string },
  ): Promise<LoggedStatement> {
    const orgId = ownLog(caller);
    const leaf = await this.reads.statementLogs.leaf(statementLog(orgId), fromHex(entryId));
    if (!leaf) throw notFound('entry of the log');
    const statement = await this.bytesOf(orgId, leaf);
    if (!statement || !bytesEqual(leafHash(statement), leaf.hash))
      throw orgLogBroken(`the bytes of the leaf ${leaf.index} are missing or others`);
    return { leaf, statement, receipt: await this.receipts.of(orgId, leaf) };
  }

  private async bytesOf(orgId: Uuid, { entry, hash }: LogLeaf): Promise<Uint8Array | undefined> {
    if (!entry) return (await this.reads.statementLogs.statement(orgId, hash))?.coseSign1;
    const [found] = await this.reads.chains.entries(entry.chainKey, entry.position, 1);
    return found?.position === entry.position ? found.coseSign1 : undefined;
  }
}
