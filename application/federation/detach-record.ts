import type { DetachedReason } from '../../domain/record/federated-record.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import type { ApplyChange } from '../record/apply-change.ts';
import type { LockRecord } from '../record/lock-record.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { RefuseMessage } from './refuse-message.ts';

/** Ends what a record has to do with its peer, for a reason of this hub. */
export class DetachRecord {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly lockRecord: LockRecord,
    private readonly applyChange: ApplyChange,
    private readonly refuseMessage: RefuseMessage,
  ) {}

  /** A record that is detached already stays as it is. @returns whether something was sealed. */
  detach(recordId: Uuid, reason: DetachedReason, requestId: string): Promise<boolean> {
    return this.unitOfWork.transaction(async (stores) => {
      const { record, now } = await this.lockRecord.row(stores, recordId);
      const { federation } = record.state;
      if (!federation || federation.detached !== null) return false;
      const held = await this.lockRecord.prove(stores, record, 'system', now.toISOString());
      const state =
        reason === 'peer_revoked' &&
        federation.role === 'mirror' &&
        !TERMINAL.has(record.state.status)
          ? await this.expire(stores, held.record, held, requestId)
          : held.record.state;
      await this.refuseMessage.detach(stores, state, requestId, reason);
      return true;
    });
  }

  /** Nobody is left whom the mirror could follow. */
  private async expire(
    stores: Stores,
    record: NotaryRecord,
    held: Parameters<ApplyChange['withParent']>[0],
    requestId: string,
  ): Promise<RecordState> {
    const change = record.expire(record.transitionFor('expire', 'system'), held.chain.at);
    const { change: applied } = await this.applyChange.withParent(
      { ...held, stores },
      systemOrigin(requestId),
      { ...change, sealed: { ...change.sealed, reason: 'peer_revoked' } },
    );
    return applied.after;
  }
}
