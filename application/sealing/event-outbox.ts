import type { DomainEvent } from '../../domain/event/event.ts';
import type { EventType } from '../../domain/event/event-types.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Origin } from './origin.ts';

/** Whom an event concerns: who may get it, and the columns by which subscribers choose. */
export type EventSubject = Pick<
  DomainEvent,
  'orgId' | 'counterpartyOrgId' | 'partyAgentId' | 'counterpartyAgentId' | 'agentId'
> & { readonly record: RecordState | null };

/** What an event reports: the entry, or the moment where there is none, and the request or job that caused it. */
export interface EventCause {
  /** ISO 8601. */
  readonly at: string;
  /** In the chain of the entry; null without one. */
  readonly position: number | null;
  readonly requestId: string;
}

/** Queues events in the transaction of what they report. */
export class EventOutbox {
  constructor(private readonly ids: IdSource) {}

  enqueue(
    { outbox }: Pick<Stores, 'outbox'>,
    { at, position, requestId }: EventCause,
    type: EventType,
    { record, ...readers }: EventSubject,
    data: JsonObject,
  ): Promise<void> {
    return outbox.add({
      id: this.ids.next(),
      type,
      ...readers,
      recordId: record?.id ?? null,
      recordType: record?.schema.type ?? null,
      data: { ...data, requestId },
      createdAt: at,
      position,
    });
  }
}

export const sealedBy = ({ at, position }: ChainEntry, requestId: string): EventCause => ({
  at,
  position,
  requestId,
});

/** The parties as the record names them now. An org, or an agent, that is both stands there once. */
export const aboutRecord = (record: RecordState, origin: Origin | null): EventSubject => ({
  orgId: record.orgId,
  counterpartyOrgId: otherThan(record.orgId, record.performerOrgId),
  partyAgentId: record.principalAgentId,
  counterpartyAgentId: otherThan(record.principalAgentId, record.performerAgentId),
  record,
  agentId: origin?.actor.agentId ?? null,
});

/** Of the org's operators. Without an agent that it is about it names who acted, who gets nothing for that. */
export const aboutOrg = (orgId: Uuid | null, origin: Origin | null): EventSubject => ({
  orgId,
  counterpartyOrgId: null,
  partyAgentId: null,
  counterpartyAgentId: null,
  record: null,
  agentId: origin?.actor.agentId ?? null,
});

/** Of the org's operators and of the agent itself. */
export const aboutAgent = (orgId: Uuid | null, agentId: Uuid): EventSubject => ({
  ...aboutOrg(orgId, null),
  partyAgentId: agentId,
  agentId,
});

const otherThan = (one: Uuid, other: Uuid | null): Uuid | null => (other === one ? null : other);

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
