import type { NextStep } from '../../application/call/guide.ts';
import type { Forms } from '../../application/call/render-view.ts';
import { NotaryError, type ErrorCode, type ProblemMembers } from '../../domain/kernel/errors.ts';
import { problemOf } from '../http/problem.ts';
import { skillFor } from './skills.ts';

export interface FormContext {
  readonly instance: string;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly members: ProblemMembers;
  readonly requestId: string;
}

/** What of a view looks different here: a step is the data part of the message that takes it. */
export const A2A_FORMS: Forms<FormContext> = new Map<
  unknown,
  (value: unknown, context: FormContext) => unknown
>([
  [
    'step',
    (value) => {
      const step = value as NextStep;
      const skill = skillFor(step.operation, step.action)?.id;
      return skill === undefined ? undefined : { ...step, skill };
    },
  ],
  [
    'refusal',
    (value, { instance }) => {
      const { code, detail, members, requestId } = value as Refusal;
      return problemOf(new NotaryError(code, detail, members), { requestId, instance });
    },
  ],
]);
