import { describe, expect, it } from 'vitest';
import { hashJson } from '../../../domain/kernel/digest.ts';
import type { Action } from '../../../domain/record/actions.ts';
import { MAX_CHILDREN } from '../../../domain/record/limits.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { RecordDraft } from '../../../domain/record/creation.ts';
import type { Guard, Transition } from '../../../domain/record/lifecycle.ts';
import { NotaryRecord } from '../../../domain/record/notary-record.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { actingOn, type Acting } from '../../../domain/record/sides.ts';
import {
  ACTIVE,
  adminOf,
  at,
  callerOf,
  draft,
  id,
  PERFORMER,
  PRINCIPAL,
  recordType,
  refusalOf,
  stateOf,
  SUBMITTED,
} from './support.ts';

const BY = { kind: 'agent', agentId: PERFORMER.agentId } as const;
const NOTARIZE = recordType({ completionSchema: {} });
const recordOf = (members: Partial<RecordState> = {}): NotaryRecord =>
  new NotaryRecord(stateOf({ gateMode: 'principal', ...members }));
const acting = (record: NotaryRecord, party: 'principal' | 'performer' | 'stranger'): Acting =>
  actingOn(callerOf(party), record.state);

describe('a new record', () => {
  it.each<[string, Partial<RecordDraft>, Partial<RecordState>, string]>([
    [
      'with a performer is proposed to it',
      {},
      { status: 'PROPOSED', awaiting: 'performer', performerAgentId: PERFORMER.agentId },
      'RECORD_PROPOSED',
    ],
    [
      'that its performer opens awaits the principal',
      { creator: 'performer' },
      { status: 'PROPOSED', awaiting: 'principal' },
      'RECORD_PROPOSED',
    ],
    [
      'without a performer is a draft of its principal',
      { performer: null },
      { status: 'CREATED', awaiting: 'principal', performerAgentId: null, activatedAt: null },
      'RECORD_CREATED',
    ],
    [
      'whose performer is the principal is a draft as well',
      { performer: PRINCIPAL },
      { status: 'CREATED', awaiting: 'principal', performerAgentId: PRINCIPAL.agentId },
      'RECORD_CREATED',
    ],
    [
      'that starts at once without a performer is performed by its principal',
      { performer: null, autoActivate: true },
      {
        status: 'ACTIVE',
        awaiting: 'performer',
        activatedAt: at(5),
        performerAgentId: PRINCIPAL.agentId,
        performerOrgId: PRINCIPAL.orgId,
      },
      'RECORD_CREATED',
    ],
    [
      'of a notarize-only type is final and has no deadline',
      { recordType: NOTARIZE, expiresAt: at(900) },
      { status: 'RECORDED', awaiting: null, terminalAt: at(5), expiresAt: null },
      'RECORD_RECORDED',
    ],
  ])('%s', (_title, members, expected, entry) => {
    const { before, after, transition } = NotaryRecord.create(draft(members), at(5));
    expect(before).toBeNull();
    expect(after).toMatchObject({ version: 1, createdAt: at(5), updatedAt: at(5), ...expected });
    expect(transition.entry).toBe(entry);
  });

  it('pins the manifest and the limits of its type', () => {
    const type = recordType({ maxRevisions: 7, maxDisputes: 4, disputeWindowSeconds: 77 });
    expect(NotaryRecord.create(draft({ recordType: type }), at(0)).after).toMatchObject({
      schema: { type: 't', version: 1, manifestDigest: type.manifestDigest },
      maxRevisions: 7,
      maxDisputes: 4,
      disputeWindowSeconds: 77,
    });
  });

  it('below another one belongs to its tree and ends with it at the latest', () => {
    const parent = stateOf({ id: id(9), depth: 2, expiresAt: at(50) });
    const create = (expiresAt: string | null): RecordState =>
      NotaryRecord.create(draft({ parent, expiresAt }), at(5)).after;
    expect(create(null)).toMatchObject({
      parentRecordId: id(9),
      rootRecordId: parent.rootRecordId,
      depth: 3,
      expiresAt: at(50),
    });
    expect(create(at(40)).expiresAt).toBe(at(40));
    expect(create(at(60)).expiresAt).toBe(at(50));
  });
});

describe('a transition is refused in the order side, dispute, state, guard', () => {
  const faulty = { ...SUBMITTED, childCount: 1, gateMode: 'principal' } as const;

  it('403 for the wrong side, whatever else is wrong', () => {
    const record = recordOf({ ...faulty, status: 'FULFILLED', disputed: true });
    const refusal = refusalOf(() =>
      record.transitionFor('render-verdict', acting(record, 'performer')),
    );
    expect(refusal.code).toBe('FORBIDDEN');
    expect(refusal.members).toMatchObject({
      attemptedAction: 'render-verdict',
      allowedActors: ['principal'],
    });
  });

  it('an open dispute comes before the state', () => {
    const record = recordOf({ status: 'FULFILLED', disputed: true, openDisputeId: id(7) });
    const refusal = refusalOf(() =>
      record.transitionFor('render-verdict', acting(record, 'principal')),
    );
    expect(refusal.members).toMatchObject({ reason: 'record_disputed', openDisputeId: id(7) });
  });

  it('the state comes before a guard', () => {
    const record = recordOf({ ...ACTIVE, gateMode: 'auto' });
    const refusal = refusalOf(() =>
      record.transitionFor('render-verdict', acting(record, 'principal')),
    );
    expect(refusal.code).toBe('INVALID_ACTION');
  });

  it.each<[Action, Partial<RecordState>, Guard, 'named' | 'unnamed']>([
    ['render-verdict', { ...SUBMITTED, gateMode: 'auto' }, 'mode_not_principal', 'named'],
    ['revision', { ...SUBMITTED, gateMode: 'auto' }, 'mode_not_principal', 'named'],
    ['revision', { ...SUBMITTED, revisionCount: 3, maxRevisions: 3 }, 'max-revisions', 'unnamed'],
    ['evaluate', SUBMITTED, 'mode_not_auto', 'named'],
    [
      'evaluate',
      { ...SUBMITTED, gateMode: 'auto', childCount: 1 },
      'has_children_leaf_only',
      'named',
    ],
    ['verify-cascade', { ...ACTIVE, parentRecordId: id(9) }, 'leaf_record', 'named'],
    ['verify-cascade', ACTIVE, 'no_children', 'named'],
    [
      'verify-cascade',
      { ...ACTIVE, childCount: 1, awaiting: 'children' },
      'children_not_terminal',
      'named',
    ],
  ])('%s on %o meets the guard %s, %s', (action, members, guard, isNamed) => {
    const record = recordOf(members);
    const refusal = refusalOf(() => record.transitionFor(action, acting(record, 'principal')));
    expect(refusal.code).toBe('UNPROCESSABLE_STATE');
    if (isNamed === 'named') expect(refusal.members).toMatchObject({ reason: guard });
    else expect(refusal.members).not.toHaveProperty('reason');
    expect(refusal.members).toMatchObject({ currentState: record.state.status });
  });

  it('a cancellation passes with open children: it may take them along', () => {
    const record = recordOf({ ...ACTIVE, childCount: 1, awaiting: 'children' });
    const passed = record.transitionFor('cancel', acting(record, 'principal'));
    expect(passed.to).toEqual(['CANCELLED']);
  });

  it('the awaited side answers a proposal and the other one withdraws it', () => {
    const record = recordOf({ status: 'PROPOSED', awaiting: 'principal' });
    const may = (action: Action, party: 'principal' | 'performer'): boolean => {
      try {
        return !!record.transitionFor(action, acting(record, party));
      } catch {
        return false;
      }
    };
    expect(
      ['accept', 'reject', 'counter-propose', 'cancel'].map((a) => may(a as Action, 'principal')),
    ).toEqual([true, true, true, false]);
    expect(
      ['accept', 'reject', 'counter-propose', 'cancel'].map((a) => may(a as Action, 'performer')),
    ).toEqual([false, false, false, true]);
  });

  it('an admin evaluates for its org; an agent of the other side does not', () => {
    const record = recordOf({ ...SUBMITTED, gateMode: 'auto' });
    expect(
      record.transitionFor('evaluate', actingOn(adminOf('performer'), record.state)),
    ).toMatchObject({ action: 'evaluate' });
    expect(
      refusalOf(() => record.transitionFor('evaluate', acting(record, 'performer'))).code,
    ).toBe('FORBIDDEN');
  });
});

describe('every change', () => {
  const start = recordOf({
    status: 'CREATED',
    awaiting: 'principal',
    performerAgentId: null,
    performerOrgId: null,
    version: 4,
  });

  it('makes the next version of the record and leaves the old state alone', () => {
    const before = structuredClone(start.state);
    const transition = start.transitionFor('activate', acting(start, 'principal'));
    const change = start.activate(transition, at(9));
    expect(change.after).toMatchObject({ version: 5, updatedAt: at(9), createdAt: at(0) });
    expect(change.before).toBe(start.state);
    expect(start.state).toEqual(before);
  });

  it('activation without a performer makes the principal perform', () => {
    const transition = start.transitionFor('activate', acting(start, 'principal'));
    expect(start.activate(transition, at(9)).after).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'performer',
      performerAgentId: PRINCIPAL.agentId,
      activatedAt: at(9),
    });
  });

  it('a record is offered to somebody else, and not to its own principal', () => {
    const transition = start.transitionFor('propose', acting(start, 'principal'));
    expect(start.propose(transition, PERFORMER, at(9)).after).toMatchObject({
      status: 'PROPOSED',
      awaiting: 'performer',
      performerAgentId: PERFORMER.agentId,
      performerOrgId: PERFORMER.orgId,
    });
    expect(refusalOf(() => start.propose(transition, PRINCIPAL, at(9))).code).toBe(
      'UNPROCESSABLE_STATE',
    );
  });
});

describe('a proposal', () => {
  const proposed = recordOf({ status: 'PROPOSED', awaiting: 'performer' });
  const counter = { criteria: { of: 'the performer' }, message: null, by: BY };
  const take = (record: NotaryRecord, action: Action, party: 'principal' | 'performer') =>
    record.transitionFor(action, acting(record, party));

  it('that is answered with other criteria awaits the other side, round after round', () => {
    const { after, eventData } = proposed.counterPropose(
      take(proposed, 'counter-propose', 'performer'),
      counter,
      at(1),
    );
    expect(after).toMatchObject({
      status: 'PROPOSED',
      awaiting: 'principal',
      proposalRounds: 1,
      criteria: { of: 'the principal' },
      counterProposal: { criteria: counter.criteria, criteriaHash: hashJson(counter.criteria) },
    });
    expect(eventData).toMatchObject({ round: 1, awaiting: 'principal' });
    const next = new NotaryRecord(after);
    expect(
      next.counterPropose(take(next, 'counter-propose', 'principal'), counter, at(2)).after,
    ).toMatchObject({ awaiting: 'performer', proposalRounds: 2 });
  });

  it('goes back and forth ten times and no more', () => {
    const round = (proposalRounds: number): number => {
      const record = recordOf({ ...proposed.state, proposalRounds });
      const transition = take(record, 'counter-propose', 'performer');
      return record.counterPropose(transition, counter, at(1)).after.proposalRounds;
    };
    expect(round(9)).toBe(10);
    expect(refusalOf(() => round(10)).code).toBe('UNPROCESSABLE_STATE');
  });

  it('is accepted as it stands: the counter-proposal takes the place of the criteria', () => {
    const { after } = proposed.counterPropose(
      take(proposed, 'counter-propose', 'performer'),
      counter,
      at(1),
    );
    const record = new NotaryRecord(after);
    const accepted = record.accept(take(record, 'accept-counter', 'principal'), null, at(2));
    expect(accepted.transition.entry).toBe('COUNTER_ACCEPTED');
    expect(accepted.after).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'performer',
      criteria: counter.criteria,
      criteriaHash: hashJson(counter.criteria),
      counterProposal: null,
      activatedAt: at(2),
    });
  });

  it('is not accepted by the hash of criteria that are not on the table', () => {
    const transition = take(proposed, 'accept', 'performer');
    const { criteriaHash } = proposed.state;
    expect(proposed.accept(transition, criteriaHash, at(1)).after.status).toBe('ACTIVE');
    const refusal = refusalOf(() => proposed.accept(transition, 'f'.repeat(64), at(1)));
    expect(refusal).toMatchObject({
      code: 'UNPROCESSABLE',
      members: { errors: [{ path: '/criteriaHash' }] },
    });
  });

  it('that is turned down is final, and the reason is sealed where there is one', () => {
    const transition = take(proposed, 'reject', 'performer');
    expect(proposed.reject(transition, 'too dear', at(3))).toMatchObject({
      after: { status: 'REJECTED', awaiting: null, terminalAt: at(3) },
      sealed: { reason: 'too dear' },
    });
    expect(proposed.reject(transition, null, at(3)).sealed).toEqual({});
  });
});

describe('a completion', () => {
  const active = recordOf({ ...ACTIVE, expiresAt: at(100), verdictWindowSeconds: 3600 });
  const evidence = { done: true };
  const submission = { id: id(200), evidence, by: BY, position: 3 };
  const submit = (record: NotaryRecord) =>
    record.submit(
      record.transitionFor('submit-completion', acting(record, 'performer')),
      submission,
      null,
      at(10),
    );
  const gate = (state: 'PASSED' | 'FAILED') => ({
    state,
    results: [
      { gateId: 'g1', outcome: state === 'PASSED' ? 'pass' : 'fail', severity: 'block' },
      { gateId: 'g2', outcome: 'fail', severity: 'warn' },
    ].map((result) => ({
      ...result,
      description: '',
      expression: '',
      inputsDigest: '',
      detail: null,
    })) as Completion['gate']['results'],
    claim: { state, now: at(10), inputsDigest: '', results: [] },
  });

  it('waits for the principal, or for the gates, and leaves time for a verdict', () => {
    expect(submit(active)).toMatchObject({
      after: {
        awaiting: 'principal',
        completionPending: true,
        latestCompletionId: id(200),
        latestEvidenceHash: hashJson(evidence),
        expiresAt: at(10 + 3600),
      },
      completion: { revision: 1, gate: { state: 'PENDING' }, verdict: null, entryPosition: 3 },
    });
    const auto = recordOf({ ...active.state, gateMode: 'auto', expiresAt: at(99_999) });
    expect(submit(auto).after).toMatchObject({ awaiting: 'gate', expiresAt: at(99_999) });
  });

  it('waits while delegated records are open', () => {
    const record = recordOf({ ...ACTIVE, childCount: 1, awaiting: 'children' });
    expect(refusalOf(() => submit(record)).members).toMatchObject({
      reason: 'children_not_terminal',
    });
  });

  it.each(['PASSED', 'FAILED'] as const)('is decided by its gates in auto mode: %s', (state) => {
    const record = recordOf({ ...SUBMITTED, gateMode: 'auto' });
    const completion = submit(active).completion!;
    const change = record.evaluate(completion, gate(state), at(20));
    expect(change).toMatchObject({
      after: {
        status: state === 'PASSED' ? 'FULFILLED' : 'FAILED',
        terminalAt: at(20),
        completionPending: false,
      },
      completion: { gate: { state, evaluatedAt: at(20) } },
      eventData: { reason: state === 'PASSED' ? null : 'failed gates: g1' },
    });
  });

  it('is not decided by gates that only advise', () => {
    const refusal = refusalOf(() =>
      recordOf(SUBMITTED).evaluate(submit(active).completion!, gate('PASSED'), at(20)),
    );
    expect(refusal.members).toMatchObject({ reason: 'mode_not_auto' });
  });

  it.each([
    ['accept', SUBMITTED, 'FULFILLED'],
    ['reject', SUBMITTED, 'FAILED'],
    ['accept', { ...SUBMITTED, status: 'FAILED', completionPending: false }, 'REMEDIATED'],
  ] as const)('gets the verdict %s on %o: %s', (verdict, members, status) => {
    const record = recordOf(members);
    const transition = record.transitionFor(
      'render-verdict',
      acting(record, 'principal'),
      verdict === 'accept' ? ['FULFILLED', 'REMEDIATED'] : ['FAILED'],
    );
    const given = { verdict, reason: 'because', by: BY };
    expect(
      record.renderVerdict(transition, submit(active).completion!, given, at(30)),
    ).toMatchObject({
      after: { status, terminalAt: at(30), completionPending: false },
      completion: { verdict: { verdict, reason: 'because', renderedAt: at(30) } },
      sealed: { verdict, reason: 'because' },
    });
  });

  it('is judged only if it is the latest', () => {
    const record = recordOf(SUBMITTED);
    expect(() => record.assertLatest(id(200))).not.toThrow();
    expect(refusalOf(() => record.assertLatest(id(201)))).toMatchObject({ code: 'UNPROCESSABLE' });
  });

  it('that is sent back leaves a day at least to revise it', () => {
    const revise = (expiresAt: string | null): string | null => {
      const record = recordOf({ ...SUBMITTED, expiresAt });
      const transition: Transition = record.transitionFor('revision', acting(record, 'principal'));
      const { after } = record.requestRevision(transition, null, at(0));
      expect(after).toMatchObject({
        status: 'REVISION_REQUESTED',
        awaiting: 'performer',
        completionPending: false,
        revisionCount: 1,
      });
      return after.expiresAt;
    };
    expect([at(60), at(100_000), null].map(revise)).toEqual([at(86_400), at(100_000), null]);
  });
});

describe('an end', () => {
  it('by cancellation says which side cancelled, and why', () => {
    const record = recordOf(ACTIVE);
    const transition = record.transitionFor('cancel', acting(record, 'performer'));
    expect(record.cancel(transition, 'performer', 'no time', at(5))).toMatchObject({
      after: { status: 'CANCELLED', cancelledBy: 'performer', terminalAt: at(5) },
      sealed: { cancelledBy: 'performer', reason: 'no time' },
    });
    expect(recordOf(ACTIVE).cancelWithParent(at(5))).toMatchObject({
      sealed: { cancelledBy: 'principal', reason: 'parent_cancelled' },
    });
  });

  it('is not cancelled with the parent a second time', () => {
    expect(refusalOf(() => recordOf({ status: 'FULFILLED' }).cancelWithParent(at(5))).code).toBe(
      'INVALID_ACTION',
    );
  });

  it('by expiry is for the service alone', () => {
    const record = recordOf(SUBMITTED);
    expect(refusalOf(() => record.transitionFor('expire', acting(record, 'principal'))).code).toBe(
      'FORBIDDEN',
    );
    const transition = record.transitionFor('expire', 'system');
    expect(record.expire(transition, at(5)).after).toMatchObject({
      status: 'EXPIRED',
      completionPending: false,
    });
  });

  it.each([
    ['the millisecond before its deadline', ACTIVE, { expiresAt: at(10) }, -1, false],
    ['at its deadline', ACTIVE, { expiresAt: at(10) }, 0, true],
    ['without a deadline', ACTIVE, { expiresAt: null }, 0, false],
    ['final, by its expiry', { status: 'FULFILLED' }, { expiresAt: at(10) }, 0, false],
    ['final, by a hold that ends', { status: 'FULFILLED' }, { disputeDeadline: at(10) }, 0, true],
  ] as const)('is due %s: %o %o', (_title, members, deadline, ms, isDue) => {
    const now = new Date(Date.parse(at(10)) + ms);
    expect(recordOf({ ...members, ...deadline }).isDue(now)).toBe(isDue);
  });
});

describe('delegation', () => {
  const child = (status: RecordState['status']) => ({
    record: stateOf({ id: id(300), status, activatedAt: at(1), depth: 1 }),
    headHash: 'a'.repeat(64),
  });
  const parent = recordOf({ ...ACTIVE, cascadeRule: 'all-fulfilled' });
  const transition = parent.transitionFor('delegate', acting(parent, 'performer'));

  it.each([
    ['all-fulfilled', 'ACTIVE', 'children'],
    ['all-fulfilled', 'RECORDED', 'performer'],
    ['none', 'ACTIVE', 'performer'],
  ] as const)(
    'under the rule %s of a child that is %s awaits %s',
    (cascadeRule, status, awaiting) => {
      const record = recordOf({ ...parent.state, cascadeRule });
      expect(record.delegate(transition, child(status), at(5))).toMatchObject({
        after: { childCount: 1, awaiting, status: 'ACTIVE' },
        sealed: { children: [{ id: id(300), status, headHash: 'a'.repeat(64) }] },
      });
    },
  );

  it('ends at the depth limit', () => {
    const may = (depth: number) => () => recordOf({ ...ACTIVE, depth }).assertCanDelegate(3);
    expect(may(2)).not.toThrow();
    expect(refusalOf(may(3)).code).toBe('UNPROCESSABLE_STATE');
  });

  it('ends at the limit of children', () => {
    const of = (childCount: number) => () => {
      const record = recordOf({ ...ACTIVE, childCount });
      record.transitionFor('delegate', acting(record, 'performer'));
    };
    expect(of(MAX_CHILDREN - 1)).not.toThrow();
    const { code, members } = refusalOf(of(MAX_CHILDREN));
    expect(code).toBe('UNPROCESSABLE_STATE');
    expect(members.allowedActions).not.toContain('delegate');
  });

  it('counts open children where they prevent something', () => {
    expect(() => parent.assertChildrenEnded([child('FULFILLED')])).not.toThrow();
    expect(
      refusalOf(() => parent.assertChildrenEnded([child('FULFILLED'), child('ACTIVE')])),
    ).toMatchObject({
      message: '1 of the 2 delegated records is still open.',
      members: { reason: 'children_not_terminal' },
    });
  });

  it('gives the work back to the performer once the children have ended', () => {
    const waiting = recordOf({ ...parent.state, childCount: 2, awaiting: 'children' });
    const change = waiting.childrenEnded(
      { rule: 'all-fulfilled' },
      [child('FULFILLED'), child('FAILED')],
      at(5),
    );
    expect(change).toMatchObject({
      transition: { entry: 'CASCADE_VERIFIED' },
      after: { awaiting: 'performer', status: 'ACTIVE' },
      eventData: { satisfied: false, counted: 2, fulfilled: 1 },
    });
  });
});

describe('a reference', () => {
  const target = {
    id: id(400),
    kind: 'invoice',
    uri: 'https://x.test/1',
    digest: null,
    label: null,
    by: BY,
  };

  it('is added in any state, an open dispute included, and moves nothing', () => {
    const record = recordOf({ status: 'FAILED', disputed: true });
    const { after, reference } = record.addReference(acting(record, 'performer'), target, at(5));
    expect(after).toMatchObject({ status: 'FAILED', disputed: true, references: [reference] });
    expect(reference).toMatchObject({ id: id(400), addedBy: BY, addedAt: at(5) });
  });

  it('is refused to a stranger, and beyond 32', () => {
    const record = recordOf(ACTIVE);
    const add = (one: NotaryRecord, party: 'performer' | 'stranger') => () =>
      one.addReference(acting(one, party), target, at(5));
    expect(refusalOf(add(record, 'stranger')).code).toBe('FORBIDDEN');
    const { reference } = add(record, 'performer')();
    const full = recordOf({ ...ACTIVE, references: Array(32).fill(reference) });
    expect(refusalOf(add(full, 'performer')).code).toBe('UNPROCESSABLE');
  });
});
