import { peerActor } from '../../domain/identity/caller.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { PeerClaim } from '../../domain/record/record-statement.ts';
import { transitionsOf } from '../../domain/record/lifecycle-queries.ts';
import { conditionOf } from '../../domain/record/refusal.ts';
import type { ApplyChange } from '../record/apply-change.ts';
import type { LockRecord } from '../record/lock-record.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { RefuseMessage } from './refuse-message.ts';

/** Ends a record at home whose offer the peer refused. The peer has no record of it, and is told nothing more. */
export class EndOffer {
  constructor(
    private readonly lockRecord: LockRecord,
    private readonly applyChange: ApplyChange,
    private readonly refuseMessage: RefuseMessage,
  ) {}

  /** The unit of work holds the record. */
  async end(
    stores: Stores,
    record: RecordState,
    requestId: string,
    peer: PeerClaim,
  ): Promise<void> {
    const [transition] = transitionsOf('reject', record.status, conditionOf(record));
    // It may have been cancelled or expired before the refusal came.
    if (!transition) {
      await this.refuseMessage.detach(stores, record, requestId, 'offer_refused');
      return;
    }
    const federation = { ...record.federation!, detached: 'offer_refused' as const };
    const locked = await this.lockRecord.prove(
      stores,
      new NotaryRecord(record),
      'system',
      record.updatedAt,
    );
    const decided = locked.record.reject(
      transition,
      `The offer was refused: ${peer.code}`,
      locked.chain.at,
    );
    await this.applyChange.withParent(
      locked,
      { actor: peerActor(federation.peerHubId), requestId },
      {
        ...decided,
        after: { ...decided.after, federation },
        sealed: { ...decided.sealed, peer },
      },
    );
    await stores.federation.silence(record.id);
  }
}
