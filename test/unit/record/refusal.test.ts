import { describe, expect, it } from 'vitest';
import { STATUSES, type RecordStatus } from '../../../domain/record/record-status.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import {
  allowedActions,
  validTransitions,
  wrongSide,
  wrongState,
} from '../../../domain/record/refusal.ts';
import { LIFECYCLE, type Transition } from '../../../domain/record/lifecycle.ts';
import { ACTIVE, stateOf, SUBMITTED } from './support.ts';

describe('the states that a party may reach', () => {
  it.each<[string, Partial<RecordState>, 'auto' | 'principal', readonly RecordStatus[]]>([
    ['a draft', { status: 'CREATED' }, 'principal', ['PROPOSED', 'ACTIVE', 'CANCELLED']],
    ['a proposal', { status: 'PROPOSED' }, 'auto', ['ACTIVE', 'REJECTED', 'CANCELLED']],
    ['an active record', ACTIVE, 'principal', ['FULFILLED', 'FAILED', 'CANCELLED']],
    ['an active record', ACTIVE, 'auto', ['FULFILLED', 'FAILED', 'CANCELLED']],
    [
      'a completion that its principal judges',
      SUBMITTED,
      'principal',
      ['FULFILLED', 'FAILED', 'REVISION_REQUESTED', 'CANCELLED'],
    ],
    ['a completion that gates judge', SUBMITTED, 'auto', ['FULFILLED', 'FAILED', 'CANCELLED']],
    [
      'a completion after the last revision',
      { ...SUBMITTED, revisionCount: 99 },
      'principal',
      ['FULFILLED', 'FAILED', 'CANCELLED'],
    ],
    ['a revision', { status: 'REVISION_REQUESTED' }, 'principal', ['ACTIVE', 'CANCELLED']],
    ['a rejected completion', { status: 'FAILED' }, 'principal', ['REMEDIATED']],
    [
      'failed gates',
      { status: 'FAILED', terminalAt: '2026-01-01T00:00:00.000Z' },
      'auto',
      ['REMEDIATED'],
    ],
    ['failed gates in a dispute', { status: 'FAILED', disputed: true }, 'auto', ['REMEDIATED']],
    [
      'failed gates after the last dispute',
      { status: 'FAILED', disputeCount: 3, maxDisputes: 3 },
      'auto',
      [],
    ],
    ['a notarized record', { status: 'RECORDED' }, 'auto', []],
    ['a fulfilled record', { status: 'FULFILLED' }, 'principal', []],
    ['a remediated record', { status: 'REMEDIATED' }, 'principal', []],
    ['an expired record', { status: 'EXPIRED' }, 'principal', []],
    ['a cancelled record', { status: 'CANCELLED' }, 'principal', []],
    ['a rejected proposal', { status: 'REJECTED' }, 'principal', []],
  ])('from %s %o in mode %s are %j', (_name, members, gateMode, states) => {
    expect(validTransitions(stateOf({ ...members, gateMode }))).toEqual(states);
  });
});

describe('what a record allows', () => {
  it.each<[string, Partial<RecordState>, readonly string[]]>([
    [
      'an open one: its moves',
      ACTIVE,
      ['submit-completion', 'verify-cascade', 'delegate', 'cancel'],
    ],
    ['a final one: to be read', { status: 'REMEDIATED' }, ['view', 'export-audit']],
    [
      'a lost one: to be disputed',
      { status: 'FULFILLED', terminalAt: '2026-01-01T00:00:00.000Z' },
      ['view', 'export-audit', 'open-dispute'],
    ],
    [
      'a lost one after the last dispute',
      { status: 'FULFILLED', disputeCount: 3, maxDisputes: 3 },
      ['view', 'export-audit'],
    ],
    [
      'a disputed one: steps of the dispute',
      { status: 'FULFILLED', disputed: true },
      [
        'view',
        'export-audit',
        'submit-dispute-evidence',
        'escalate-dispute',
        'resolve-dispute',
        'withdraw-dispute',
      ],
    ],
    [
      'a proposal that went back and forth 10 times: no further round',
      { status: 'PROPOSED', proposalRounds: 10, awaiting: 'principal' },
      ['accept', 'reject', 'cancel'],
    ],
  ])('%s', (_title, members, actions) => {
    expect(allowedActions(stateOf({ childCount: 1, ...members }))).toEqual(actions);
  });

  it('drops open-dispute once its window is over, and escalate-dispute at the last tier', () => {
    const lost = stateOf({
      status: 'FULFILLED',
      terminalAt: '2026-01-01T00:00:00.000Z',
      disputeWindowSeconds: 60,
    });
    const may = (record: RecordState, now: string, tier: number | null = null) =>
      allowedActions(record, { now, tier, hasOpenChild: false });
    expect(may(lost, '2026-01-01T00:00:59.999Z')).toContain('open-dispute');
    expect(may(lost, '2026-01-01T00:01:00.000Z')).toEqual(['view', 'export-audit']);
    const disputed = { ...lost, disputed: true };
    expect(may(disputed, '2026-01-01T00:02:00.000Z', 2)).toContain('escalate-dispute');
    expect(may(disputed, '2026-01-01T00:02:00.000Z', 3)).toEqual([
      'view',
      'export-audit',
      'submit-dispute-evidence',
      'resolve-dispute',
      'withdraw-dispute',
    ]);
  });

  it('leaves out what only the service does', () => {
    for (const status of STATUSES)
      expect(allowedActions(stateOf({ status }))).not.toContain('expire');
  });
});

describe('a refusal for the state', () => {
  const pending = stateOf({ ...SUBMITTED, gateMode: 'principal' });

  it('tells the action, where it would have led, the state and what is allowed', () => {
    expect(wrongState('accept', pending)).toMatchObject({
      code: 'INVALID_ACTION',
      message:
        'A record that is ACTIVE with a completion that waits for its verdict does not allow accept.',
      members: {
        attemptedAction: 'accept',
        attemptedTransition: 'accept',
        attemptedState: 'ACTIVE',
        currentState: 'ACTIVE',
        validTransitions: validTransitions(pending),
        allowedActions: allowedActions(pending),
      },
    });
  });

  it('of an action that leaves the state names none that was tried', () => {
    expect(wrongState('delegate', pending).members).not.toHaveProperty('attemptedState');
  });

  it('of the wrong side names the sides that may', () => {
    const cancel = (LIFECYCLE as readonly Transition[]).filter(({ action }) => action === 'cancel');
    const proposed = stateOf({ status: 'PROPOSED', awaiting: 'performer' });
    expect(wrongSide('cancel', cancel, proposed)).toMatchObject({
      code: 'FORBIDDEN',
      members: { attemptedAction: 'cancel', allowedActors: ['principal', 'performer'] },
    });
    const accept = (LIFECYCLE as readonly Transition[]).filter(({ action }) => action === 'accept');
    expect(wrongSide('accept', accept, proposed).members).toMatchObject({
      allowedActors: ['performer'],
    });
  });
});
