import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../domain/identity/caller.ts';
import { guide, type DisputeActions } from '../../../domain/record/guidance.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { ACTIVE, adminOf, at, callerOf, id, stateOf, SUBMITTED } from './support.ts';

const NO_DISPUTE: DisputeActions = { valid: [], own: [] };
const stepsOf = (
  members: Partial<RecordState>,
  caller: Caller,
  disputing = NO_DISPUTE,
): readonly string[] =>
  guide(stateOf(members), caller, disputing).nextSteps.map(({ action }) => action);
const actionsOf = (
  members: Partial<RecordState>,
  caller: Caller,
  disputing = NO_DISPUTE,
): readonly string[] => guide(stateOf(members), caller, disputing).nextActions;

const principal = callerOf('principal');
const performer = callerOf('performer');
const PRINCIPAL_DECIDES = { gateMode: 'principal' } as const;
const PROPOSED = { status: 'PROPOSED', awaiting: 'performer' } as const;
const COUNTERED = {
  ...PROPOSED,
  awaiting: 'principal',
  counterProposal: {
    criteria: {},
    criteriaHash: '',
    message: null,
    proposedBy: { kind: 'agent' },
    proposedAt: at(1),
  },
} as const;

describe('the first step is the one to do', () => {
  it.each<[string, Partial<RecordState>, Caller, readonly string[]]>([
    [
      'a draft',
      { status: 'CREATED', awaiting: 'principal' },
      principal,
      ['activate', 'propose', 'cancel'],
    ],
    ['a proposal', PROPOSED, performer, ['accept', 'counter-propose', 'reject']],
    ['a proposal', PROPOSED, principal, ['view', 'cancel']],
    ['a counter-proposal', COUNTERED, principal, ['accept-counter', 'counter-propose', 'reject']],
    ['work to do', ACTIVE, performer, ['submit-completion', 'cancel']],
    ['work to do', ACTIVE, principal, ['view', 'cancel']],
    [
      'a completion',
      { ...SUBMITTED, ...PRINCIPAL_DECIDES },
      principal,
      ['render-verdict', 'revision', 'cancel'],
    ],
    ['a completion', { ...SUBMITTED, ...PRINCIPAL_DECIDES }, performer, ['view']],
    [
      'gates that were not evaluated',
      { ...SUBMITTED, awaiting: 'gate', gateMode: 'auto' },
      principal,
      ['evaluate', 'cancel'],
    ],
    [
      'a revision',
      { status: 'REVISION_REQUESTED', awaiting: 'performer' },
      performer,
      ['submit-completion', 'cancel'],
    ],
    ['an outcome', { status: 'FULFILLED', awaiting: null }, performer, ['view', 'export-audit']],
    [
      'a rejected completion',
      { ...PRINCIPAL_DECIDES, status: 'FAILED', awaiting: null },
      principal,
      ['view', 'render-verdict', 'export-audit'],
    ],
  ])('%s %o', (_title, members, caller, steps) => {
    expect(stepsOf(members, caller)).toEqual(steps);
  });

  it('comes with its place in the workflow, which a failed record has left', () => {
    const [submit] = guide(stateOf(ACTIVE), performer, NO_DISPUTE).nextSteps;
    expect(submit).toEqual({
      action: 'submit-completion',
      description: 'Deliver the work with its evidence',
      workflowStep: 3,
      workflowTotal: 4,
      workflowLabel: 'Deliver',
      afterThis: 'The completion is judged, by the principal or by the gates.',
    });
    const failed = stateOf({ ...PRINCIPAL_DECIDES, status: 'FAILED', awaiting: null });
    expect(guide(failed, principal, NO_DISPUTE).nextSteps.slice(0, 2)).toEqual([
      { action: 'view', description: 'Read the record' },
      {
        action: 'render-verdict',
        description: 'Override the rejection by accepting its completion',
      },
    ]);
  });
});

describe('actions that are valid for some side', () => {
  it('are named to both, less what the scopes of the key exclude', () => {
    const all = ['accept', 'counter-propose', 'reject', 'cancel'];
    expect(actionsOf(PROPOSED, principal)).toEqual(all);
    expect(actionsOf(PROPOSED, performer)).toEqual(all);
    expect(actionsOf(PROPOSED, callerOf('performer', ['completions:write']))).toEqual(
      all.slice(0, 3),
    );
    expect(actionsOf(PROPOSED, callerOf('performer', ['records:read']))).toEqual([]);
  });

  it('leave out what only the service or a decision on a dispute does', () => {
    expect(actionsOf(ACTIVE, principal)).not.toContain('expire');
    expect(actionsOf({ status: 'FULFILLED' }, principal)).toEqual([]);
  });

  it('leave out what a guard refuses', () => {
    const last = { ...SUBMITTED, ...PRINCIPAL_DECIDES, revisionCount: 2, maxRevisions: 2 };
    expect(actionsOf(last, principal)).toEqual(['render-verdict', 'cancel']);
    expect(actionsOf({ ...SUBMITTED, gateMode: 'auto', childCount: 1 }, principal)).not.toContain(
      'evaluate',
    );
  });

  it('name delegation only where the outcome depends on children', () => {
    expect(actionsOf({ ...ACTIVE, cascadeRule: 'none' }, performer)).not.toContain('delegate');
    expect(actionsOf({ ...ACTIVE, cascadeRule: 'all-fulfilled' }, performer)).toContain('delegate');
  });

  it('are those of the dispute alone while one is open', () => {
    const disputing: DisputeActions = {
      valid: ['withdraw-dispute', 'submit-dispute-evidence'],
      own: ['submit-dispute-evidence'],
    };
    const disputed = {
      ...PRINCIPAL_DECIDES,
      status: 'FAILED',
      disputed: true,
      openDisputeId: id(7),
    } as const;
    expect(actionsOf(disputed, principal, disputing)).toEqual([
      'submit-dispute-evidence',
      'withdraw-dispute',
    ]);
    expect(stepsOf(disputed, principal, disputing)).toEqual([
      'view',
      'submit-dispute-evidence',
      'export-audit',
    ]);
    expect(guide(stateOf(disputed), principal, disputing).suggestion).toContain(
      'Submit evidence to the dispute',
    );
  });
});

describe('the advice', () => {
  it.each<[Partial<RecordState>, Caller, string]>([
    [PROPOSED, principal, 'Wait for the performer.'],
    [ACTIVE, principal, 'Wait for the performer.'],
    [{ ...ACTIVE, awaiting: 'children' }, performer, 'Wait for the delegated records.'],
    [{ ...SUBMITTED, ...PRINCIPAL_DECIDES }, performer, 'Wait for the principal.'],
    [{ ...SUBMITTED, gateMode: 'auto', awaiting: 'gate' }, performer, 'Wait for the gates.'],
    [{ ...SUBMITTED, ...PRINCIPAL_DECIDES }, principal, 'Accept or reject the completion.'],
    [COUNTERED, principal, 'Accept the counter-proposal, answer it, or reject it.'],
  ])('on %o names whom to wait for, or what to do', (members, caller, suggestion) => {
    expect(guide(stateOf(members), caller, NO_DISPUTE).suggestion).toBe(suggestion);
  });

  it('tells a key without the scope to wait, on its own turn as well', () => {
    const members = { ...SUBMITTED, ...PRINCIPAL_DECIDES };
    expect(
      guide(stateOf(members), callerOf('principal', ['records:read']), NO_DISPUTE).suggestion,
    ).toBe('Wait for the principal.');
  });

  it('speaks to an admin as to the agents of its org', () => {
    expect(stepsOf(PROPOSED, adminOf('performer'))).toEqual([
      'accept',
      'counter-propose',
      'reject',
    ]);
  });

  it('offers the export to whoever may export', () => {
    const reader = callerOf('principal', ['records:read']);
    expect(stepsOf({ status: 'FULFILLED', awaiting: null }, reader)).toEqual(['view']);
  });
});

it('the step of a verdict names the completion that it is on', () => {
  const record = stateOf({ ...SUBMITTED, ...PRINCIPAL_DECIDES, latestCompletionId: id(77) });
  const [first, second] = guide(record, principal, NO_DISPUTE).nextSteps;
  expect(first).toMatchObject({ action: 'render-verdict', completionId: id(77) });
  expect(second).not.toHaveProperty('completionId');
});
