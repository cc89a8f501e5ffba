import type { Guidance, GuidanceStep } from '../../domain/record/guidance.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Action } from '../../domain/record/actions.ts';
import type { Guide, NextStep } from '../call/guide.ts';

/** Guidance on a record, with the operations to follow it by. An action that no operation carries out is not named. */
export const guidanceView = (guidance: Guidance, recordId: Uuid, guide: Guide) => ({
  nextActions: guidance.nextActions.filter((action) => operations.has(action)),
  validTransitions: guidance.validTransitions,
  suggestion: guidance.suggestion,
  hint: guidance.hint,
  nextSteps: guide.steps(
    ...guidance.nextSteps.flatMap((step): readonly NextStep[] => {
      const operation = operations.get(step.action);
      return operation ? [stepOf(step, operation, recordId)] : [];
    }),
  ),
});

/** Which operation carries out an action on a record. */
export const ACTION_OPERATIONS = {
  view: 'getRecord',
  activate: 'transitionRecord',
  propose: 'transitionRecord',
  accept: 'transitionRecord',
  'accept-counter': 'transitionRecord',
  'counter-propose': 'transitionRecord',
  reject: 'transitionRecord',
  'submit-completion': 'submitCompletion',
  'render-verdict': 'renderVerdict',
  revision: 'transitionRecord',
  evaluate: 'transitionRecord',
  'verify-cascade': 'transitionRecord',
  delegate: 'createRecord',
  'open-dispute': 'openDispute',
  'submit-dispute-evidence': 'submitDisputeEvidence',
  'escalate-dispute': 'escalateDispute',
  'resolve-dispute': 'resolveDispute',
  'withdraw-dispute': 'withdrawDispute',
  cancel: 'transitionRecord',
  'add-reference': 'addReference',
  'export-audit': 'exportAudit',
} as const satisfies { readonly [action in Action]?: string };

const operations: ReadonlyMap<Action, string> = new Map(
  Object.entries(ACTION_OPERATIONS) as [Action, string][],
);

/** Undefined where no operation carries the action out. */
export const operationOf = (action: string): string | undefined => operations.get(action as Action);

/** A step as the call of an operation. */
export const stepOf = (
  { action, description, completionId, ...place }: GuidanceStep,
  operation: string,
  recordId: Uuid,
): NextStep => ({
  action,
  operation,
  input: {
    ...inputOf(action, operation, recordId),
    ...(completionId === undefined ? {} : { completionId }),
  },
  description,
  ...place,
});

/** The part of the input that is certain. An offer needs a performer, and only the caller can name one. */
const inputOf = (action: Action, operation: string, recordId: Uuid): NextStep['input'] => {
  if (operation === 'createRecord') return { parentRecordId: recordId };
  if (operation !== 'transitionRecord') return { recordId };
  return action === 'propose'
    ? { recordId, action, performerAgentId: '...' }
    : { recordId, action };
};
