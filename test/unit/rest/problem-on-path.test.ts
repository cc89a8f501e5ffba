import { describe, expect, it } from 'vitest';
import { problemOnPath } from '../../../adapters/rest/problem-on-path.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

const MEMBERS = {
  attemptedAction: 'accept',
  currentState: 'ACTIVE',
  validTransitions: ['FULFILLED'],
  allowedActions: ['cancel'],
  attemptedTransition: 'accept',
  attemptedState: 'ACTIVE',
  suggestion: 'Wait.',
};
const error = new NotaryError('INVALID_ACTION', 'not now', MEMBERS);

describe('a refusal for the state', () => {
  it('names the action where the body named it (records.md 3)', () => {
    expect(problemOnPath(error)).toEqual({
      code: 'INVALID_ACTION',
      members: {
        attemptedAction: 'accept',
        currentState: 'ACTIVE',
        allowedActions: ['cancel'],
        suggestion: 'Wait.',
      },
    });
  });

  it('names the attempted transition where the path names the action', () => {
    const { attemptedAction: _, ...onPath } = MEMBERS;
    expect(problemOnPath(error, { INVALID_ACTION: 'UNPROCESSABLE_STATE' })).toEqual({
      code: 'UNPROCESSABLE_STATE',
      members: onPath,
    });
  });

  it('keeps the members of every other refusal', () => {
    const guard = new NotaryError('UNPROCESSABLE_STATE', 'children', { ...MEMBERS });
    expect(problemOnPath(guard, { UNPROCESSABLE_STATE: 'INVALID_TRANSITION' })).toEqual({
      code: 'INVALID_TRANSITION',
      members: MEMBERS,
    });
  });
});
