import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { EventType } from '../../domain/event/event.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import { criteriaHashOnTable, type RecordState } from '../../domain/record/record-state.ts';
import { PLATFORM_CHAIN, recordChain, schemaChain, type ChainKey } from '../../domain/vault/chain-key.ts';
import { nextAt, sealEntry, type ChainEntry, type ChainHead } from '../../domain/vault/chain.ts';
import type { PlatformEntryType, SchemaEntryType } from '../../domain/vault/entry-type.ts';
import { platformStatement, recordStatement, schemaStatement, type ActorClaim, type PlatformPredicate, type RecordStatePredicate, type SchemaEventPredicate, type Statement } from '../../domain/vault/statement.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { Vault } from '../vault/vault.ts';
import { assertRowAgrees, factsOf, factsOfPredicate, payloadDrift, verifyHead, type HeadFacts } from './head-check.ts';
import { OwnHeads } from './own-heads.ts';
import type { SealedEntry } from './signed-statement.ts';

/** A chain that a unit of work is about to write: its head, locked, and the time of the next entry. */
export interface OpenChain {
  readonly chainKey: ChainKey;
  readonly head: ChainHead | null;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
}

/** On whose behalf an entry is sealed. */
export interface Origin {
  readonly actor: ActorClaim;
  readonly requestId: string;
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
    return { chainKey: recordChain(recordId), head: null, at: nextAt(this.clock.now(), null, this.vault.seal) };
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
    assertRowAgrees(record, this.ownHeads.get(head) ?? factsOfPredicate(await verifyHead(head, await stores.chains.headEntry(chain.chainKey), this.vault.keyOf)));
    return chain;
  }

  /** Seals what an action did to a record, and tells it. The row itself is the use case's to write. */
  async record(stores: Stores, chain: OpenChain, origin: Origin, change: RecordChange): Promise<SealedEntry> {
    const { after } = change;
    const predicate: RecordStatePredicate = {
      entryType: change.row.entry,
      at: chain.at,
      requestId: origin.requestId,
      actor: origin.actor,
      recordId: after.id,
      orgId: after.orgId,
      schema: after.schema,
      transition: { action: change.row.action, from: change.before?.status ?? null, to: after.status },
      principalAgentId: after.principalAgentId,
      performerAgentId: after.performerAgentId,
      ...(after.parentRecordId ? { parentRecordId: after.parentRecordId } : {}),
      criteriaHash: criteriaHashOnTable(after),
      ...(after.latestCompletionId && after.latestEvidenceHash ? { completionId: after.latestCompletionId, evidenceHash: after.latestEvidenceHash } : {}),
      ...change.sealed,
    };
    const entry = await this.write(stores, chain, recordStatement(this.vault.hub.predicateBase, predicate), { entryType: change.row.entry, recordId: after.id, orgId: after.orgId }, origin);
    // A notarized record rarely goes on; the others do.
    if (after.status !== 'RECORDED') this.ownHeads.remember(entry, factsOf(after));
    if (change.row.event) await this.tell(stores, chain.at, change.row.event, { orgId: after.orgId, counterpartyOrgId: after.performerOrgId, record: after, agentId: origin.actor.agentId ?? null }, recordEventData(change, entry, origin));
    return entry;
  }

  /** Seals an administrative act on the platform chain, and tells it. */
  async platform(stores: Stores, origin: Origin, act: { readonly entryType: PlatformEntryType; readonly orgId: Uuid | null; readonly members: JsonObject; readonly event: EventType; readonly agentId?: Uuid }): Promise<SealedEntry> {
    const chain = await this.continueOther(stores, PLATFORM_CHAIN);
    const predicate: PlatformPredicate = { entryType: act.entryType, at: chain.at, ...origin, ...(act.orgId ? { orgId: act.orgId } : {}), ...act.members };
    const entry = await this.write(stores, chain, platformStatement(this.vault.hub.predicateBase, predicate), { entryType: act.entryType, recordId: null, orgId: act.orgId }, origin);
    this.ownHeads.remember(entry, NO_ROW);
    await this.tell(stores, chain.at, act.event, { orgId: act.orgId, counterpartyOrgId: null, record: null, agentId: act.agentId ?? null }, { ...act.members, ...operationalData(origin) });
    return entry;
  }

  /** Seals an act on an org's record types on its schema chain, and tells it. */
  async schema(stores: Stores, origin: Origin, act: { readonly entryType: SchemaEntryType; readonly event: EventType; readonly subject: Omit<SchemaEventPredicate, 'entryType' | 'at' | 'requestId' | 'actor'> }): Promise<SealedEntry> {
    const chain = await this.continueOther(stores, schemaChain(act.subject.orgId));
    const predicate: SchemaEventPredicate = { entryType: act.entryType, at: chain.at, ...origin, ...act.subject };
    const entry = await this.write(stores, chain, schemaStatement(this.vault.hub.predicateBase, predicate), { entryType: act.entryType, recordId: null, orgId: act.subject.orgId }, origin);
    this.ownHeads.remember(entry, NO_ROW);
    await this.tell(stores, chain.at, act.event, { orgId: act.subject.orgId, counterpartyOrgId: null, record: null, agentId: origin.actor.agentId ?? null }, { ...act.subject, ...operationalData(origin) });
    return entry;
  }

  private async lock(stores: Stores, chainKey: ChainKey): Promise<OpenChain> {
    const head = await stores.chains.lockHead(chainKey);
    return { chainKey, head, at: nextAt(this.clock.now(), head, this.vault.seal) };
  }

  /** A chain without a row of its own: only its head has to verify. */
  private async continueOther(stores: Stores, chainKey: ChainKey): Promise<OpenChain> {
    const chain = await this.lock(stores, chainKey);
    if (chain.head && !this.ownHeads.get(chain.head)) await verifyHead(chain.head, await stores.chains.headEntry(chainKey), this.vault.keyOf);
    return chain;
  }

  private async write(stores: Stores, chain: OpenChain, statement: Statement, row: Pick<ChainEntry, 'entryType' | 'recordId' | 'orgId'>, origin: Origin): Promise<SealedEntry> {
    const entry = await sealEntry(this.vault.seal, chain.chainKey, chain.head, statement, { ...row, at: chain.at, oidcIss: origin.actor.oidc?.iss ?? null, oidcSub: origin.actor.oidc?.sub ?? null });
    await (row.recordId && !chain.head ? stores.chains.begin(entry) : stores.chains.append(entry));
    return { ...entry, canonicalization: this.vault.seal.canonicalization };
  }

  private tell(
    stores: Stores,
    at: string,
    type: EventType,
    about: { readonly orgId: Uuid | null; readonly counterpartyOrgId: Uuid | null; readonly record: RecordState | null; readonly agentId: Uuid | null },
    data: JsonObject,
  ): Promise<void> {
    return stores.outbox.add({ id: this.ids.next(), type, orgId: about.orgId, counterpartyOrgId: about.counterpartyOrgId, recordId: about.record?.id ?? null, recordType: about.record?.schema.type ?? null, agentId: about.agentId, data, createdAt: at });
  }
}

/** A chain that no row mirrors has nothing to be compared with. */
const NO_ROW: HeadFacts = new Map();

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
    entry: { position: entry.position, hash: toHex(entry.hash), signingKeyId: entry.signingKeyId },
    ...change.told,
  };
};

const operationalData = (origin: Origin): JsonObject => ({ actor: { kind: origin.actor.kind, agentId: origin.actor.agentId ?? null } });
