import { transitionRecord } from '../../../application/record/transition-operation.ts';
import { bind, type RestBinding } from '../binding.ts';

const RECORD = '/v1/records/{id}';
const COMMON = {
  method: 'POST',
  names: { id: 'recordId' },
  etag: 'The new version of the record',
  refresh: RECORD,
} as const;

/**
 * On the action paths, every refusal for the state has one problem type, whether the state or a
 * guard refuses.
 */
const INVALID_TRANSITION = {
  INVALID_ACTION: 'INVALID_TRANSITION',
  UNPROCESSABLE_STATE: 'INVALID_TRANSITION',
} as const;

/** The name of the action in the body, or in the path. */
export const transitionBindings: readonly RestBinding[] = [
  bind(transitionRecord, { ...COMMON, path: `${RECORD}/transition`, namesAction: true }),
  bind(transitionRecord, {
    ...COMMON,
    path: `${RECORD}/accept`,
    fixed: { action: 'accept' },
    operationId: 'acceptProposal',
    summary: 'Accept a proposal',
    examples: { bare: {} },
    problems: INVALID_TRANSITION,
  }),
  bind(transitionRecord, {
    ...COMMON,
    path: `${RECORD}/accept-counter`,
    fixed: { action: 'accept-counter' },
    operationId: 'acceptCounterProposal',
    summary: 'Accept a counter-proposal',
    examples: { bare: {} },
    problems: INVALID_TRANSITION,
  }),
  bind(transitionRecord, {
    ...COMMON,
    path: `${RECORD}/counter-propose`,
    fixed: { action: 'counter-propose' },
    operationId: 'counterPropose',
    summary: 'Answer a proposal with other criteria',
    examples: {
      criteria: { criteria: { goal: 'Ship by Friday' }, message: 'Friday suits us better.' },
    },
    problems: INVALID_TRANSITION,
  }),
  bind(transitionRecord, {
    ...COMMON,
    path: `${RECORD}/reject`,
    fixed: { action: 'reject' },
    operationId: 'rejectProposal',
    summary: 'Turn a proposal down',
    examples: { reason: { reason: 'No capacity this week.' } },
    problems: INVALID_TRANSITION,
  }),
  bind(transitionRecord, {
    ...COMMON,
    path: `${RECORD}/cancel`,
    fixed: { action: 'cancel' },
    operationId: 'cancelRecord',
    summary: 'Withdraw a record',
    examples: { reason: { reason: 'No longer needed.' } },
    problems: INVALID_TRANSITION,
  }),
  bind(transitionRecord, {
    ...COMMON,
    path: `${RECORD}/revision`,
    fixed: { action: 'revision' },
    operationId: 'requestRevision',
    summary: 'Ask for a better completion',
    examples: { reason: { reason: 'Please name the sources.' } },
    problems: INVALID_TRANSITION,
  }),
];
