import { expect, it } from 'vitest';
import { Sums, type Sum } from '../../../application/ports/sums.ts';

const BASE = { type: 'auth.refused', orgId: null, partyAgentId: null, agentId: null } as const;
const LIMIT = { limit: 3, rest: { ...BASE, data: { reason: 'others' } } };
const sum = (group: string, firstAt: string, requestId = 'r', count = 1): Sum => ({
  group,
  count,
  firstAt,
  last: { ...BASE, data: { reason: group }, requestId },
});

it('a group is counted from its first occurrence, and told as its last one', () => {
  const sums = new Sums(LIMIT);
  sums.addAll([sum('a', '2'), sum('a', '1', 'early', 4), sum('a', '3', 'last')]);
  expect(sums.all).toEqual([{ ...sum('a', '1', 'last', 6) }]);
});

it('groups beyond the limit are counted as one, which leaves no group without its count', () => {
  const sums = new Sums(LIMIT);
  for (const group of ['a', 'b', 'c', 'd', 'a', 'c']) sums.add(sum(group, '5', group));
  expect(sums.all.map(({ count, last }) => [last.data['reason'], count])).toEqual([
    ['a', 2],
    ['b', 1],
    ['others', 3],
  ]);
});

it('sums of sums are within the same limit, however they come together', () => {
  const flood = (from: string): Sums =>
    new Sums(LIMIT).addAll(Array.from({ length: 50 }, (_, n) => sum(`${from}${n}`, '5')));
  const both = new Sums(LIMIT).addAll(flood('x').all).addAll(flood('y').all);
  expect(both.all).toHaveLength(3);
  expect(both.all.reduce((total, { count }) => total + count, 0)).toBe(100);
});
