import type { EventType } from '../../domain/event/event.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { Origin } from './origin.ts';

/** Whom an event concerns: the columns by which subscribers choose. */
export interface EventSubject {
  readonly orgId: Uuid | null;
  readonly counterpartyOrgId: Uuid | null;
  readonly record: RecordState | null;
  readonly agentId: Uuid | null;
}

/** Queues events in the transaction of what they report. */
export class EventOutbox {
  constructor(private readonly ids: IdSource) {}

  /** @param at ISO 8601: the time of the entry that the event is about. */
  enqueue(
    { outbox }: Pick<Stores, 'outbox'>,
    at: string,
    type: EventType,
    { orgId, counterpartyOrgId, record, agentId }: EventSubject,
    data: JsonObject,
  ): Promise<void> {
    return outbox.add({
      id: this.ids.next(),
      type,
      orgId,
      counterpartyOrgId,
      recordId: record?.id ?? null,
      recordType: record?.schema.type ?? null,
      agentId,
      data,
      createdAt: at,
    });
  }
}

export const aboutRecord = (record: RecordState, origin: Origin | null): EventSubject => ({
  orgId: record.orgId,
  counterpartyOrgId: record.performerOrgId,
  record,
  agentId: origin?.actor.agentId ?? null,
});

export const aboutOrg = (orgId: Uuid | null, agentId: Uuid | null): EventSubject => ({
  orgId,
  counterpartyOrgId: null,
  record: null,
  agentId,
});

/** Who acted, as events say it: what its token claims stays on the chain. */
export const actorData = ({ actor }: Origin): JsonObject => ({
  kind: actor.kind,
  agentId: actor.agentId ?? null,
});

/** Where in its chain the entry of an event stands. */
export const entryData = (entry: ChainEntry): JsonObject => ({
  position: entry.position,
  hash: toHex(entry.hash),
  signingKeyId: entry.signingKeyId,
});
