import { scopesFor } from '../../domain/record/action-scope.ts';
import type { Side } from '../../domain/record/record-state.ts';
import { IDS } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { RECORD } from './examples.ts';
import { TransitionInput } from './inputs.ts';
import { recordTarget } from './record-target.ts';
import { RecordSchema, shownRecord } from './record-view.ts';
import { inputOfAction } from './transition-parameters.ts';
import { TransitionRecord } from './transition-record.ts';

const EITHER_SIDE: ReadonlySet<Side> = new Set<Side>(['principal', 'performer']);

export const transitionRecord = operation({
  id: 'transitionRecord',
  words: {
    summary: 'Take an action of the lifecycle by its name',
    description:
      'accept, accept-counter, counter-propose and reject by the performer need records:write or completions:write, every other action records:write.',
    group: 'Transitions',
  },
  effect: 'write',
  access: ({ action }) => ({
    scope: action === undefined ? ['records:write', 'completions:write'] : scopeOf(action),
  }),
  isVersioned: true,
  input: TransitionInput,
  narrow: ({ action }) => (action === undefined ? TransitionInput : inputOfAction(action)),
  target: recordTarget,
  examples: {
    activate: { action: 'activate' },
    propose: { action: 'propose', performerAgentId: IDS.performer },
    cancel: { action: 'cancel', reason: 'No longer needed.' },
  },
  output: RecordSchema,
  result: { description: 'The record after the action', example: RECORD },
  problems: [
    'INVALID_ACTION',
    'UNPROCESSABLE_STATE',
    'SCHEMA_VALIDATION_ERROR',
    'FORBIDDEN',
    'CHAIN_REWIND_DETECTED',
  ],
  useCase: TransitionRecord,
  view: shownRecord,
});

/** The caller's side is not known before the record is read, so what either side may do is let through. */
const scopeOf = (action: string) => {
  const scopes = scopesFor(action, EITHER_SIDE);
  return scopes.length === 1 ? (scopes[0] ?? null) : scopes;
};
