import { isObject } from '../kernel/canonical-json.ts';
import { federationAfter, pendingAfter, toldAfter } from './federation-facts.ts';
import { isDisputeOpening, openDisputeId } from './dispute-facts.ts';
import { isCompletionPending, isEnding, startsWork, type EntryFacts } from './entry-facts.ts';
import { NO_REFERENCES, type RecordFacts } from './record-facts.ts';

/**
 * What the record is after one more entry of its chain.
 *
 * @param before what it was; null for the first entry.
 */
export const factsAfter = (before: RecordFacts | null, entry: EntryFacts): RecordFacts => {
  const known = before ?? NOTHING;
  if (entry.signal)
    return {
      ...known,
      recordId: before === null || known.recordId === entry.recordId ? entry.recordId : null,
      latestSignalId: entry.signal.signalId,
      isHeld: !known.disputed && entry.signal.recommendation === 'HOLD',
      federation: toldAfter(known.federation),
      updatedAt: entry.at,
    };
  if (entry.beside)
    return {
      ...known,
      federation: federationAfter(known.federation, entry),
      pendingStep: pendingAfter(known, entry),
      recordId: before === null || known.recordId === entry.recordId ? entry.recordId : null,
      updatedAt: entry.at,
    };
  const { entryType, at, schema, transition, terms } = entry;
  const isFirst = before === null;
  const disputeId = openDisputeId(entry);
  const isCounter = entryType === 'COUNTER_PROPOSED';
  const isAgreement = isFirst || entryType === 'COUNTER_ACCEPTED';
  return {
    // An entry about another record makes this one nobody's.
    recordId: isFirst || known.recordId === entry.recordId ? entry.recordId : null,
    orgId: entry.orgId,
    'schema.orgId': schema?.orgId ?? null,
    'schema.publisher': schema?.publisher ?? null,
    'schema.type': schema?.type ?? null,
    'schema.version': schema?.version ?? null,
    'schema.manifestDigest': schema?.manifestDigest ?? null,
    platform: isFirst ? (terms?.platform ?? null) : known.platform,
    platformRef: isFirst ? (terms?.platformRef ?? null) : known.platformRef,
    gateMode: isFirst ? (terms?.gateMode ?? null) : known.gateMode,
    operatingMode: isFirst ? (terms?.operatingMode ?? null) : known.operatingMode,
    depth: isFirst ? (terms?.depth ?? null) : known.depth,
    rootRecordId: isFirst ? (terms?.rootRecordId ?? null) : known.rootRecordId,
    parentRecordId: entry.parentRecordId,
    onBehalfOf: isFirst ? entry.onBehalfOf : known.onBehalfOf,
    messageHash: isFirst ? entry.messageHash : known.messageHash,
    status: transition?.to ?? null,
    awaiting: entry.awaiting,
    expiresAt: entry.expiresAt,
    principalAgentId: entry.principalAgentId,
    performerAgentId: entry.performerAgentId,
    performerOrgId: entry.performerOrgId,
    criteriaHash: isAgreement ? entry.criteriaHash : known.criteriaHash,
    counterProposal: isCounter
      ? {
          criteriaHash: entry.criteriaHash,
          messageHash: entry.messageHash,
          proposedBy: entry.actor,
          proposedAt: at,
        }
      : isAgreement
        ? null
        : known.counterProposal,
    proposalRounds: known.proposalRounds + Number(isCounter),
    revisionCount: known.revisionCount + Number(entryType === 'REVISION_REQUESTED'),
    latestCompletionId: entry.completionId,
    evidenceHash: entry.evidenceHash,
    completionPending: isCompletionPending(entry),
    childCount: known.childCount + Number(entryType === 'CHILD_DELEGATED'),
    references:
      entryType === 'REFERENCE_ADDED' && isObject(entry.reference)
        ? [...known.references, { ...entry.reference, addedBy: entry.actor, addedAt: at }]
        : known.references,
    openDisputeId: disputeId,
    disputed: disputeId !== null,
    disputeCount: known.disputeCount + Number(isDisputeOpening(entryType)),
    phaseDeadline: disputeId === null ? null : (entry.dispute?.deadline ?? known.phaseDeadline),
    cancelledBy: transition?.from !== transition?.to ? entry.cancelledBy : known.cancelledBy,
    latestSignalId: known.latestSignalId,
    isHeld: known.isHeld && disputeId === null,
    federation: federationAfter(known.federation, entry),
    pendingStep: pendingAfter(known, entry),
    createdAt: isFirst ? at : known.createdAt,
    activatedAt: startsWork(entry) ? at : known.activatedAt,
    terminalAt: isEnding(entry) ? at : known.terminalAt,
    updatedAt: at,
  };
};

const NOTHING: RecordFacts = {
  recordId: null,
  orgId: null,
  'schema.orgId': null,
  'schema.publisher': null,
  'schema.type': null,
  'schema.version': null,
  'schema.manifestDigest': null,
  platform: null,
  platformRef: null,
  gateMode: null,
  operatingMode: null,
  depth: null,
  rootRecordId: null,
  parentRecordId: null,
  onBehalfOf: null,
  messageHash: null,
  status: null,
  awaiting: null,
  expiresAt: null,
  principalAgentId: null,
  performerAgentId: null,
  performerOrgId: null,
  criteriaHash: null,
  counterProposal: null,
  proposalRounds: 0,
  revisionCount: 0,
  latestCompletionId: null,
  evidenceHash: null,
  completionPending: false,
  childCount: 0,
  references: NO_REFERENCES,
  openDisputeId: null,
  disputed: false,
  disputeCount: 0,
  phaseDeadline: null,
  cancelledBy: null,
  latestSignalId: null,
  isHeld: false,
  federation: null,
  pendingStep: null,
  createdAt: null,
  activatedAt: null,
  terminalAt: null,
  updatedAt: null,
};
