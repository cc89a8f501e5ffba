import { describe, expect, it } from 'vitest';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { validTransitions } from '../../../domain/record/refusal.ts';
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
      ['FULFILLED', 'FAILED', 'REVISION_REQUESTED', 'CANCELLED'],
    ],
    ['a revision', { status: 'REVISION_REQUESTED' }, 'principal', ['ACTIVE', 'CANCELLED']],
    ['a rejected completion', { status: 'FAILED' }, 'principal', ['REMEDIATED']],
    ['failed gates', { status: 'FAILED' }, 'auto', ['REMEDIATED']],
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
