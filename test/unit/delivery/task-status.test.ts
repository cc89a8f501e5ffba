import { describe, expect, it } from 'vitest';
import { TASK_EVENT_TYPES, taskStatusIn } from '../../../domain/delivery/task-status.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { lastPossibleChange } from '../../../domain/record/settlement.ts';
import type { EventType } from '../../../domain/event/event-types.ts';

const told = (type: EventType, data: JsonObject) => taskStatusIn({ type, data });

describe('the status of a task', () => {
  it('is told by the events of its record and of its disputes', () => {
    expect(told('record.fulfilled', { status: 'FULFILLED' })).toBe('FULFILLED');
    expect(told('cascading.verification.complete', { status: 'ACTIVE' })).toBe('ACTIVE');
    expect(told('dispute.resolved', { status: 'FAILED', outcome: 'OVERTURNED' })).toBe('FAILED');
  });

  it('is told once for a change, and by nothing else', () => {
    expect(told('signal.emitted', { outcome: 'FULFILLED' })).toBeNull();
    expect(told('record.reference_added', { status: 'ACTIVE' })).toBeNull();
    expect(told('signal.emitted', { outcome: 'FAILED', disputeId: 'd' })).toBeNull();
    expect(told('dispute.opened', { disputeId: 'd' })).toBeNull();
    expect(told('key.minted', { status: 'ACTIVE' })).toBeNull();
    expect(told('record.fulfilled', { status: 'constructor' })).toBeNull();
    expect(TASK_EVENT_TYPES).not.toContain('record.reference_added');
  });
});

describe('the last change that a record may meet', () => {
  const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000Z`;
  const record = {
    status: 'FULFILLED',
    latestCompletionId: 'c',
    cancelledBy: null,
    terminalAt: day(1),
    updatedAt: day(1),
    disputeWindowSeconds: 3 * 86_400,
    disputed: false,
    disputeCount: 0,
    maxDisputes: 1,
  } as const;

  it.each([
    ['its end, where nobody may dispute it', { status: 'REMEDIATED' }, day(1)],
    ['the end of the time in which it may be disputed', {}, day(4)],
    ['the end of its last dispute', { disputeCount: 1, updatedAt: day(3) }, day(3)],
    ['what came after that time', { updatedAt: day(9) }, day(9)],
    ['to come, while it runs', { status: 'ACTIVE' }, null],
    ['to come, while it is disputed', { disputed: true }, null],
  ] as const)('is %s', (_, changes, expected) => {
    expect(lastPossibleChange({ ...record, ...changes })).toBe(expected);
  });
});
