import type { RecordResult } from '../../../application/record/results.ts';
import type { CallContext } from '../../../application/call/call-context.ts';
import type { ErrorCode } from '../../../domain/kernel/errors.ts';
import { route, type Route } from '../../http/route.ts';
import {
  COMPLETION,
  COMPLETION_BODY,
  FULFILLED_RECORD,
  GATE_STATUS,
  IDS,
  RECORD,
  REFERENCE,
  REFERENCE_BODY,
} from '../examples.ts';
import type { RestUseCases } from '../use-cases.ts';
import {
  createdCompletionAnswer,
  presentCompletion,
  presentGateStatus,
  recordAnswer,
  referenceAnswer,
} from './record-presenter.ts';
import {
  AcceptBody,
  CancelBody,
  CompletionBody,
  CompletionPath,
  CompletionSchema,
  CounterBody,
  GateStatusSchema,
  ReasonBody,
  RecordPath,
  RecordSchema,
  ReferenceBody,
  ReferenceSchema,
  TransitionBody,
  VerdictBody,
} from './record-schemas.ts';

const REFRESH = '/v1/records/{id}';
const STATE: readonly ErrorCode[] = ['UNPROCESSABLE_STATE', 'FORBIDDEN', 'CHAIN_REWIND_DETECTED'];
const ALIAS_STATE: readonly ErrorCode[] = [
  'INVALID_TRANSITION',
  'FORBIDDEN',
  'CHAIN_REWIND_DETECTED',
];
const ETAG = { ETag: 'The new version of the record' };

/** What the parties do with a record. */
export const recordActionRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/records/{id}/completions',
    operationId: 'submitCompletion',
    summary: 'Deliver the work with its evidence',
    description:
      'Phase 1 checks the evidence against the completionSchema of the type; what fails it is refused and stored nowhere. Phase 2 evaluates the gates: in auto mode they decide, in principal mode they advise; in an encrypted type they are skipped.',
    tag: 'Completions',
    access: { scope: 'completions:write' },
    params: RecordPath,
    body: CompletionBody,
    refresh: REFRESH,
    examples: { report: COMPLETION_BODY },
    answers: {
      201: {
        description: 'The completion',
        schema: CompletionSchema,
        example: COMPLETION,
        headers: { Location: 'Path of the completion' },
      },
    },
    problems: ['SCHEMA_VALIDATION_ERROR', ...STATE],
    execute: (context, { params, body }) =>
      useCases.submitCompletion.execute(context, { recordId: params.id, evidence: body.evidence }),
    present: createdCompletionAnswer,
  }),
  route({
    method: 'GET',
    path: '/v1/records/{id}/completions/{completionId}',
    operationId: 'getCompletion',
    summary: 'Read a completion',
    tag: 'Completions',
    access: { scope: 'completions:read' },
    params: CompletionPath,
    answers: {
      200: { description: 'The completion', schema: CompletionSchema, example: COMPLETION },
    },
    execute: (context, { params }) =>
      useCases.getCompletion.execute(context, {
        recordId: params.id,
        completionId: params.completionId,
      }),
    present: (result, view) => ({ status: 200, body: presentCompletion(result, view) }),
  }),
  route({
    method: 'POST',
    path: '/v1/records/{id}/verdict',
    operationId: 'renderVerdict',
    summary: 'Accept or reject the latest completion, or override a rejection',
    description:
      'In an encrypted type the principal may add gateResults: what the gates gave by its own evaluation of the plaintext. They are stored and sealed in the clear, as claimed by the principal.',
    tag: 'Completions',
    access: { scope: 'records:write' },
    params: RecordPath,
    body: VerdictBody,
    ifMatch: true,
    refresh: REFRESH,
    examples: {
      accept: { verdict: 'accept', completionId: IDS.completion },
      reject: {
        verdict: 'reject',
        completionId: IDS.completion,
        reason: 'Two sources are missing.',
      },
      encrypted: {
        verdict: 'accept',
        completionId: IDS.completion,
        gateResults: [{ gateId: 'sources', outcome: 'pass' }],
      },
    },
    answers: {
      200: {
        description: 'The record, decided',
        schema: RecordSchema,
        example: FULFILLED_RECORD,
        headers: ETAG,
      },
    },
    problems: STATE,
    execute: (context, { params, body, ifVersions }) =>
      useCases.renderVerdict.execute(context, { recordId: params.id, ...body, ifVersions }),
    present: recordAnswer,
  }),
  route({
    method: 'GET',
    path: '/v1/records/{id}/gate-status',
    operationId: 'getGateStatus',
    summary: 'Read how the latest completion fares',
    tag: 'Completions',
    access: { scope: 'records:read' },
    params: RecordPath,
    answers: {
      200: {
        description: 'Both phases of the latest completion',
        schema: GateStatusSchema,
        example: GATE_STATUS,
      },
    },
    execute: (context, { params }) =>
      useCases.getGateStatus.execute(context, { recordId: params.id }),
    present: (result, view) => ({ status: 200, body: presentGateStatus(result, view) }),
  }),
  route({
    method: 'POST',
    path: '/v1/records/{id}/references',
    operationId: 'addReference',
    summary: 'Attach an external reference',
    description:
      'In any state, by either party or an admin; at most 32 on a record. The same kind and uri again adds nothing and answers what is there. What the URI leads to is neither fetched nor checked.',
    tag: 'Records',
    access: { scope: 'records:write' },
    params: RecordPath,
    body: ReferenceBody,
    refresh: REFRESH,
    examples: { report: REFERENCE_BODY, bare: { kind: 'ticket', uri: 'urn:example:ticket:4711' } },
    answers: {
      201: {
        description: 'The reference, sealed',
        schema: ReferenceSchema,
        example: REFERENCE,
        headers: ETAG,
      },
      200: {
        description: 'The reference that was there; nothing was written',
        schema: ReferenceSchema,
        example: { ...REFERENCE, signedStatement: null },
        headers: ETAG,
      },
    },
    problems: ['CONFLICT', 'CHAIN_REWIND_DETECTED'],
    execute: (context, { params, body: { kind, uri, digest, label } }) =>
      useCases.addReference.execute(context, {
        recordId: params.id,
        target: { kind, uri, digest: digest ?? null, label: label ?? null },
      }),
    present: referenceAnswer,
  }),
  route({
    method: 'POST',
    path: '/v1/records/{id}/transition',
    operationId: 'transitionRecord',
    summary: 'Take an action of the lifecycle by its name',
    description:
      'accept, accept-counter, counter-propose and reject by the performer need records:write or completions:write, every other action records:write.',
    tag: 'Transitions',
    access: { scope: ['records:write', 'completions:write'] },
    params: RecordPath,
    body: TransitionBody,
    ifMatch: true,
    refresh: REFRESH,
    examples: {
      activate: { action: 'activate' },
      propose: { action: 'propose', performerAgentId: IDS.performer },
      cancel: { action: 'cancel', reason: 'No longer needed.' },
    },
    answers: {
      200: {
        description: 'The record after the action',
        schema: RecordSchema,
        example: RECORD,
        headers: ETAG,
      },
    },
    problems: ['INVALID_ACTION', 'UNPROCESSABLE_STATE', 'FORBIDDEN', 'CHAIN_REWIND_DETECTED'],
    execute: (context, { params, body: { action, ...parameters }, ifVersions }) =>
      useCases.transitionRecord.execute(context, {
        recordId: params.id,
        action,
        parameters,
        path: 'transition',
        ifVersions,
      }),
    present: recordAnswer,
  }),
  ...aliasRoutes(useCases),
];

/** The action paths: the same use case under names of their own. */
const aliasRoutes = (useCases: RestUseCases): readonly Route[] => {
  const take =
    (action: string) =>
    (
      context: CallContext,
      {
        params,
        body,
        ifVersions,
      }: {
        readonly params: { readonly id: string };
        readonly body: object;
        readonly ifVersions: readonly number[] | undefined;
      },
    ): Promise<RecordResult> =>
      useCases.transitionRecord.execute(context, {
        recordId: params.id,
        action,
        parameters: body,
        path: 'dedicated',
        ifVersions,
      });
  const common = {
    method: 'POST',
    tag: 'Transitions',
    params: RecordPath,
    bodyOptional: true,
    ifMatch: true,
    refresh: REFRESH,
    problems: ALIAS_STATE,
    present: recordAnswer,
  } as const;
  const answers = {
    200: {
      description: 'The record after the action',
      schema: RecordSchema,
      example: RECORD,
      headers: ETAG,
    },
  };
  const byEitherScope = { scope: ['records:write', 'completions:write'] } as const;
  return [
    route({
      ...common,
      path: '/v1/records/{id}/accept',
      operationId: 'acceptProposal',
      summary: 'Accept a proposal',
      access: byEitherScope,
      body: AcceptBody,
      examples: { bare: {} },
      answers,
      execute: take('accept'),
    }),
    route({
      ...common,
      path: '/v1/records/{id}/accept-counter',
      operationId: 'acceptCounterProposal',
      summary: 'Accept a counter-proposal',
      access: byEitherScope,
      body: AcceptBody,
      examples: { bare: {} },
      answers,
      execute: take('accept-counter'),
    }),
    route({
      ...common,
      bodyOptional: false,
      path: '/v1/records/{id}/counter-propose',
      operationId: 'counterPropose',
      summary: 'Answer a proposal with other criteria',
      access: byEitherScope,
      body: CounterBody,
      examples: {
        criteria: { criteria: { goal: 'Ship by Friday' }, message: 'Friday suits us better.' },
      },
      answers,
      execute: take('counter-propose'),
    }),
    route({
      ...common,
      path: '/v1/records/{id}/reject',
      operationId: 'rejectProposal',
      summary: 'Turn a proposal down',
      access: byEitherScope,
      body: ReasonBody,
      examples: { reason: { reason: 'No capacity this week.' } },
      answers,
      execute: take('reject'),
    }),
    route({
      ...common,
      path: '/v1/records/{id}/cancel',
      operationId: 'cancelRecord',
      summary: 'Withdraw a record',
      access: { scope: 'records:write' },
      body: CancelBody,
      examples: { reason: { reason: 'No longer needed.' } },
      answers,
      execute: take('cancel'),
    }),
    route({
      ...common,
      path: '/v1/records/{id}/revision',
      operationId: 'requestRevision',
      summary: 'Ask for a better completion',
      access: { scope: 'records:write' },
      body: ReasonBody,
      examples: { reason: { reason: 'Please name the sources.' } },
      answers,
      execute: take('revision'),
    }),
  ];
};
