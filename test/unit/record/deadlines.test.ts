import { describe, expect, it } from 'vitest';
import { passedDeadline } from '../../../domain/record/deadlines.ts';
import { stateOf } from './support.ts';

const TIME = '2026-01-02T03:04:05.000Z';
const OPEN = { status: 'ACTIVE', expiresAt: TIME } as const;
const HELD = { status: 'FAILED', disputeDeadline: TIME } as const;
const DISPUTED = { ...HELD, disputed: true } as const;

describe('the deadline of a record that has passed', () => {
  it.each([
    ['expiry', 'while it is open', OPEN],
    ['hold', 'once it has ended', HELD],
    ['dispute-phase', 'while its outcome is disputed', DISPUTED],
  ] as const)('is %s %s, from the millisecond of the deadline on', (deadline, _when, members) => {
    const record = stateOf(members);
    expect(passedDeadline(record, new Date(TIME))).toBe(deadline);
    expect(passedDeadline(record, new Date(Date.parse(TIME) - 1))).toBeNull();
  });

  it.each([
    ['an open record', { ...OPEN, expiresAt: null, disputeDeadline: TIME }],
    ['one that ended', { ...HELD, expiresAt: TIME, disputeDeadline: null }],
  ] as const)('is none on %s whose running deadline is not set', (_title, members) => {
    expect(passedDeadline(stateOf(members), new Date('2030-01-01'))).toBeNull();
  });
});
