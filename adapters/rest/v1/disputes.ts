import type { ErrorCode } from '../../../domain/kernel/errors.ts';
import { route, type Route } from '../../http/route.ts';
import {
  DISPUTE,
  DISPUTE_BODY,
  DISPUTE_EVIDENCE_BODY,
  LISTED_DISPUTE,
  pageExample,
} from '../examples.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { disputeAnswer, openedDisputeAnswer, presentListedDispute } from './dispute-presenter.ts';
import {
  DisputeEvidenceBody,
  DisputePage,
  DisputePath,
  DisputeSchema,
  EscalateBody,
  ListDisputesQuery,
  OpenDisputeBody,
  ResolveBody,
  WithdrawBody,
} from './dispute-schemas.ts';
import { RecordPath } from './record-schemas.ts';

const STATE: readonly ErrorCode[] = [
  'UNPROCESSABLE_STATE',
  'FORBIDDEN',
  'CONFLICT',
  'CHAIN_REWIND_DETECTED',
];
const REFRESH = '/v1/records/{id}';
const CHANGED = {
  200: { description: 'The dispute after the call', schema: DisputeSchema, example: DISPUTE },
};
const READ = { 200: { description: 'The dispute', schema: DisputeSchema, example: DISPUTE } };

/** Objections to the outcome of a record, in three tiers. */
export const disputeRoutes = (useCases: RestUseCases): readonly Route[] => {
  const act = {
    method: 'POST',
    tag: 'Disputes',
    access: { scope: 'disputes:write' },
    params: RecordPath,
    refresh: REFRESH,
  } as const;
  return [
    route({
      ...act,
      path: '/v1/records/{id}/dispute',
      operationId: 'openDispute',
      summary: 'Dispute the outcome of a record',
      description:
        'For the side that the outcome went against, within the dispute window of the type: the principal of a FULFILLED record; the performer of one that is FAILED, or, with a completion submitted, EXPIRED or CANCELLED by the principal. The settlement is put on HOLD.',
      body: OpenDisputeBody,
      bodyOptional: true,
      examples: { full: DISPUTE_BODY, bare: {} },
      answers: {
        201: {
          description: 'The dispute, open and sealed',
          schema: DisputeSchema,
          example: DISPUTE,
          headers: { Location: 'Path of the dispute' },
        },
      },
      problems: ['SCHEMA_VALIDATION_ERROR', ...STATE],
      execute: (context, { params, body }) =>
        useCases.openDispute.execute(context, { recordId: params.id, ...body }),
      present: openedDisputeAnswer,
    }),
    route({
      method: 'GET',
      path: '/v1/records/{id}/dispute',
      operationId: 'getRecordDispute',
      summary: 'Read the newest dispute of a record',
      tag: 'Disputes',
      access: { scope: 'disputes:read' },
      params: RecordPath,
      answers: READ,
      execute: (context, { params }) =>
        useCases.getDispute.execute(context, { recordId: params.id }),
      present: disputeAnswer,
    }),
    route({
      ...act,
      path: '/v1/records/{id}/dispute/evidence',
      operationId: 'submitDisputeEvidence',
      summary: 'Submit evidence to the open dispute',
      description:
        'By either party, in any phase; at most 32 pieces a dispute. Whoever speaks for both sides submits for the one that disputes. In auto mode the gates see it as dispute.evidence when the evidence window ends.',
      body: DisputeEvidenceBody,
      examples: { note: DISPUTE_EVIDENCE_BODY },
      answers: CHANGED,
      problems: ['SCHEMA_VALIDATION_ERROR', ...STATE],
      execute: (context, { params, body }) =>
        useCases.submitDisputeEvidence.execute(context, {
          recordId: params.id,
          evidence: body.evidence,
        }),
      present: disputeAnswer,
    }),
    route({
      ...act,
      path: '/v1/records/{id}/dispute/escalate',
      operationId: 'escalateDispute',
      summary: 'Take the open dispute to the next tier',
      body: EscalateBody,
      bodyOptional: true,
      examples: { reason: { reason: 'The evidence speaks for itself.' }, bare: {} },
      answers: CHANGED,
      problems: STATE,
      execute: (context, { params, body }) =>
        useCases.escalateDispute.execute(context, { recordId: params.id, ...body }),
      present: disputeAnswer,
    }),
    route({
      ...act,
      path: '/v1/records/{id}/dispute/resolve',
      operationId: 'resolveDispute',
      summary: 'Resolve the open dispute: concede, or decide',
      description:
        "In any phase the other side may concede (OVERTURNED, with disputes:write). To decide takes disputes:manage: in the second tier an admin of the principal's org, in every tier the platform. Never the key that opened the dispute, nor its agent.",
      access: { scope: ['disputes:manage', 'disputes:write'] },
      body: ResolveBody,
      examples: {
        concede: { outcome: 'OVERTURNED', resolution: 'The sources were indeed copies.' },
        uphold: { outcome: 'UPHELD', resolution: 'The sources are independent.' },
      },
      answers: CHANGED,
      problems: STATE,
      execute: (context, { params, body }) =>
        useCases.resolveDispute.execute(context, { recordId: params.id, ...body }),
      present: disputeAnswer,
    }),
    route({
      ...act,
      path: '/v1/records/{id}/dispute/withdraw',
      operationId: 'withdrawDispute',
      summary: 'Withdraw the open dispute',
      description:
        'By whoever opened it, an admin of the org of its side, or the platform. A withdrawn dispute counts towards the most that the type allows.',
      body: WithdrawBody,
      bodyOptional: true,
      examples: { bare: {} },
      answers: CHANGED,
      problems: STATE,
      execute: (context, { params }) =>
        useCases.withdrawDispute.execute(context, { recordId: params.id }),
      present: disputeAnswer,
    }),
    route({
      method: 'GET',
      path: '/v1/disputes',
      operationId: 'listDisputes',
      summary: 'List disputes, newest first',
      tag: 'Disputes',
      access: { scope: 'disputes:read' },
      query: ListDisputesQuery,
      paged: true,
      answers: {
        200: {
          description: 'A page of disputes; total is exact up to 10,000',
          schema: DisputePage,
          example: pageExample(LISTED_DISPUTE),
        },
      },
      execute: (context, { query: { tier, ...filter }, slice }) =>
        useCases.listDisputes.execute(context, {
          filter: { ...filter, ...(tier === undefined ? {} : { tier: tier as 1 | 2 | 3 }) },
          slice,
        }),
      present: (slice, view) => presentPage(slice, view, presentListedDispute),
    }),
    route({
      method: 'GET',
      path: '/v1/disputes/{disputeId}',
      operationId: 'getDispute',
      summary: 'Read a dispute',
      tag: 'Disputes',
      access: { scope: 'disputes:read' },
      params: DisputePath,
      answers: READ,
      execute: (context, { params }) =>
        useCases.getDispute.execute(context, { disputeId: params.disputeId }),
      present: disputeAnswer,
    }),
  ];
};
