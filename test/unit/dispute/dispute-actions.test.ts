import { describe, expect, it } from 'vitest';
import type { Dispute } from '../../../domain/dispute/dispute.ts';
import { disputeActions } from '../../../domain/dispute/dispute-actions.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { adminOf, at, callerOf } from '../record/support.ts';
import { disputed, failed } from './support.ts';

const performer = callerOf('performer');
const principal = callerOf('principal');
const NONE = { valid: [], own: [] };
const STEPS = ['submit-dispute-evidence', 'escalate-dispute'];

describe('before a dispute', () => {
  it('opening one is valid within the window, and for the side that lost to do', () => {
    expect(disputeActions(failed(), null, performer, at(149))).toEqual({
      valid: ['open-dispute'],
      own: ['open-dispute'],
    });
    expect(disputeActions(failed(), null, principal, at(149))).toEqual({
      valid: ['open-dispute'],
      own: [],
    });
    expect(disputeActions(failed(), null, performer, at(150))).toEqual(NONE);
  });

  it('nothing is named to a key without disputes:write', () => {
    expect(
      disputeActions(failed(), null, callerOf('performer', ['disputes:read']), at(110)),
    ).toEqual(NONE);
  });
});

describe('while a dispute is open', () => {
  const { record, dispute } = disputed();
  const own = (caller: Caller, members: Partial<Dispute> = {}): readonly string[] =>
    disputeActions(record, { ...dispute, ...members }, caller, at(120)).own;

  it.each<[string, Caller, Partial<Dispute>, readonly string[]]>([
    ['its initiator withdraws and decides nothing', performer, {}, [...STEPS, 'withdraw-dispute']],
    ['the other side concedes', principal, {}, [...STEPS, 'resolve-dispute']],
    [
      'the other side concedes in the last tier as well',
      principal,
      { phase: 'TIER_3_ARBITRATION', tier: 3 },
      ['submit-dispute-evidence', 'resolve-dispute'],
    ],
    [
      'an admin of the disputing side withdraws',
      adminOf('performer'),
      {},
      [...STEPS, 'withdraw-dispute'],
    ],
    [
      'an admin of the principal decides',
      adminOf('principal'),
      { phase: 'TIER_2_REVIEW', tier: 2 },
      [...STEPS, 'resolve-dispute'],
    ],
  ])('%s', (_title, caller, members, actions) => {
    expect(own(caller, members)).toEqual(actions);
  });

  it('deciding takes disputes:manage, conceding does not', () => {
    const platform: Caller = { ...callerOf('stranger', ['disputes:write']), role: 'platform' };
    expect(own(platform)).not.toContain('resolve-dispute');
    const decider: Caller = { ...callerOf('stranger', ['disputes:manage']), role: 'platform' };
    expect(own(decider)).toContain('resolve-dispute');
  });

  it('all sides are told what is valid for some side', () => {
    const { valid } = disputeActions(record, dispute, principal, at(120));
    expect(valid).toEqual([...STEPS, 'resolve-dispute', 'withdraw-dispute']);
  });

  it('what depends on the dispute is left out where it is not at hand', () => {
    expect(disputeActions(record, null, performer, at(120))).toEqual({
      valid: ['submit-dispute-evidence', 'resolve-dispute', 'withdraw-dispute'],
      own: ['submit-dispute-evidence'],
    });
  });
});
