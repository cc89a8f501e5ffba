import type { NextStep } from '../../application/call/guide.ts';
import { NotaryError, type ErrorCode, type ProblemMembers } from '../../domain/kernel/errors.ts';
import type { Shows } from './codec/view-encoder.ts';
import { jsonBytes } from './codec/view-encoder.ts';
import { KIND_CODES } from './kinds.ts';
import { nameOf, type GrpcMethod } from './method.ts';

/** Steps name the method that performs them; the refusal of one item of many is told in the answer. */
export const showsFor = (methods: readonly GrpcMethod[]): Shows => {
  const byOperation = new Map(
    methods.map(({ operation, method }) => [operation.id, nameOf(method)]),
  );
  return {
    step: (step) => {
      const { workflowStep, workflowTotal, ...said } = step as NextStep;
      return {
        ...said,
        ...(workflowStep === undefined ? {} : { workflowStep: BigInt(workflowStep) }),
        ...(workflowTotal === undefined ? {} : { workflowTotal: BigInt(workflowTotal) }),
        method: byOperation.get(said.operation) ?? '',
      };
    },
    refusal: (refusal) => {
      const { code, detail, members, requestId } = refusal as Refusal;
      return problemMessage(new NotaryError(code, detail, members), requestId);
    },
  };
};

interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly members: ProblemMembers;
  readonly requestId: string;
}

/** The fields of notary.v1.Problem. */
export const problemMessage = (
  { code, entry, message, members }: NotaryError,
  requestId: string,
): object => {
  const { errors = [], suggestion = entry.suggestion, ...others } = members;
  return {
    code,
    title: entry.title,
    detail: message,
    suggestion,
    retryable: entry.retryable,
    errors: errors.map((one) => ({ $typeName: 'notary.v1.Finding', ...one })),
    requestId,
    status: KIND_CODES[entry.kind],
    members: jsonBytes(others),
  };
};
