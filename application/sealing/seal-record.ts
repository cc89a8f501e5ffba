import type { OnBehalfOf } from '../../domain/identity/on-behalf-of.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import { factsOfRecord } from '../../domain/record/record-facts.ts';
import { criteriaHashOnTable, type RecordState } from '../../domain/record/record-state.ts';
import {
  recordStatement,
  messageHashOf,
  type RecordStatePredicate,
  type TermsClaim,
} from '../../domain/record/record-statement.ts';
import type { Signal } from '../../domain/record/settlement.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ChainWriter } from './chain-writer.ts';
import { aboutRecord, actorData, entryData, sealedBy, type EventOutbox } from './event-outbox.ts';
import type { OpenChain } from './open-chain.ts';
import type { Origin } from './origin.ts';
import type { SealSignal } from './seal-signal.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';

/** Seals what an action did to a record, and enqueues its event. */
export class SealRecord {
  constructor(
    private readonly writer: ChainWriter,
    private readonly outbox: EventOutbox,
    private readonly sealSignal: SealSignal,
  ) {}

  /**
   * The use case writes the row itself.
   *
   * @param signal what the change recommends to whoever holds the money; sealed and announced with it.
   */
  async seal(
    stores: Stores,
    chain: OpenChain,
    origin: Origin,
    change: RecordChange,
    signal: Signal | null = null,
  ): Promise<SealedChange> {
    const { after, transition } = change;
    const entry = await this.writer.seal(
      chain,
      recordStatement(this.writer.predicateBase, predicateOf(chain.at, origin, change)),
      { entryType: transition.entry, recordId: after.id, orgId: after.orgId },
      origin,
    );
    if (origin.coSigned) await stores.coSignedRequests.keep(origin.coSigned, entry);
    const next = { ...chain, head: entry };
    const signalled =
      signal && (await this.sealSignal.entry(next, origin.requestId, after, signal));
    await this.writer.append(
      stores,
      chain,
      signalled ? [entry, signalled] : [entry],
      // A notarized record rarely goes on; the others do.
      after.status === 'RECORDED' ? null : factsOfRecord(after),
    );
    if (transition.event)
      await this.outbox.enqueue(
        stores,
        sealedBy(entry, origin.requestId),
        transition.event,
        aboutRecord(after, origin),
        eventDataOf(change, entry, origin),
      );
    if (signal && signalled)
      await this.sealSignal.enqueue(stores, origin.requestId, after, signal, signalled);
    return { entry, signalled };
  }
}

/** The entry of a change, and that of the signal which followed from it. */
export interface SealedChange {
  readonly entry: SealedEntry;
  readonly signalled: SealedEntry | null;
}

const predicateOf = (at: string, origin: Origin, change: RecordChange): RecordStatePredicate => {
  const { after, before, transition } = change;
  return {
    entryType: transition.entry,
    at,
    requestId: origin.requestId,
    actor: origin.actor,
    ...onBehalfOf(change, origin),
    ...(origin.coSigned ? { coSignature: origin.coSigned.block } : {}),
    recordId: after.id,
    orgId: after.orgId,
    schema: after.schema,
    transition: { action: transition.action, from: before?.status ?? null, to: after.status },
    principalAgentId: after.principalAgentId,
    performerAgentId: after.performerAgentId,
    performerOrgId: after.performerOrgId,
    expiresAt: after.expiresAt,
    awaiting: after.awaiting,
    ...(before ? {} : { terms: termsOf(after), ...messageHashOf(after.message) }),
    ...(after.parentRecordId ? { parentRecordId: after.parentRecordId } : {}),
    criteriaHash: criteriaHashOnTable(after),
    ...(after.latestCompletionId && after.latestEvidenceHash
      ? { completionId: after.latestCompletionId, evidenceHash: after.latestEvidenceHash }
      : {}),
    ...(after.openDisputeId ? { dispute: { id: after.openDisputeId } } : {}),
    ...change.sealed,
  };
};

const termsOf = (record: RecordState): TermsClaim => ({
  platform: record.platform,
  platformRef: record.platformRef,
  gateMode: record.gateMode,
  operatingMode: record.operatingMode,
  depth: record.depth,
  rootRecordId: record.rootRecordId,
  ...(record.federation
    ? {
        federation: {
          role: record.federation.role,
          peerHubId: record.federation.peerHubId,
          recordId: record.federation.role === 'mirror' ? record.federation.recordId : null,
        },
      }
    : {}),
});

/** A creation says for whom the record was made; every other entry, for whom a token proves that its actor acts. */
const onBehalfOf = (
  { before, after }: RecordChange,
  origin: Origin,
): { readonly onBehalfOf?: OnBehalfOf } => {
  const block = before ? origin.onBehalfOf : after.onBehalfOf;
  return block ? { onBehalfOf: block } : {};
};

const eventDataOf = (change: RecordChange, entry: ChainEntry, origin: Origin): JsonObject => {
  const { after, before } = change;
  return {
    recordId: after.id,
    type: after.schema.type,
    status: after.status,
    previousStatus: before?.status ?? null,
    principalAgentId: after.principalAgentId,
    performerAgentId: after.performerAgentId,
    parentRecordId: after.parentRecordId,
    platform: after.platform,
    platformRef: after.platformRef,
    criteriaHash: criteriaHashOnTable(after),
    actor: actorData(origin),
    entry: entryData(entry),
    ...change.eventData,
  };
};
