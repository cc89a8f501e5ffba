import type {
  CompletionResult,
  GateStatusResult,
  RecordResult,
  ReferenceResult,
} from '../../../application/record/results.ts';
import type { BulkResult } from '../../../application/record/create-records-bulk.ts';
import type { SignedStatement } from '../../../application/sealing/signed-statement.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { etagOf } from '../../http/etag.ts';
import { problemOf } from '../../http/problem.ts';
import type { Answer, View } from '../../http/route.ts';
import { presentGuidance } from '../guidance.ts';

export const presentSignedStatement = (statement: SignedStatement | null): object | null =>
  statement && { ...statement, coseSign1: Buffer.from(statement.coseSign1).toString('base64') };

/** The record, complete, in the members and the order of the contract. */
export const presentRecord = (
  { record, signedStatement, guidance, cascade }: RecordResult,
  view: View,
): object => ({
  ...presentState(record),
  ...(cascade ? { cascade } : {}),
  signedStatement: presentSignedStatement(signedStatement),
  ...presentGuidance(guidance, record.id, view),
});

/** Members of later releases are present, and empty. */
const presentState = (record: RecordState): object => ({
  id: record.id,
  orgId: record.orgId,
  type: record.schema.type,
  publisher: record.schema.publisher,
  contractVersion: record.schema.version,
  manifestDigest: record.schema.manifestDigest,
  platform: record.platform,
  platformRef: record.platformRef,
  gateMode: record.gateMode,
  operatingMode: record.operatingMode,
  status: record.status,
  criteria: record.criteria,
  criteriaHash: record.criteriaHash,
  message: record.message,
  principalAgentId: record.principalAgentId,
  performerAgentId: record.performerAgentId,
  parentRecordId: record.parentRecordId,
  rootRecordId: record.rootRecordId,
  depth: record.depth,
  awaiting: record.awaiting,
  revisionCount: record.revisionCount,
  maxRevisions: record.maxRevisions,
  latestCompletionId: record.latestCompletionId,
  disputed: record.disputed,
  openDisputeId: record.openDisputeId,
  disputeCount: record.disputeCount,
  counterProposal: record.counterProposal,
  references: record.references,
  onBehalfOf: record.onBehalfOf,
  federation: null,
  expiresAt: record.expiresAt,
  createdAt: record.createdAt,
  activatedAt: record.activatedAt,
  terminalAt: record.terminalAt,
  updatedAt: record.updatedAt,
  version: record.version,
});

export const recordAnswer = (result: RecordResult, view: View): Answer => ({
  status: 200,
  headers: { ETag: etagOf(result.record.version) },
  body: presentRecord(result, view),
});

export const createdRecordAnswer = (result: RecordResult, view: View): Answer => ({
  status: 201,
  headers: { Location: `/v1/records/${result.record.id}`, ETag: etagOf(result.record.version) },
  body: presentRecord(result, view),
});

/** 207 also where every item failed: each has its own status. */
export const bulkAnswer = ({ outcomes }: BulkResult, view: View): Answer => {
  const data = outcomes.map((outcome, index) => {
    if ('record' in outcome)
      return { index, status: 201, record: presentRecord(outcome.record, view) };
    const error = problemOf(outcome.error, view);
    return { index, status: error.status, error };
  });
  const succeeded = outcomes.filter((outcome) => 'record' in outcome).length;
  return {
    status: 207,
    body: { data, total: data.length, succeeded, failed: data.length - succeeded },
  };
};

const PASSED = { valid: true, errors: [] } as const;

export const presentCompletion = (
  { completion, record, signedStatement, guidance }: CompletionResult,
  view: View,
): object => ({
  id: completion.id,
  recordId: completion.recordId,
  recordStatus: record.status,
  revision: completion.revision,
  evidence: completion.evidence,
  evidenceHash: completion.evidenceHash,
  submittedBy: completion.submittedBy,
  submittedAt: completion.submittedAt,
  // Phase 1 is the condition of being stored: what fails it becomes a refusal, and no completion.
  structural: PASSED,
  gate: completion.gate,
  verdict: completion.verdict,
  references: [],
  signedStatement: presentSignedStatement(signedStatement),
  ...presentGuidance(guidance, record.id, view),
});

export const createdCompletionAnswer = (result: CompletionResult, view: View): Answer => ({
  status: 201,
  headers: { Location: `/v1/records/${result.record.id}/completions/${result.completion.id}` },
  body: presentCompletion(result, view),
});

export const presentGateStatus = (
  { record, completion, guidance }: GateStatusResult,
  view: View,
): object => ({
  recordId: record.id,
  completionId: completion?.id ?? null,
  phase1: completion ? PASSED : { valid: null, errors: [] },
  phase2: phase2Of(completion),
  mode: record.gateMode,
  awaiting: record.awaiting,
  ...presentGuidance(guidance, record.id, view),
});

/** 200 where the reference was there. No GET shows one alone, so there is no Location. */
export const referenceAnswer = (
  { reference, added, record, signedStatement, guidance }: ReferenceResult,
  view: View,
): Answer => ({
  status: added ? 201 : 200,
  headers: { ETag: etagOf(record.version) },
  body: {
    ...reference,
    recordStatus: record.status,
    signedStatement: presentSignedStatement(signedStatement),
    ...presentGuidance(guidance, record.id, view),
  },
});

const phase2Of = (completion: Completion | null): object =>
  completion?.gate ?? { state: null, evaluatedAt: null, results: [] };
