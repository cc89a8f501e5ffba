import type { DetachedReason, FederationState } from '../../domain/record/federated-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import { factsOfRecord } from '../../domain/record/record-facts.ts';
import { criteriaHashOnTable, type RecordState } from '../../domain/record/record-state.ts';
import {
  counterAttestationStatement,
  recordStatement,
  type CounterAttestationPredicate,
  type PeerClaim,
  type RecordStatePredicate,
} from '../../domain/record/record-statement.ts';
import { SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import type { FederationEntryType } from '../../domain/vault/entry-type.ts';
import type { Statement } from '../../domain/vault/statement.ts';
import type { ChainWriter } from '../sealing/chain-writer.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import { systemOrigin, type Origin } from '../sealing/origin.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** What a record is after an entry that leaves its state as it is, and the entry. */
export interface Beside {
  readonly record: RecordState;
  readonly entry: SealedEntry;
}

export type Attested = Pick<
  CounterAttestationPredicate,
  'sequence' | 'statementHash' | 'outcome' | 'code' | 'otherHash'
>;

/** Seals the entries of a federated record that leave its state as it is. None of them is announced. */
export class SealBeside {
  constructor(
    private readonly writer: ChainWriter,
    private readonly recordChains: RecordChains,
  ) {}

  /** That a statement of the peer was received and verified, and what became of it. */
  async attest(
    stores: Stores,
    record: RecordState,
    requestId: string,
    attested: Attested,
    entryType: 'PEER_STATEMENT_ATTESTED' | 'PEER_EQUIVOCATION' = 'PEER_STATEMENT_ATTESTED',
  ): Promise<Beside> {
    const federation = record.federation as FederationState;
    const received = Math.max(federation.received, attested.sequence);
    const next =
      entryType === 'PEER_EQUIVOCATION'
        ? {}
        : attested.outcome === 'applied'
          ? { received, applied: received }
          : { received };
    return this.append(stores, record, requestId, entryType, next, (chain) =>
      counterAttestationStatement(this.writer.predicateBase, {
        entryType,
        at: chain.at,
        requestId,
        actor: SYSTEM_ACTOR,
        recordId: record.id,
        orgId: record.orgId,
        peerHubId: federation.peerHubId,
        ...attested,
      }),
    );
  }

  stepRefused(
    stores: Stores,
    record: RecordState,
    requestId: string,
    action: string,
    peer: PeerClaim,
  ): Promise<Beside> {
    const federation = record.federation as FederationState;
    const next = { refusedSteps: federation.refusedSteps + 1, pendingStep: null };
    return this.append(stores, record, requestId, 'STEP_REFUSED', next, (chain) =>
      this.stating(record, 'STEP_REFUSED', action, chain, systemOrigin(requestId), { peer }),
    );
  }

  detached(
    stores: Stores,
    record: RecordState,
    requestId: string,
    reason: DetachedReason,
  ): Promise<Beside> {
    return this.append(
      stores,
      record,
      requestId,
      'RECORD_DETACHED',
      { detached: reason, pendingStep: null },
      (chain) =>
        this.stating(record, 'RECORD_DETACHED', 'view', chain, systemOrigin(requestId), {
          peer: { reason },
        }),
    );
  }

  /** A step that the performer's side asks of home, with all that the act's own entry would seal. */
  async stepOffered(
    stores: Stores,
    chain: OpenChain,
    origin: Origin,
    record: RecordState,
    change: RecordChange,
  ): Promise<Beside> {
    const federation = record.federation as FederationState;
    const { after, transition } = change;
    const sequence = federation.sent + 1;
    const pendingStep = { action: transition.action, sequence, since: chain.at };
    const content = {
      ...change.sealed,
      criteriaHash: criteriaHashOnTable(after),
      ...(after.latestCompletionId && after.latestEvidenceHash
        ? { completionId: after.latestCompletionId, evidenceHash: after.latestEvidenceHash }
        : {}),
    };
    const beside = await this.write(
      stores,
      chain,
      record,
      'STEP_OFFERED',
      { sent: sequence, pendingStep },
      this.stating(record, 'STEP_OFFERED', transition.action, chain, origin, content),
    );
    if (origin.coSigned) await stores.coSignedRequests.keep(origin.coSigned, beside.entry);
    return beside;
  }

  private async append(
    stores: Stores,
    record: RecordState,
    requestId: string,
    entryType: FederationEntryType,
    next: Partial<FederationState>,
    stating: (chain: OpenChain) => Statement,
  ): Promise<Beside> {
    const chain = await this.recordChains.lock(stores, record);
    return this.write(stores, chain, record, entryType, next, stating(chain));
  }

  private async write(
    stores: Stores,
    chain: OpenChain,
    record: RecordState,
    entryType: FederationEntryType,
    next: Partial<FederationState>,
    stated: Statement,
  ): Promise<Beside> {
    const after: RecordState = {
      ...record,
      federation: { ...(record.federation as FederationState), ...next },
      updatedAt: chain.at,
      version: record.version + 1,
    };
    const actor = stated.predicate['actor'] as unknown as Origin['actor'];
    const entry = await this.writer.seal(
      chain,
      stated,
      { entryType, recordId: record.id, orgId: record.orgId },
      { actor },
    );
    await this.writer.append(stores, chain, [entry], factsOfRecord(after));
    await stores.records.update(after, record);
    return { record: after, entry };
  }

  private stating(
    record: RecordState,
    entryType: FederationEntryType,
    action: string,
    { at }: OpenChain,
    { actor, requestId, onBehalfOf, coSigned }: Origin,
    content: Partial<RecordStatePredicate>,
  ): Statement {
    return recordStatement(this.writer.predicateBase, {
      entryType,
      at,
      requestId,
      actor,
      ...(onBehalfOf ? { onBehalfOf } : {}),
      ...(coSigned ? { coSignature: coSigned.block } : {}),
      recordId: record.id,
      orgId: record.orgId,
      schema: record.schema,
      transition: {
        action: action as RecordStatePredicate['transition']['action'],
        from: record.status,
        to: record.status,
      },
      principalAgentId: record.principalAgentId,
      performerAgentId: record.performerAgentId,
      performerOrgId: record.performerOrgId,
      expiresAt: record.expiresAt,
      awaiting: record.awaiting,
      ...(record.parentRecordId ? { parentRecordId: record.parentRecordId } : {}),
      criteriaHash: criteriaHashOnTable(record),
      ...(record.latestCompletionId && record.latestEvidenceHash
        ? { completionId: record.latestCompletionId, evidenceHash: record.latestEvidenceHash }
        : {}),
      ...(record.openDisputeId ? { dispute: { id: record.openDisputeId } } : {}),
      ...content,
    });
  }
}
