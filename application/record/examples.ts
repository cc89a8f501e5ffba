import { AT, HASH, IDS, LATER, SIGNED_STATEMENT } from '../call/example-story.ts';

export const CREATE_NOTARIZED = {
  type: 'payment.sent',
  contractVersion: 1,
  platform: 'billing-bot',
  criteria: { invoice: 'INV-1042', amount: '99.50', currency: 'EUR' },
};
export const CREATE_GATED = {
  type: 'report.weekly',
  contractVersion: 1,
  platform: 'scheduler',
  performerAgentId: IDS.performer,
  criteria: { week: '2026-W05', minimumSources: 3 },
};

const accept = {
  action: 'accept',
  operation: 'transitionRecord',
  input: { recordId: IDS.record, action: 'accept' },
  description: 'Accept the proposal',
  workflowStep: 2,
  workflowTotal: 4,
  workflowLabel: 'Agree',
  afterThis: 'The performer submits a completion.',
};

export const GUIDANCE_EXAMPLE = {
  nextActions: ['accept', 'reject', 'cancel'],
  validTransitions: ['ACTIVE', 'REJECTED', 'CANCELLED'],
  suggestion: 'Accept the proposal, or reject it.',
  hint: 'Work starts once both sides agree.',
  nextSteps: [accept],
};

export const RECORD = {
  id: IDS.record,
  orgId: IDS.org,
  type: 'report.weekly',
  publisher: 'acme',
  contractVersion: 1,
  manifestDigest: HASH,
  platform: 'scheduler',
  platformRef: null,
  gateMode: 'principal',
  operatingMode: 'cleartext',
  status: 'PROPOSED',
  criteria: CREATE_GATED.criteria,
  criteriaHash: HASH,
  message: null,
  principalAgentId: IDS.principal,
  performerAgentId: IDS.performer,
  parentRecordId: null,
  rootRecordId: IDS.record,
  depth: 0,
  awaiting: 'performer',
  revisionCount: 0,
  maxRevisions: 3,
  latestCompletionId: null,
  disputed: false,
  openDisputeId: null,
  disputeCount: 0,
  counterProposal: null,
  references: [],
  onBehalfOf: null,
  federation: null,
  expiresAt: null,
  createdAt: AT,
  activatedAt: null,
  terminalAt: null,
  updatedAt: AT,
  version: 1,
  signedStatement: SIGNED_STATEMENT,
  ...GUIDANCE_EXAMPLE,
};

const closed = (status: string, suggestion: string): object => ({
  ...RECORD,
  status,
  awaiting: null,
  activatedAt: AT,
  terminalAt: LATER,
  updatedAt: LATER,
  version: 4,
  signedStatement: {
    ...SIGNED_STATEMENT,
    position: 4,
    entryType: 'VERDICT_RENDERED',
    previousHash: HASH,
  },
  nextActions: [],
  validTransitions: [],
  suggestion,
  hint: 'The chain of the record is complete and can be exported.',
  nextSteps: [
    {
      action: 'export-audit',
      operation: 'exportAudit',
      input: { recordId: IDS.record },
      description: 'Export the signed chain, to be verified offline',
    },
  ],
});

export const FULFILLED_RECORD = closed(
  'FULFILLED',
  'The record is FULFILLED; export its audit trail to keep the proof.',
);

export const REFERENCE_BODY = {
  kind: 'report',
  uri: 'https://reports.example/2026-W05',
  digest: { alg: 'sha-256', value: HASH },
  label: 'Weekly report',
};

export const REFERENCE = {
  id: IDS.reference,
  recordId: IDS.record,
  ...REFERENCE_BODY,
  addedBy: { kind: 'agent', agentId: IDS.performer, apiKeyId: IDS.key },
  addedAt: LATER,
  recordStatus: 'PROPOSED',
  signedStatement: {
    ...SIGNED_STATEMENT,
    position: 2,
    entryType: 'REFERENCE_ADDED',
    previousHash: HASH,
  },
  ...GUIDANCE_EXAMPLE,
};

export const COMPLETION_BODY = {
  evidence: { report: 'https://reports.example/2026-W05', sources: 4 },
};

const GATE = {
  state: 'ADVISORY_PASSED',
  evaluatedAt: LATER,
  results: [
    {
      gateId: 'enough-sources',
      description: 'As many sources as were asked for',
      outcome: 'pass',
      severity: 'block',
      expression: 'evidence.sources >= criteria.minimumSources',
      inputsDigest: HASH,
      detail: null,
    },
  ],
};

export const COMPLETION = {
  id: IDS.completion,
  recordId: IDS.record,
  recordStatus: 'ACTIVE',
  revision: 1,
  evidence: COMPLETION_BODY.evidence,
  evidenceHash: HASH,
  submittedBy: { kind: 'agent', agentId: IDS.performer, apiKeyId: IDS.key },
  submittedAt: LATER,
  structural: { valid: true, errors: [] },
  gate: GATE,
  verdict: null,
  references: [],
  signedStatement: {
    ...SIGNED_STATEMENT,
    position: 3,
    entryType: 'COMPLETION_SUBMITTED',
    previousHash: HASH,
  },
  nextActions: ['render-verdict', 'revision', 'cancel'],
  validTransitions: ['FULFILLED', 'FAILED', 'CANCELLED', 'REVISION_REQUESTED'],
  suggestion: 'Wait for the principal.',
  hint: 'It is for the principal to act; reading the record again shows when that is done.',
  nextSteps: [
    {
      action: 'view',
      operation: 'getRecord',
      input: { recordId: IDS.record },
      description: 'Read the record again; it is the other side that acts next',
    },
  ],
};

export const GATE_STATUS = {
  recordId: IDS.record,
  completionId: IDS.completion,
  phase1: { valid: true, errors: [] },
  phase2: GATE,
  mode: 'principal',
  awaiting: 'principal',
  ...GUIDANCE_EXAMPLE,
};
