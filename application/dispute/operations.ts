import { pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { RecordInput } from '../record/inputs.ts';
import { recordTarget } from '../record/record-target.ts';
import {
  DisputePageSchema,
  DisputeSchema,
  disputeView,
  listedDisputeView,
} from './dispute-view.ts';
import { EscalateDispute } from './escalate-dispute.ts';
import { DISPUTE, DISPUTE_BODY, DISPUTE_EVIDENCE_BODY, LISTED_DISPUTE } from './examples.ts';
import { GetDispute } from './get-dispute.ts';
import {
  DisputeInput,
  EscalateDisputeInput,
  ListDisputesInput,
  OpenDisputeInput,
  ResolveDisputeInput,
  SubmitDisputeEvidenceInput,
} from './inputs.ts';
import { ListDisputes } from './list-disputes.ts';
import { OpenDispute } from './open-dispute.ts';
import { ResolveDispute } from './resolve-dispute.ts';
import { SubmitDisputeEvidence } from './submit-dispute-evidence.ts';
import { WithdrawDispute } from './withdraw-dispute.ts';
import { concernsRecord } from '../record/concerns.ts';

const STATE = [
  'INVALID_ACTION',
  'UNPROCESSABLE_STATE',
  'FORBIDDEN',
  'CONFLICT',
  'CHAIN_REWIND_DETECTED',
] as const;
const CHANGED = { description: 'The dispute after the call', example: DISPUTE };
const READ = { description: 'The dispute', example: DISPUTE };

export const openDispute = operation({
  id: 'openDispute',
  words: {
    summary: 'Dispute the outcome of a record',
    description:
      'For the side that the outcome went against, within the dispute window of the type: the principal of a FULFILLED record; the performer of one that is FAILED, or, with a completion submitted, EXPIRED or CANCELLED by the principal. The settlement is put on HOLD.',
    group: 'Disputes',
  },
  effect: 'write',
  access: () => ({ scope: 'disputes:write' }),
  isVersioned: true,
  input: OpenDisputeInput,
  target: recordTarget,
  examples: { full: DISPUTE_BODY, bare: {} },
  output: DisputeSchema,
  result: { description: 'The dispute, open and sealed', example: DISPUTE },
  problems: ['SCHEMA_VALIDATION_ERROR', ...STATE],
  useCase: OpenDispute,
  view: (result, guide) => ({ view: disputeView(result, guide), isNew: true }),
});

export const getRecordDispute = operation({
  id: 'getRecordDispute',
  words: { summary: 'Read the newest dispute of a record', group: 'Disputes' },
  effect: 'read',
  access: () => ({ scope: 'disputes:read' }),
  input: RecordInput,
  target: recordTarget,
  output: DisputeSchema,
  result: READ,
  useCase: GetDispute,
  concerns: (result) => concernsRecord(result),
  view: (result, guide) => ({ view: disputeView(result, guide) }),
});

export const submitDisputeEvidence = operation({
  id: 'submitDisputeEvidence',
  words: {
    summary: 'Submit evidence to the open dispute',
    description:
      'By either party, in any phase; at most 32 pieces a dispute. Whoever speaks for both sides submits for the one that disputes. In auto mode the gates see it as dispute.evidence when the evidence window ends.',
    group: 'Disputes',
  },
  effect: 'write',
  access: () => ({ scope: 'disputes:write' }),
  isVersioned: true,
  input: SubmitDisputeEvidenceInput,
  target: recordTarget,
  examples: { note: DISPUTE_EVIDENCE_BODY },
  output: DisputeSchema,
  result: CHANGED,
  problems: ['SCHEMA_VALIDATION_ERROR', ...STATE],
  useCase: SubmitDisputeEvidence,
  view: (result, guide) => ({ view: disputeView(result, guide) }),
});

export const escalateDispute = operation({
  id: 'escalateDispute',
  words: { summary: 'Take the open dispute to the next tier', group: 'Disputes' },
  effect: 'write',
  access: () => ({ scope: 'disputes:write' }),
  isVersioned: true,
  input: EscalateDisputeInput,
  target: recordTarget,
  examples: { reason: { reason: 'The evidence speaks for itself.' }, bare: {} },
  output: DisputeSchema,
  result: CHANGED,
  problems: STATE,
  useCase: EscalateDispute,
  view: (result, guide) => ({ view: disputeView(result, guide) }),
});

export const resolveDispute = operation({
  id: 'resolveDispute',
  words: {
    summary: 'Resolve the open dispute: concede, or decide',
    description:
      "In any phase the other side may concede (OVERTURNED, with disputes:write). To decide takes disputes:manage: in the second tier an admin of the principal's org, in every tier the platform. Never the key that opened the dispute, nor its agent.",
    group: 'Disputes',
  },
  effect: 'write',
  access: () => ({ scope: ['disputes:manage', 'disputes:write'] }),
  isVersioned: true,
  input: ResolveDisputeInput,
  target: recordTarget,
  examples: {
    concede: { outcome: 'OVERTURNED', resolution: 'The sources were indeed copies.' },
    uphold: { outcome: 'UPHELD', resolution: 'The sources are independent.' },
  },
  output: DisputeSchema,
  result: CHANGED,
  problems: STATE,
  useCase: ResolveDispute,
  view: (result, guide) => ({ view: disputeView(result, guide) }),
});

export const withdrawDispute = operation({
  id: 'withdrawDispute',
  words: {
    summary: 'Withdraw the open dispute',
    description:
      'By whoever opened it, an admin of the org of its side, or the platform. A withdrawn dispute counts towards the most that the type allows.',
    group: 'Disputes',
  },
  effect: 'write',
  access: () => ({ scope: 'disputes:write' }),
  isVersioned: true,
  input: RecordInput,
  target: recordTarget,
  examples: { bare: {} },
  output: DisputeSchema,
  result: CHANGED,
  problems: STATE,
  useCase: WithdrawDispute,
  view: (result, guide) => ({ view: disputeView(result, guide) }),
});

export const listDisputes = listing({
  id: 'listDisputes',
  words: { summary: 'List disputes, newest first', group: 'Disputes' },
  access: () => ({ scope: 'disputes:read' }),
  input: ListDisputesInput,
  output: DisputePageSchema,
  problems: ['FORBIDDEN'],
  result: {
    description: 'A page of disputes; total is exact up to 10,000',
    example: pageExample(LISTED_DISPUTE),
  },
  useCase: ListDisputes,
  concerns: ({ rows }) => ({
    orgs: rows.flatMap(({ orgId, performerOrgId }) => [orgId, performerOrgId]),
  }),
  view: (slice, guide) => pageView(slice, guide, listedDisputeView),
});

export const getDispute = operation({
  id: 'getDispute',
  words: { summary: 'Read a dispute', group: 'Disputes' },
  effect: 'read',
  access: () => ({ scope: 'disputes:read' }),
  input: DisputeInput,
  target: ({ disputeId }) => (disputeId ? { kind: 'dispute', id: disputeId } : null),
  output: DisputeSchema,
  result: READ,
  useCase: GetDispute,
  concerns: (result) => concernsRecord(result),
  view: (result, guide) => ({ view: disputeView(result, guide) }),
});
