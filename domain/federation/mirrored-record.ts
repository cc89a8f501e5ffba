import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import { factsAfter } from '../record/chain-facts.ts';
import { readEntryFacts } from '../record/entry-facts.ts';
import { stepsLike, type SealedStep } from '../record/lifecycle-queries.ts';
import type { Transition } from '../record/lifecycle.ts';
import { factsOfRecord, type RecordFacts } from '../record/record-facts.ts';
import type { RecordStatePredicate } from '../record/record-statement.ts';
import type { Awaiting, CounterProposal, RecordState, Side } from '../record/record-state.ts';
import type { RecordStatus } from '../record/record-status.ts';
import type { Reference } from '../record/reference.ts';
import type { RecordType } from '../record-type/manifest.ts';
import type { ActorClaim } from '../vault/statement.ts';
import { contentOfKind, type ContentItem } from './content.ts';
import type { FederationState, PendingStep } from '../record/federated-record.ts';

/** An entry of home that moves its record, verified, with what it hashes. */
export interface HomeEntry {
  readonly predicate: RecordStatePredicate;
  readonly contents: readonly ContentItem[];
  /** The statement of the mirror that home carried out; null of what home did by itself. */
  readonly carriesOut: string | null;
}

/** Home's entries that no other hub follows: children live where the performer does. */
const OWN_OF_HOME: ReadonlySet<string> = new Set(['CHILD_DELEGATED', 'CASCADE_VERIFIED']);

/** The transition that an entry of home takes on its mirror; null where the lifecycle does not have it from here. */
export const transitionTaken = (
  record: RecordState | null,
  { entryType, transition }: RecordStatePredicate,
): Transition | null => {
  if (OWN_OF_HOME.has(entryType) || transition.from !== (record?.status ?? null)) return null;
  const step: SealedStep = { ...transition, entry: entryType };
  const condition = record
    ? { pending: record.completionPending, counter: record.counterProposal !== null }
    : {};
  return stepsLike(step, condition)[0] ?? null;
};

/** The record that a mirror begins with: home's proposal, as a record of the performer's org. */
export const mirrorOpened = (
  offer: HomeEntry,
  given: {
    readonly id: Uuid;
    readonly orgId: Uuid;
    readonly homeRecordId: Uuid;
    readonly peerHubId: Uuid;
    readonly generation: number;
    readonly recordType: RecordType;
    readonly at: string;
  },
): RecordState => {
  const { predicate, contents } = offer;
  const { manifest } = given.recordType;
  const { at } = given;
  const message = contentOfKind(contents, 'message');
  return {
    id: given.id,
    orgId: given.orgId,
    performerOrgId: given.orgId,
    schema: predicate.schema,
    platform: predicate.terms?.platform ?? 'api',
    platformRef: predicate.terms?.platformRef ?? null,
    gateMode: manifest.gateMode,
    operatingMode: manifest.operatingMode,
    status: predicate.transition.to,
    criteria: contentOfKind(contents, 'criteria') as JsonObject,
    criteriaHash: predicate.criteriaHash,
    message: typeof message === 'string' ? message : null,
    counterProposal: null,
    proposalRounds: 0,
    onBehalfOf: null,
    principalAgentId: predicate.principalAgentId,
    performerAgentId: predicate.performerAgentId,
    parentRecordId: null,
    rootRecordId: given.id,
    depth: predicate.terms?.depth ?? 0,
    childCount: 0,
    cascadeRule: manifest.cascade.rule,
    awaiting: predicate.awaiting,
    revisionCount: 0,
    maxRevisions: manifest.maxRevisions,
    latestCompletionId: null,
    completionPending: false,
    latestEvidenceHash: null,
    cancelledBy: null,
    disputed: false,
    openDisputeId: null,
    disputeCount: 0,
    maxDisputes: manifest.maxDisputes,
    disputeWindowSeconds: manifest.disputeWindowSeconds,
    disputeDeadline: null,
    latestSignalId: null,
    verdictWindowSeconds: manifest.verdictWindowSeconds,
    expiresAt: predicate.expiresAt,
    createdAt: at,
    activatedAt: null,
    terminalAt: null,
    updatedAt: at,
    federation: {
      role: 'mirror',
      peerHubId: given.peerHubId,
      recordId: given.homeRecordId,
      sent: 0,
      received: 0,
      applied: 0,
      refusedSteps: 0,
      pendingStep: null,
      generation: given.generation,
      detached: null,
    },
    references: [],
    version: 1,
  };
};

/**
 * The record after home's entry: what the mirror's own entry of it will say, and the content that it binds. Nothing is
 * decided here.
 */
export const mirrorMoved = (
  record: RecordState,
  { predicate, contents, carriesOut }: HomeEntry,
  actor: ActorClaim,
  at: string,
): RecordState => {
  const own = {
    ...predicate,
    at,
    actor,
    recordId: record.id,
    orgId: record.orgId,
    performerOrgId: record.performerOrgId,
    parentRecordId: undefined,
    peer: peerClaim(carriesOut).peer,
  };
  const facts = factsAfter(factsOfRecord(record), readEntryFacts(own as unknown as JsonObject));
  const criteria = contentOfKind(contents, 'criteria') as JsonObject | null;
  return {
    ...record,
    status: facts.status as RecordStatus,
    awaiting: facts.awaiting as Awaiting,
    expiresAt: facts.expiresAt as string | null,
    ...agreed(record, facts),
    ...(facts.counterProposal && criteria
      ? { counterProposal: counterOf(predicate, contents, actor, at, criteria) }
      : {}),
    proposalRounds: facts.proposalRounds,
    revisionCount: facts.revisionCount,
    latestCompletionId: facts.latestCompletionId as Uuid | null,
    latestEvidenceHash: facts.evidenceHash as string | null,
    completionPending: facts.completionPending,
    cancelledBy: facts.cancelledBy as Side | null,
    references: referencesOf(record, predicate, actor, at),
    disputed: facts.disputed,
    openDisputeId: facts.openDisputeId as Uuid | null,
    disputeCount: facts.disputeCount,
    disputeDeadline: facts.disputed ? (facts.phaseDeadline as string | null) : null,
    activatedAt: facts.activatedAt as string | null,
    terminalAt: facts.terminalAt as string | null,
    updatedAt: at,
    federation: {
      ...(record.federation as FederationState),
      pendingStep: facts.pendingStep as unknown as PendingStep | null,
    },
    version: record.version + 1,
  };
};

/** Names the step that an entry ends. */
export const peerClaim = (carriesOut: string | null): Pick<RecordStatePredicate, 'peer'> =>
  carriesOut === null ? {} : { peer: { statementHash: carriesOut } };

/** A counter-proposal that was accepted takes the place of the criteria. */
const agreed = (
  record: RecordState,
  facts: RecordFacts,
): Pick<RecordState, 'criteria' | 'criteriaHash' | 'counterProposal'> => {
  const { counterProposal, criteria, criteriaHash } = record;
  if (facts.counterProposal !== null || counterProposal === null)
    return { counterProposal, criteria, criteriaHash };
  return {
    criteria: counterProposal.criteria,
    criteriaHash: counterProposal.criteriaHash,
    counterProposal: null,
  };
};

const counterOf = (
  { criteriaHash }: RecordStatePredicate,
  contents: readonly ContentItem[],
  proposedBy: ActorClaim,
  proposedAt: string,
  criteria: JsonObject,
): CounterProposal => {
  const message = contentOfKind(contents, 'message');
  return {
    criteria,
    criteriaHash,
    message: typeof message === 'string' ? message : null,
    proposedBy,
    proposedAt,
  };
};

const referencesOf = (
  record: RecordState,
  { entryType, reference }: RecordStatePredicate,
  addedBy: ActorClaim,
  addedAt: string,
): readonly Reference[] =>
  entryType === 'REFERENCE_ADDED' && reference
    ? [...record.references, { ...reference, recordId: record.id, addedBy, addedAt }]
    : record.references;

/** What the mirror's entry has beside the members that follow from the record. */
export const sealedOf = ({
  messageHash,
  verdict,
  reason,
  gate,
  encryption,
  cancelledBy,
  reference,
  dispute,
}: RecordStatePredicate) => ({
  ...(messageHash === undefined ? {} : { messageHash }),
  ...(verdict === undefined ? {} : { verdict }),
  ...(reason === undefined ? {} : { reason }),
  ...(gate === undefined ? {} : { gate }),
  ...(encryption === undefined ? {} : { encryption }),
  ...(cancelledBy === undefined ? {} : { cancelledBy }),
  ...(reference === undefined ? {} : { reference }),
  ...(dispute === undefined ? {} : { dispute }),
});

/** What of home's entry departs from what home said before; null where nothing does. */
export const constancyFault = (
  record: RecordState,
  predicate: RecordStatePredicate,
): string | null => {
  const differs = (name: string, one: JsonValue, other: JsonValue): string | null =>
    JSON.stringify(one) === JSON.stringify(other) ? null : `${name} is not the one of the offer`;
  return (
    differs('schema', schemaText(predicate), schemaText(record)) ??
    differs('principalAgentId', predicate.principalAgentId, record.principalAgentId) ??
    differs('performerAgentId', predicate.performerAgentId, record.performerAgentId)
  );
};

const schemaText = ({ schema }: { readonly schema: RecordState['schema'] }): string =>
  [schema.orgId, schema.publisher, schema.type, schema.version, schema.manifestDigest].join(' ');
