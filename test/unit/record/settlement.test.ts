import { describe, expect, it } from 'vitest';
import { ADD_REFERENCE, DISPUTE_STEPS, LIFECYCLE } from '../../../domain/record/lifecycle.ts';
import type { Transition } from '../../../domain/record/lifecycle.ts';
import { changeOf } from '../../../domain/record/record-change.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { STATUSES, type RecordStatus } from '../../../domain/record/record-status.ts';
import {
  disputableUntil,
  isDisputable,
  losingSide,
  mayRecommend,
  recommendationAfter,
  signalled,
  type Recommendation,
} from '../../../domain/record/settlement.ts';
import { ACTIVE, at, id, stateOf, SUBMITTED } from './support.ts';

const DELIVERED = { latestCompletionId: id(200) } as const;
const ended = (status: RecordStatus, members: Partial<RecordState> = {}): RecordState =>
  stateOf({
    status,
    terminalAt: at(100),
    updatedAt: at(100),
    disputeWindowSeconds: 50,
    maxDisputes: 2,
    ...members,
  });

describe('the side that lost', () => {
  it.each<[RecordStatus, Partial<RecordState>, 'principal' | 'performer' | null]>([
    ['FULFILLED', {}, 'principal'],
    ['FAILED', {}, 'performer'],
    ['EXPIRED', DELIVERED, 'performer'],
    ['EXPIRED', {}, null],
    ['CANCELLED', { ...DELIVERED, cancelledBy: 'principal' }, 'performer'],
    ['CANCELLED', { ...DELIVERED, cancelledBy: 'performer' }, null],
    ['CANCELLED', { cancelledBy: 'principal' }, null],
    ['RECORDED', DELIVERED, null],
    ['REMEDIATED', DELIVERED, null],
    ['REJECTED', {}, null],
    ['ACTIVE', DELIVERED, null],
  ])('of %s %o is %s', (status, members, side) => {
    expect(losingSide(ended(status, members))).toBe(side);
  });
});

describe('an outcome can be disputed', () => {
  it.each<[string, Partial<RecordState>, string, boolean]>([
    ['before the window ends', {}, at(149), true],
    ['not at its end', {}, at(150), false],
    ['not while a dispute is open', { disputed: true }, at(110), false],
    ['again after one dispute of two', { disputeCount: 1 }, at(110), true],
    ['not beyond the limit', { disputeCount: 2 }, at(110), false],
  ])('%s', (_title, members, now, expected) => {
    expect(isDisputable(ended('FAILED', members), now)).toBe(expected);
  });

  it('never, if nobody lost', () => {
    expect(disputableUntil(ended('REMEDIATED'))).toBeNull();
    expect(isDisputable(ended('REMEDIATED'), at(110))).toBe(false);
  });
});

const transitionTo = (action: string, to: RecordStatus): Transition =>
  (LIFECYCLE as readonly Transition[]).find((one) => one.action === action && one.to.includes(to))!;

describe('what a change recommends', () => {
  it.each<[string, Partial<RecordState>, Transition, Partial<RecordState>, Recommendation | null]>([
    [
      'an accepted completion',
      SUBMITTED,
      transitionTo('render-verdict', 'FULFILLED'),
      { status: 'FULFILLED' },
      'SETTLE',
    ],
    [
      'an overridden rejection',
      { status: 'FAILED' },
      transitionTo('render-verdict', 'REMEDIATED'),
      { status: 'REMEDIATED' },
      'SETTLE',
    ],
    [
      'a rejected completion, while it can be disputed',
      SUBMITTED,
      transitionTo('render-verdict', 'FAILED'),
      { status: 'FAILED' },
      'HOLD',
    ],
    [
      'a rejected completion that cannot be disputed',
      { ...SUBMITTED, maxDisputes: 0 },
      transitionTo('render-verdict', 'FAILED'),
      { status: 'FAILED' },
      'RELEASE',
    ],
    [
      'a rejected completion without a window',
      { ...SUBMITTED, disputeWindowSeconds: 0 },
      transitionTo('evaluate', 'FAILED'),
      { status: 'FAILED' },
      'RELEASE',
    ],
    [
      'work cancelled by the principal after a delivery',
      SUBMITTED,
      transitionTo('cancel', 'CANCELLED'),
      { status: 'CANCELLED', cancelledBy: 'principal' },
      'HOLD',
    ],
    [
      'work cancelled by the performer',
      SUBMITTED,
      transitionTo('cancel', 'CANCELLED'),
      { status: 'CANCELLED', cancelledBy: 'performer' },
      'RELEASE',
    ],
    [
      'work that expires without a delivery',
      ACTIVE,
      transitionTo('expire', 'EXPIRED'),
      { status: 'EXPIRED' },
      'RELEASE',
    ],
    [
      'work that expires after a delivery',
      SUBMITTED,
      transitionTo('expire', 'EXPIRED'),
      { status: 'EXPIRED' },
      'HOLD',
    ],
    [
      'a cancelled draft',
      { status: 'CREATED' },
      transitionTo('cancel', 'CANCELLED'),
      { status: 'CANCELLED', cancelledBy: 'principal' },
      null,
    ],
    [
      'a rejected proposal',
      { status: 'PROPOSED' },
      transitionTo('reject', 'REJECTED'),
      { status: 'REJECTED' },
      null,
    ],
    [
      'a submission',
      ACTIVE,
      transitionTo('submit-completion', 'ACTIVE'),
      { completionPending: true },
      null,
    ],
    ['a reference on an ended record', { status: 'FULFILLED' }, ADD_REFERENCE, {}, null],
    ['an opened dispute', { status: 'FULFILLED' }, DISPUTE_STEPS.open, { disputed: true }, 'HOLD'],
    ['evidence', { status: 'FULFILLED', disputed: true }, DISPUTE_STEPS.submitEvidence, {}, null],
    ['an escalation', { status: 'FULFILLED', disputed: true }, DISPUTE_STEPS.escalate, {}, null],
    [
      'an upheld acceptance',
      { status: 'FULFILLED', disputed: true },
      DISPUTE_STEPS.uphold,
      { disputed: false },
      'SETTLE',
    ],
    [
      'an upheld rejection, even within the window',
      { status: 'FAILED', disputed: true },
      DISPUTE_STEPS.uphold,
      { disputed: false },
      'RELEASE',
    ],
    [
      'an overturned acceptance',
      { status: 'FULFILLED', disputed: true },
      transitionTo('resolve-dispute', 'FAILED'),
      { status: 'FAILED', disputed: false },
      'RELEASE',
    ],
    [
      'an overturned rejection',
      { status: 'FAILED', disputed: true },
      transitionTo('resolve-dispute', 'REMEDIATED'),
      { status: 'REMEDIATED', disputed: false },
      'SETTLE',
    ],
    [
      'a dispute of the principal that is withdrawn',
      { status: 'FULFILLED', disputed: true },
      DISPUTE_STEPS.withdraw,
      { disputed: false },
      'SETTLE',
    ],
    [
      'a dispute of the performer that is withdrawn, with another one left',
      { status: 'FAILED', disputed: true, disputeCount: 1, maxDisputes: 2 },
      DISPUTE_STEPS.withdraw,
      { disputed: false },
      'HOLD',
    ],
    [
      'the last dispute of the performer, withdrawn',
      { status: 'FAILED', disputed: true, disputeCount: 2, maxDisputes: 2 },
      DISPUTE_STEPS.withdraw,
      { disputed: false },
      'RELEASE',
    ],
  ])('%s', (_title, members, transition, next, recommendation) => {
    const before = stateOf({
      disputeWindowSeconds: 50,
      maxDisputes: 2,
      terminalAt: at(100),
      ...members,
    });
    const change = changeOf(before, transition, at(100), next, { sealed: {}, eventData: {} });
    expect(recommendationAfter(change)).toBe(recommendation);
  });

  it('is nothing for a new record, be it final', () => {
    const after = ended('RECORDED');
    const transition = transitionTo('create', 'RECORDED');
    expect(
      recommendationAfter({ transition, before: null, after, sealed: {}, eventData: {} }),
    ).toBeNull();
  });
});

describe('a signal', () => {
  it('supersedes the one before it', () => {
    const { record, signal } = signalled(
      ended('FULFILLED', { latestSignalId: id(7) }),
      'SETTLE',
      id(8),
      null,
    );
    expect(record.latestSignalId).toBe(id(8));
    expect(signal).toEqual({
      signalId: id(8),
      supersedes: id(7),
      recommendation: 'SETTLE',
      disputeId: null,
    });
  });

  it.each<[Recommendation, Partial<RecordState>, string | null]>([
    ['HOLD', {}, at(150)],
    ['RELEASE', { disputeDeadline: at(150) }, null],
    ['SETTLE', { disputeDeadline: at(150) }, null],
    ['HOLD', { disputed: true, disputeDeadline: at(400) }, at(400)],
  ])('%s on %o leaves the deadline %s', (recommendation, members, deadline) => {
    const { record } = signalled(ended('FAILED', members), recommendation, id(8), null);
    expect(record.disputeDeadline).toBe(deadline);
  });
});

describe('what a chain may recommend', () => {
  const CAN: { readonly [status in RecordStatus]?: readonly Recommendation[] } = {
    FULFILLED: ['SETTLE'],
    REMEDIATED: ['SETTLE'],
    FAILED: ['HOLD', 'RELEASE'],
    EXPIRED: ['HOLD', 'RELEASE'],
    CANCELLED: ['HOLD', 'RELEASE'],
  };
  it.each(STATUSES)('after %s', (status) => {
    for (const recommendation of ['SETTLE', 'HOLD', 'RELEASE'] as const) {
      expect(mayRecommend(status, recommendation, false)).toBe(
        CAN[status]?.includes(recommendation) ?? false,
      );
      expect(mayRecommend(status, recommendation, true)).toBe(recommendation === 'HOLD');
    }
  });
});
