import { expect, it } from 'vitest';
import { ApplyDeadlines } from '../../../application/record/apply-deadlines.ts';
import type { DeadlineRule } from '../../../application/record/deadline-rule.ts';
import { LargeContents } from '../../../application/record/large-contents.ts';
import { NotaryRecord } from '../../../domain/record/notary-record.ts';
import { stateOf } from './support.ts';

const record = new NotaryRecord(stateOf());
const now = new Date('2026-01-02T03:04:05.000Z');

/** A rule that is due as often as told. */
const rule = (name: string, times: number, told: string[]): DeadlineRule => {
  let left = times;
  return {
    isDue: () => left > 0,
    apply: async (_held, requestId) => {
      left -= 1;
      told.push(`${name} in ${requestId}`);
    },
  };
};

const deadlines = (rules: readonly DeadlineRule[], units: { count: number }): ApplyDeadlines =>
  new ApplyDeadlines(
    {
      transaction: (work) => {
        units.count += 1;
        return work({} as never);
      },
    },
    {
      row: async () => ({ record, now }),
      prove: async (stores: unknown) => ({ stores }),
    } as never,
    new LargeContents({} as never),
    rules,
  );

it('applies the first rule that is due, in a unit of work of its own, until none is', async () => {
  const told: string[] = [];
  const units = { count: 0 };
  const rules = [rule('expiry', 1, told), rule('phase', 2, told)];
  await deadlines(rules, units).to(record.state.id, { requestId: 'r1' });
  expect(told).toEqual(['expiry in r1', 'phase in r1', 'phase in r1']);
  expect(units.count).toBe(4);
});

it('says whether any rule is due', () => {
  const units = { count: 0 };
  expect(deadlines([rule('a', 0, []), rule('b', 1, [])], units).areDue(record, now)).toBe(true);
  expect(deadlines([rule('a', 0, [])], units).areDue(record, now)).toBe(false);
});
