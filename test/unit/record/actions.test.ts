import { describe, expect, it } from 'vitest';
import { holdsScope, scopesFor } from '../../../domain/record/action-scope.ts';
import { ACTION_TABLE, findActionRow, inOrder } from '../../../domain/record/actions.ts';
import { ACTIONS, type Action } from '../../../domain/record/actions.ts';
import { callerOf } from './support.ts';

const actions = ACTION_TABLE.map(({ action }): Action => action);

describe('the table of actions', () => {
  it('has one row for every action of the contract', () => {
    expect([...actions].sort()).toEqual([...ACTIONS].sort());
  });

  it('asks at least one scope for everything but what the service does by itself', () => {
    expect(ACTION_TABLE.filter(({ scopes }) => scopes.length === 0)).toMatchObject([
      { action: 'expire' },
    ]);
  });

  it('is no way to anything but its rows: names come from outside', () => {
    for (const name of ['toString', '__proto__', 'constructor', 'ACCEPT', ''])
      expect(findActionRow(name)).toBeUndefined();
  });

  it('gives each step of the workflow one label and one number', () => {
    const steps = ACTION_TABLE.flatMap((row) => ('workflow' in row ? [row.workflow] : []));
    const labels = new Map(steps.map((step) => [step.workflowStep, step.workflowLabel]));
    for (const step of steps) expect(labels.get(step.workflowStep)).toBe(step.workflowLabel);
    expect([...labels.keys()].sort()).toEqual([2, 3, 4]);
  });
});

describe('the order in which actions are offered', () => {
  it('puts what moves a record forward first and cancel last', () => {
    expect(inOrder(['cancel', 'revision', 'open-dispute', 'evaluate', 'accept'])).toEqual([
      'accept',
      'evaluate',
      'revision',
      'open-dispute',
      'cancel',
    ]);
  });

  it('names each action once', () => {
    expect(inOrder(['cancel', 'accept', 'cancel'])).toEqual(['accept', 'cancel']);
  });
});

describe('the scopes of an action', () => {
  const NOBODY = new Set<never>();
  const PERFORMER = new Set(['performer'] as const);

  it.each([
    ['activate', ['records:write'], ['records:write']],
    ['cancel', ['records:write'], ['records:write']],
    ['delegate', ['records:write'], ['records:write']],
    ['accept', ['records:write'], ['records:write', 'completions:write']],
    ['accept-counter', ['records:write'], ['records:write', 'completions:write']],
    ['counter-propose', ['records:write'], ['records:write', 'completions:write']],
    ['reject', ['records:write'], ['records:write', 'completions:write']],
    ['submit-completion', ['completions:write'], ['completions:write']],
    ['open-dispute', ['disputes:write'], ['disputes:write']],
    ['withdraw-dispute', ['disputes:write'], ['disputes:write']],
    [
      'resolve-dispute',
      ['disputes:manage', 'disputes:write'],
      ['disputes:manage', 'disputes:write'],
    ],
  ])('%s takes %j, and as the performer %j', (action, scopes, asPerformer) => {
    expect(scopesFor(action, NOBODY)).toEqual(scopes);
    expect(scopesFor(action, PERFORMER)).toEqual(asPerformer);
  });

  it.each(['view', 'export-audit', 'expire', 'no-such-action', 'constructor'])(
    '%s, which /transition does not carry out, takes what most actions take',
    (action) => {
      expect(scopesFor(action, PERFORMER)).toEqual(['records:write']);
    },
  );

  it('are enough one by one, and none of them is not', () => {
    const performer = callerOf('performer', ['completions:write']);
    expect(holdsScope(performer, 'accept', PERFORMER)).toBe(true);
    expect(holdsScope(performer, 'accept', NOBODY)).toBe(false);
    expect(holdsScope(performer, 'activate', PERFORMER)).toBe(false);
  });
});
