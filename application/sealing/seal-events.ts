import type { OnBehalfOf } from '../../domain/identity/on-behalf-of.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { EventType } from '../../domain/event/event.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { Signal } from '../../domain/record/settlement.ts';
import { criteriaHashOnTable, type RecordState } from '../../domain/record/record-state.ts';
import {
  PLATFORM_CHAIN,
  recordChain,
  schemaChain,
  type ChainKey,
} from '../../domain/vault/chain-key.ts';
import { nextAt, sealEntry, type ChainEntry, type ChainHead } from '../../domain/vault/chain.ts';
import type { PlatformEntryType, SchemaEntryType } from '../../domain/vault/entry-type.ts';
import {
  platformStatement,
  schemaStatement,
  type PlatformPredicate,
  type SchemaEventPredicate,
  type Statement,
} from '../../domain/vault/statement.ts';
import {
  recordStatement,
  signalStatement,
  type RecordStatePredicate,
  type SettlementSignalPredicate,
} from '../../domain/record/record-statement.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { Vault } from '../vault/vault.ts';
import {
  assertRowAgrees,
  factsBehind,
  factsOf,
  payloadDrift,
  verifyHead,
  type HeadFacts,
} from './head-check.ts';
import { systemOrigin, type Origin } from './origin.ts';
import { OwnHeads } from './own-heads.ts';
import type { SealedEntry } from './signed-statement.ts';

/** A chain that a unit of work is about to write: its head, locked, and the time of the next entry. */
export interface OpenChain {
  readonly chainKey: ChainKey;
  readonly head: ChainHead | null;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}

/** The only writer of chain entries and outbox events; every mutating use case ends here. */
export class SealEvents {
  private readonly ownHeads = new OwnHeads();

  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** The chain of a record that this unit of work creates: nothing to read, nothing to lock. */
  begin(recordId: Uuid): OpenChain {
    return {
      chainKey: recordChain(recordId),
      head: null,
      at: nextAt(this.clock.now(), null, this.vault.seal),
    };
  }

  /**
   * Locks the chain of a record and makes sure that the row still says what was signed.
   *
   * @throws CONFLICT with reason payload_drift where it does not.
   */
  async continueRecord(stores: Stores, record: RecordState): Promise<OpenChain> {
    const chain = await this.lock(stores, recordChain(record.id));
    const { head } = chain;
    if (!head) throw payloadDrift(record.id, 'no chain');
    assertRowAgrees(record, this.ownHeads.get(head) ?? (await this.factsAt(stores, head)));
    return chain;
  }

  private async factsAt(stores: Stores, head: ChainHead): Promise<HeadFacts> {
    return factsBehind(
      stores.chains,
      head,
      await verifyHead(head, await stores.chains.headEntry(head.chainKey), this.vault.keyOf),
    );
  }

  /**
   * Seals what an action did to a record, and what it recommends to whoever holds the money, and tells both. The row
   * itself is the use case's to write.
   */
  async record(
    stores: Stores,
    chain: OpenChain,
    origin: Origin,
    change: RecordChange,
    signal: Signal | null = null,
  ): Promise<SealedEntry> {
    const entry = await this.sealState(chain, origin, change);
    const signalled =
      signal &&
      (await this.sealSignal({ ...chain, head: entry }, origin.requestId, change.after, signal));
    await this.append(stores, chain, signalled ? [entry, signalled] : [entry]);
    // A notarized record rarely goes on; the others do.
    if (change.after.status !== 'RECORDED')
      this.ownHeads.remember(signalled ?? entry, factsOf(change.after));
    if (change.transition.event)
      await this.tell(
        stores,
        chain.at,
        change.transition.event,
        aboutRecord(change.after, origin),
        recordEventData(change, entry, origin),
      );
    if (signal && signalled) await this.tellSignal(stores, chain, change.after, signal, signalled);
    return entry;
  }

  /** Seals a recommendation that no action of anybody caused. */
  async signal(
    stores: Stores,
    chain: OpenChain,
    requestId: string,
    record: RecordState,
    signal: Signal,
  ): Promise<SealedEntry> {
    const entry = await this.sealSignal(chain, requestId, record, signal);
    await this.append(stores, chain, [entry]);
    this.ownHeads.remember(entry, factsOf(record));
    await this.tellSignal(stores, chain, record, signal, entry);
    return entry;
  }

  private async sealState(
    chain: OpenChain,
    origin: Origin,
    change: RecordChange,
  ): Promise<SealedEntry> {
    const { after } = change;
    const predicate: RecordStatePredicate = {
      entryType: change.transition.entry,
      at: chain.at,
      requestId: origin.requestId,
      actor: origin.actor,
      ...onBehalfOf(change, origin),
      ...(origin.coSignature ? { coSignature: origin.coSignature } : {}),
      recordId: after.id,
      orgId: after.orgId,
      schema: after.schema,
      transition: {
        action: change.transition.action,
        from: change.before?.status ?? null,
        to: after.status,
      },
      principalAgentId: after.principalAgentId,
      performerAgentId: after.performerAgentId,
      ...(after.parentRecordId ? { parentRecordId: after.parentRecordId } : {}),
      criteriaHash: criteriaHashOnTable(after),
      ...(after.latestCompletionId && after.latestEvidenceHash
        ? { completionId: after.latestCompletionId, evidenceHash: after.latestEvidenceHash }
        : {}),
      ...(after.openDisputeId ? { dispute: { id: after.openDisputeId } } : {}),
      ...change.sealed,
    };
    return this.seal(
      chain,
      recordStatement(this.vault.hub.predicateBase, predicate),
      { entryType: change.transition.entry, recordId: after.id, orgId: after.orgId },
      origin,
    );
  }

  private sealSignal(
    chain: OpenChain,
    requestId: string,
    record: RecordState,
    signal: Signal,
  ): Promise<SealedEntry> {
    const origin = systemOrigin(requestId);
    const { recommendation, signalId, supersedes, disputeId } = signal;
    const predicate: SettlementSignalPredicate = {
      entryType: 'SIGNAL_EMITTED',
      at: chain.at,
      requestId,
      actor: origin.actor,
      recordId: record.id,
      signalId,
      ...(supersedes ? { supersedes } : {}),
      recommendation,
      outcome: record.status,
      performerAgentId: record.performerAgentId,
      platformRef: record.platformRef,
      ...(disputeId ? { disputeId } : {}),
    };
    return this.seal(
      chain,
      signalStatement(this.vault.hub.predicateBase, predicate),
      { entryType: 'SIGNAL_EMITTED', recordId: record.id, orgId: record.orgId },
      origin,
    );
  }

  private tellSignal(
    stores: Stores,
    chain: OpenChain,
    record: RecordState,
    signal: Signal,
    entry: ChainEntry,
  ): Promise<void> {
    const { recommendation, signalId, supersedes, disputeId } = signal;
    return this.tell(stores, chain.at, 'signal.emitted', aboutRecord(record, null), {
      recordId: record.id,
      signalId,
      ...(supersedes ? { supersedes } : {}),
      recommendation,
      outcome: record.status,
      performerAgentId: record.performerAgentId,
      platformRef: record.platformRef,
      ...(disputeId ? { disputeId } : {}),
      entry: entryData(entry),
    });
  }

  /** Seals an administrative act on the platform chain, and tells it. */
  async platform(
    stores: Stores,
    origin: Origin,
    act: {
      readonly entryType: PlatformEntryType;
      readonly orgId: Uuid | null;
      readonly members: JsonObject;
      readonly event: EventType;
      /** What the event says; absent: the members. */ readonly told?: JsonObject;
      readonly agentId?: Uuid;
    },
  ): Promise<SealedEntry> {
    const chain = await this.continueOther(stores, PLATFORM_CHAIN);
    const predicate: PlatformPredicate = {
      entryType: act.entryType,
      at: chain.at,
      requestId: origin.requestId,
      actor: origin.actor,
      ...(act.orgId ? { orgId: act.orgId } : {}),
      ...act.members,
    };
    const entry = await this.write(
      stores,
      chain,
      platformStatement(this.vault.hub.predicateBase, predicate),
      { entryType: act.entryType, recordId: null, orgId: act.orgId },
      origin,
    );
    this.ownHeads.remember(entry, NO_ROW);
    await this.tell(
      stores,
      chain.at,
      act.event,
      { orgId: act.orgId, counterpartyOrgId: null, record: null, agentId: act.agentId ?? null },
      { ...(act.told ?? act.members), ...operationalData(origin) },
    );
    return entry;
  }

  /** Seals an act on an org's record types on its schema chain, and tells it. */
  async schema(
    stores: Stores,
    origin: Origin,
    act: {
      readonly entryType: SchemaEntryType;
      readonly event: EventType;
      readonly subject: Omit<SchemaEventPredicate, 'entryType' | 'at' | 'requestId' | 'actor'>;
    },
  ): Promise<SealedEntry> {
    const chain = await this.continueOther(stores, schemaChain(act.subject.orgId));
    const predicate: SchemaEventPredicate = {
      entryType: act.entryType,
      at: chain.at,
      requestId: origin.requestId,
      actor: origin.actor,
      ...act.subject,
    };
    const entry = await this.write(
      stores,
      chain,
      schemaStatement(this.vault.hub.predicateBase, predicate),
      { entryType: act.entryType, recordId: null, orgId: act.subject.orgId },
      origin,
    );
    this.ownHeads.remember(entry, NO_ROW);
    await this.tell(
      stores,
      chain.at,
      act.event,
      {
        orgId: act.subject.orgId,
        counterpartyOrgId: null,
        record: null,
        agentId: origin.actor.agentId ?? null,
      },
      { ...act.subject, ...operationalData(origin) },
    );
    return entry;
  }

  private async lock(stores: Stores, chainKey: ChainKey): Promise<OpenChain> {
    const head = await stores.chains.lockHead(chainKey);
    return { chainKey, head, at: nextAt(this.clock.now(), head, this.vault.seal) };
  }

  /** A chain without a row of its own: only its head has to verify. */
  private async continueOther(stores: Stores, chainKey: ChainKey): Promise<OpenChain> {
    const chain = await this.lock(stores, chainKey);
    if (chain.head && !this.ownHeads.get(chain.head))
      await verifyHead(chain.head, await stores.chains.headEntry(chainKey), this.vault.keyOf);
    return chain;
  }

  private async write(
    stores: Stores,
    chain: OpenChain,
    statement: Statement,
    row: Pick<ChainEntry, 'entryType' | 'recordId' | 'orgId'>,
    origin: Origin,
  ): Promise<SealedEntry> {
    const entry = await this.seal(chain, statement, row, origin);
    await this.append(stores, chain, [entry]);
    return entry;
  }

  private async seal(
    chain: OpenChain,
    statement: Statement,
    row: Pick<ChainEntry, 'entryType' | 'recordId' | 'orgId'>,
    origin: Origin,
  ): Promise<SealedEntry> {
    const entry = await sealEntry(this.vault.seal, chain.chainKey, chain.head, statement, {
      ...row,
      at: chain.at,
      oidcIss: origin.actor.oidc?.iss ?? null,
      oidcSub: origin.actor.oidc?.sub ?? null,
    });
    return { ...entry, canonicalization: this.vault.seal.canonicalization };
  }

  /** The first entry of a record's chain has no head to move, and nobody to wait for. */
  private append(
    stores: Stores,
    chain: OpenChain,
    entries: readonly [ChainEntry, ...ChainEntry[]],
  ): Promise<void> {
    return entries[0].recordId && !chain.head
      ? stores.chains.begin(entries[0])
      : stores.chains.append(...entries);
  }

  private tell(
    stores: Stores,
    at: string,
    type: EventType,
    about: {
      readonly orgId: Uuid | null;
      readonly counterpartyOrgId: Uuid | null;
      readonly record: RecordState | null;
      readonly agentId: Uuid | null;
    },
    data: JsonObject,
  ): Promise<void> {
    return stores.outbox.add({
      id: this.ids.next(),
      type,
      orgId: about.orgId,
      counterpartyOrgId: about.counterpartyOrgId,
      recordId: about.record?.id ?? null,
      recordType: about.record?.schema.type ?? null,
      agentId: about.agentId,
      data,
      createdAt: at,
    });
  }
}

/** A chain that no row mirrors has nothing to be compared with. */
const NO_ROW: HeadFacts = new Map();

/** A creation says for whom the record was made; every other entry, for whom a token proves that its actor acts. */
const onBehalfOf = (
  { before, after }: RecordChange,
  origin: Origin,
): { readonly onBehalfOf?: OnBehalfOf } => {
  const block = before ? origin.onBehalfOf : after.onBehalfOf;
  return block ? { onBehalfOf: block } : {};
};

const aboutRecord = (record: RecordState, origin: Origin | null) => ({
  orgId: record.orgId,
  counterpartyOrgId: record.performerOrgId,
  record,
  agentId: origin?.actor.agentId ?? null,
});

const entryData = (entry: ChainEntry): JsonObject => ({
  position: entry.position,
  hash: toHex(entry.hash),
  signingKeyId: entry.signingKeyId,
});

const recordEventData = (change: RecordChange, entry: ChainEntry, origin: Origin): JsonObject => {
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
    actor: { kind: origin.actor.kind, agentId: origin.actor.agentId ?? null },
    entry: entryData(entry),
    ...change.eventData,
  };
};

const operationalData = (origin: Origin): JsonObject => ({
  actor: { kind: origin.actor.kind, agentId: origin.actor.agentId ?? null },
});
