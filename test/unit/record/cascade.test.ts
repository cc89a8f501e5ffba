import { expect, test } from 'vitest';
import { cascadeGate, cascadeResult, type CascadeChild } from '../../../domain/record/cascade.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type { CascadeRule } from '../../../domain/record-type/manifest.ts';

const child = (status: RecordStatus, change: Partial<CascadeChild> = {}): CascadeChild => ({
  status,
  becameActive: true,
  hasCompletion: true,
  ...change,
});
const fulfilled = child('FULFILLED');
const failed = child('FAILED');

test.each<[string, CascadeChild, boolean]>([
  ['fulfilled', fulfilled, true],
  ['failed', failed, true],
  ['recorded at birth', child('RECORDED', { becameActive: false, hasCompletion: false }), true],
  ['still active', child('ACTIVE', { hasCompletion: false }), true],
  ['expired after it was active', child('EXPIRED', { hasCompletion: false }), true],
  ['cancelled with a completion', child('CANCELLED'), true],
  ['cancelled without a completion', child('CANCELLED', { hasCompletion: false }), false],
  ['never accepted', child('REJECTED', { becameActive: false, hasCompletion: false }), false],
  ['expired as a proposal', child('EXPIRED', { becameActive: false, hasCompletion: false }), false],
])('a child that is %s', (_title, one, isCounted) => {
  expect(cascadeResult({ rule: 'all-fulfilled' }, [one]).counted).toBe(isCounted ? 1 : 0);
});

const rules: Record<string, CascadeRule> = {
  none: { rule: 'none' },
  all: { rule: 'all-fulfilled' },
  any: { rule: 'any-fulfilled' },
  two: { rule: 'quorum', quorum: 2 },
};

test.each<[string, readonly CascadeChild[], readonly string[]]>([
  ['no child', [], ['none', 'all']],
  ['one fulfilled', [fulfilled], ['none', 'all', 'any']],
  ['one failed', [failed], ['none']],
  ['one of each', [fulfilled, failed], ['none', 'any']],
  ['two fulfilled, one failed', [fulfilled, fulfilled, failed], ['none', 'any', 'two']],
  [
    'remediated and recorded',
    [child('REMEDIATED'), child('RECORDED', { becameActive: false, hasCompletion: false })],
    ['none', 'all', 'any', 'two'],
  ],
  [
    'a fulfilled one beside one called off before any work',
    [fulfilled, child('CANCELLED', { hasCompletion: false })],
    ['none', 'all', 'any'],
  ],
])('%s satisfies exactly these rules', (_title, children, satisfied) => {
  expect(
    Object.keys(rules).filter((name) => cascadeResult(rules[name]!, children).satisfied),
  ).toEqual(satisfied);
});

test('an unmet rule is a failed blocking gate named cascade; a met one is no gate', () => {
  const rule = rules.two!;
  expect(cascadeGate(rule, cascadeResult(rule, [fulfilled, failed]), 'digest')).toMatchObject({
    gateId: 'cascade',
    outcome: 'fail',
    severity: 'block',
    expression: 'quorum 2',
    inputsDigest: 'digest',
    detail: '1 of 2 counted children are fulfilled; the rule quorum needs 2',
  });
  expect(cascadeGate(rule, cascadeResult(rule, [fulfilled, fulfilled]), 'digest')).toBeNull();
});
