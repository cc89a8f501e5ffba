import { federationFacts } from './federated-record.ts';
import { canonicalJson, type JsonValue } from '../kernel/canonical-json.ts';
import { hashText } from '../kernel/digest.ts';
import type { RecordState } from './record-state.ts';
import { disputableUntil } from './settlement.ts';

/**
 * Everything that a chain says of its record, under the names that a refusal uses for a difference. The row must say
 * the same: nothing that an action depends on is believed because it is stored.
 */
export interface RecordFacts {
  readonly recordId: JsonValue;
  readonly orgId: JsonValue;
  readonly 'schema.orgId': JsonValue;
  readonly 'schema.publisher': JsonValue;
  readonly 'schema.type': JsonValue;
  readonly 'schema.version': JsonValue;
  readonly 'schema.manifestDigest': JsonValue;
  readonly platform: JsonValue;
  readonly platformRef: JsonValue;
  readonly gateMode: JsonValue;
  readonly operatingMode: JsonValue;
  readonly depth: JsonValue;
  readonly rootRecordId: JsonValue;
  readonly parentRecordId: JsonValue;
  readonly onBehalfOf: JsonValue;
  readonly messageHash: JsonValue;
  readonly status: JsonValue;
  readonly awaiting: JsonValue | undefined;
  readonly expiresAt: JsonValue | undefined;
  readonly principalAgentId: JsonValue;
  readonly performerAgentId: JsonValue | undefined;
  readonly performerOrgId: JsonValue | undefined;
  /** Of the criteria that were agreed, or first proposed. */
  readonly criteriaHash: JsonValue;
  readonly counterProposal: CounterFacts | null;
  readonly proposalRounds: number;
  readonly revisionCount: number;
  readonly latestCompletionId: JsonValue;
  readonly evidenceHash: JsonValue;
  readonly completionPending: boolean;
  readonly childCount: number;
  readonly references: readonly JsonValue[];
  readonly openDisputeId: JsonValue;
  readonly disputed: boolean;
  readonly disputeCount: number;
  /** When the phase of the open dispute ends. */
  readonly phaseDeadline: JsonValue;
  readonly cancelledBy: JsonValue;
  readonly latestSignalId: JsonValue;
  /** The newest recommendation is HOLD, and no dispute is open: it ends with the dispute window. */
  readonly isHeld: boolean;
  /** As `federationFacts` has it. */
  readonly federation: JsonValue;
  /** The step that was offered to home and waits for it. */
  readonly pendingStep: JsonValue;
  readonly createdAt: JsonValue;
  readonly activatedAt: JsonValue;
  readonly terminalAt: JsonValue;
  readonly updatedAt: JsonValue;
}

export interface CounterFacts {
  readonly criteriaHash: JsonValue;
  readonly messageHash: JsonValue;
  readonly proposedBy: JsonValue;
  readonly proposedAt: JsonValue;
}

export const factsOfRecord = (record: RecordState): RecordFacts => ({
  recordId: record.id,
  orgId: record.orgId,
  'schema.orgId': record.schema.orgId,
  'schema.publisher': record.schema.publisher,
  'schema.type': record.schema.type,
  'schema.version': record.schema.version,
  'schema.manifestDigest': record.schema.manifestDigest,
  platform: record.platform,
  platformRef: record.platformRef,
  gateMode: record.gateMode,
  operatingMode: record.operatingMode,
  depth: record.depth,
  rootRecordId: record.rootRecordId,
  parentRecordId: record.parentRecordId,
  onBehalfOf: record.onBehalfOf as JsonValue,
  messageHash: messageHashOf(record.message),
  status: record.status,
  awaiting: record.awaiting,
  expiresAt: record.expiresAt,
  principalAgentId: record.principalAgentId,
  performerAgentId: record.performerAgentId,
  performerOrgId: record.performerOrgId,
  criteriaHash: record.criteriaHash,
  counterProposal: counterOf(record),
  proposalRounds: record.proposalRounds,
  revisionCount: record.revisionCount,
  latestCompletionId: record.latestCompletionId,
  evidenceHash: record.latestEvidenceHash,
  completionPending: record.completionPending,
  childCount: record.childCount,
  references: referencesOf(record),
  openDisputeId: record.openDisputeId,
  disputed: record.disputed,
  disputeCount: record.disputeCount,
  phaseDeadline: record.disputed ? record.disputeDeadline : null,
  cancelledBy: record.cancelledBy,
  latestSignalId: record.latestSignalId,
  isHeld: !record.disputed && record.disputeDeadline !== null,
  federation: federationFacts(record.federation),
  pendingStep: (record.federation?.pendingStep as unknown as JsonValue) ?? null,
  createdAt: record.createdAt,
  activatedAt: record.activatedAt,
  terminalAt: record.terminalAt,
  updatedAt: record.updatedAt,
});

/** The names of the facts in which the row differs from what its chain says. */
export const differingFacts = (record: RecordState, chain: RecordFacts): readonly string[] => {
  const row = factsOfRecord(record);
  const names: string[] = (Object.keys(chain) as (keyof RecordFacts)[]).filter(
    (name) => !isSame(row[name], chain[name]),
  );
  // A HOLD ends with the dispute window, no sooner and no later.
  if (row.isHeld && record.disputeDeadline !== disputableUntil(record))
    names.push('disputeDeadline');
  return names;
};

const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === 'object' &&
    typeof b === 'object' &&
    a !== null &&
    b !== null &&
    canonicalJson(a as JsonValue) === canonicalJson(b as JsonValue));

const messageHashOf = (message: string | null): string | null =>
  message === null ? null : hashText(message);

const counterOf = ({ counterProposal }: RecordState): CounterFacts | null =>
  counterProposal && {
    criteriaHash: counterProposal.criteriaHash,
    messageHash: messageHashOf(counterProposal.message),
    proposedBy: counterProposal.proposedBy as unknown as JsonValue,
    proposedAt: counterProposal.proposedAt,
  };

const referencesOf = ({ references }: RecordState): readonly JsonValue[] =>
  references.length === 0
    ? NO_REFERENCES
    : references.map(({ id, kind, uri, digest, label, addedBy, addedAt }) => ({
        id,
        kind,
        uri,
        digest,
        label,
        addedBy: addedBy as unknown as JsonValue,
        addedAt,
      }));

export const NO_REFERENCES: readonly JsonValue[] = [];
