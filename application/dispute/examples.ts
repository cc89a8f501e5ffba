import { HASH, IDS, LATER, SIGNED_STATEMENT } from '../call/example-story.ts';

const DISPUTE_CONTENT = { note: 'Two of the four sources are copies of a third.' };

export const DISPUTE_BODY = {
  grounds: 'EVIDENCE_DOES_NOT_HOLD',
  statement: 'The report was accepted before its sources were read.',
  evidence: DISPUTE_CONTENT,
};
export const DISPUTE_EVIDENCE_BODY = { evidence: DISPUTE_CONTENT };

const DISPUTE_PIECE = {
  id: IDS.disputeEvidence,
  submittedBy: { kind: 'agent', agentId: IDS.principal, apiKeyId: IDS.key },
  side: 'principal',
  contentHash: HASH,
  submittedAt: LATER,
};

const DISPUTE_HEAD = {
  id: IDS.dispute,
  recordId: IDS.record,
  phase: 'EVIDENCE_WINDOW',
  tier: 1,
  initiatedBy: DISPUTE_PIECE.submittedBy,
  initiatorRole: 'principal',
  side: 'principal',
  grounds: DISPUTE_BODY.grounds,
  statement: DISPUTE_BODY.statement,
  evidenceDeadline: '2026-02-03T12:05:00.000Z',
  phaseDeadline: '2026-02-03T12:05:00.000Z',
  outcome: null,
  resolution: null,
  resolvedBy: null,
  openedAt: LATER,
  resolvedAt: null,
};

export const LISTED_DISPUTE = { ...DISPUTE_HEAD, evidence: [DISPUTE_PIECE] };

export const DISPUTE = {
  ...DISPUTE_HEAD,
  evidence: [{ ...DISPUTE_PIECE, content: DISPUTE_CONTENT }],
  recordStatus: 'FULFILLED',
  signedStatement: {
    ...SIGNED_STATEMENT,
    position: 6,
    entryType: 'DISPUTE_OPENED',
    previousHash: HASH,
  },
  nextActions: [
    'submit-dispute-evidence',
    'escalate-dispute',
    'resolve-dispute',
    'withdraw-dispute',
  ],
  validTransitions: [],
  suggestion: 'Submit evidence to the dispute, or wait for it to end.',
  hint: 'While the dispute is open nothing else moves the record.',
  nextSteps: [
    {
      action: 'submit-dispute-evidence',
      operation: 'submitDisputeEvidence',
      input: { recordId: IDS.record },
      description: 'Submit evidence to the dispute',
    },
  ],
};
