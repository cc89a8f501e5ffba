import { NotaryError } from '../../domain/kernel/errors.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { ChainKey } from '../../domain/vault/chain-key.ts';
import { lostRangeOf } from '../../domain/vault/rewind.ts';
import { chainKindOf } from '../../domain/vault/chain-key.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { RewindGuard } from '../sealing/rewind-guard.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { DetachRecord } from '../federation/detach-record.ts';
import type { LostRevocationReport, LostRevocations } from './lost-revocations.ts';
import type { RewindWatch } from './rewind-watch.ts';

export interface AcknowledgedRewind {
  readonly findings: number;
  readonly revocations: LostRevocationReport;
}

/** A platform key takes note that entries are lost. Each loss is sealed, and the chain is written again. */
export class AcknowledgeRewind {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly guard: RewindGuard,
    private readonly watch: RewindWatch,
    private readonly seals: SealPlatform,
    private readonly detachRecord: Pick<DetachRecord, 'detach'>,
    private readonly revocations: Pick<LostRevocations, 'report'>,
  ) {}

  /** @returns how many findings were acknowledged, and what has to be revoked again. */
  async execute(
    context: CallContext,
    { chainKey, reason = null }: { readonly chainKey?: ChainKey; readonly reason?: string | null },
  ): Promise<AcknowledgedRewind> {
    // What was found is stored before it is acknowledged, and what is there again is not lost.
    await this.watch.follow();
    await this.watch.liftRestored();
    const findings = this.guard.findings.filter((one) => !chainKey || one.chainKey === chainKey);
    if (findings.some((one) => one.isKeyLost)) throw keyLost();
    const acknowledged = { findings: findings.length, revocations: this.revocations.report };
    await this.idempotent.run(context, async (stores) => {
      for (const finding of findings) {
        const { at } = await this.seals.seal(stores, originOf(context), {
          entryType: 'REWIND_ACKNOWLEDGED',
          orgId: null,
          rows: {},
          members: {
            chainKey: finding.chainKey,
            lostRange: { ...lostRangeOf(finding) },
            lostHead: toHex(finding.anchoredHash),
            checkpoint: toHex(finding.checkpointHash),
            reason,
          },
          event: 'vault.rewind_acknowledged',
        });
        await stores.rewinds.acknowledge(finding, at);
      }
      return acknowledged;
    });
    if (findings.length > 0) await this.watch.follow();
    for (const finding of findings)
      if (chainKindOf(finding.chainKey) === 'record')
        await this.detach(finding.chainKey, context.requestId);
    return acknowledged;
  }

  /** A peer knows of a record what was lost here: nothing more can pass between the two. */
  private async detach(recordId: ChainKey, requestId: string): Promise<void> {
    try {
      await this.detachRecord.detach(recordId, 'rewind_acknowledged', requestId);
    } catch (error) {
      // The whole chain may be lost, its record with it.
      if (!(error instanceof NotaryError)) throw error;
    }
  }
}

const keyLost = (): NotaryError =>
  new NotaryError(
    'CHAIN_REWIND_DETECTED',
    'What was lost on the platform chain held the statement of a signing key. Such a loss cannot be acknowledged: nothing would lead to what that key signed.',
    {
      reason: 'key_statement_lost',
      suggestion: 'Restore a backup that was made after the rotation.',
    },
  );
