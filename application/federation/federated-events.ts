import type { RecordState } from '../../domain/record/record-state.ts';
import { criteriaHashOnTable } from '../../domain/record/record-state.ts';
import type { RecordStatus } from '../../domain/record/record-status.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { SignalMessage } from '../../domain/federation/message.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import {
  aboutRecord,
  actorData,
  entryData,
  sealedBy,
  type EventOutbox,
} from '../sealing/event-outbox.ts';
import type { Origin } from '../sealing/origin.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

const FULFILLED: ReadonlySet<RecordStatus> = new Set<RecordStatus>(['FULFILLED', 'REMEDIATED']);

/** What subscribers are told of a message that was applied, or that the peer attested. */
export class FederatedEvents {
  constructor(private readonly outbox: EventOutbox) {}

  /** On the hub that applied a message of its peer. */
  async applied(
    stores: Stores,
    origin: Origin,
    record: RecordState,
    before: RecordStatus | null,
    entry: ChainEntry,
    messageId: Uuid,
  ): Promise<void> {
    await this.outbox.enqueue(
      stores,
      sealedBy(entry, origin.requestId),
      'federation.record.state_changed',
      aboutRecord(record, origin),
      this.federation(record, messageId),
    );
    if (before !== record.status && FULFILLED.has(record.status))
      await this.fulfilled(stores, origin, record, before, entry, messageId);
  }

  /** On both hubs: where it is applied, and where the peer attested it. */
  fulfilled(
    stores: Stores,
    origin: Origin,
    record: RecordState,
    before: RecordStatus | null,
    entry: ChainEntry,
    messageId: Uuid,
  ): Promise<void> {
    return this.outbox.enqueue(
      stores,
      sealedBy(entry, origin.requestId),
      'record.federation_fulfilled',
      aboutRecord(record, origin),
      {
        recordId: record.id,
        type: record.schema.type,
        status: record.status,
        previousStatus: before,
        principalAgentId: record.principalAgentId,
        performerAgentId: record.performerAgentId,
        parentRecordId: record.parentRecordId,
        platform: record.platform,
        platformRef: record.platformRef,
        criteriaHash: criteriaHashOnTable(record),
        actor: actorData(origin),
        entry: entryData(entry),
        peerHubId: record.federation!.peerHubId,
        messageId,
      },
    );
  }

  /** At home, once the peer has attested a signal. */
  signalAttested(
    stores: Stores,
    origin: Origin,
    record: RecordState,
    cause: { readonly at: string; readonly position: number },
    messageId: Uuid,
  ): Promise<void> {
    return this.outbox.enqueue(
      stores,
      { ...cause, requestId: origin.requestId },
      'federation.settlement.signal',
      aboutRecord(record, origin),
      this.federation(record, messageId),
    );
  }

  /** On the mirror. */
  signalReceived(
    stores: Stores,
    origin: Origin,
    record: RecordState,
    signal: SignalMessage,
    entry: ChainEntry,
  ): Promise<void> {
    const { signalId, supersedes, recommendation, outcome, performerAgentId, platformRef } = signal;
    return this.outbox.enqueue(
      stores,
      sealedBy(entry, origin.requestId),
      'signal.received',
      aboutRecord(record, origin),
      {
        recordId: record.id,
        signalId,
        ...(supersedes ? { supersedes } : {}),
        recommendation,
        outcome,
        performerAgentId,
        platformRef,
        ...(signal.disputeId ? { disputeId: signal.disputeId } : {}),
        peerHubId: record.federation!.peerHubId,
        entry: entryData(entry),
      },
    );
  }

  private federation(record: RecordState, messageId: Uuid) {
    return {
      peerHubId: record.federation!.peerHubId,
      recordId: record.id,
      state: record.status,
      messageId,
    };
  }
}
