import { expect, test } from 'vitest';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { gateInputsDigest, gateState } from '../../../domain/record/gate.ts';
import type { GateInputs, GateResult } from '../../../domain/record-type/gate-evaluator.port.ts';

const result = (outcome: GateResult['outcome'], severity: GateResult['severity'] = 'block') => ({
  outcome,
  severity,
});

test.each<[string, readonly ReturnType<typeof result>[], boolean]>([
  ['no gate at all', [], true],
  ['every blocking gate passes', [result('pass'), result('pass')], true],
  ['a blocking gate fails', [result('pass'), result('fail')], false],
  ['a blocking gate is in error', [result('pass'), result('error')], false],
  ['only warnings fail', [result('pass'), result('fail', 'warn'), result('error', 'warn')], true],
  ['a warning passes and a blocking gate fails', [result('pass', 'warn'), result('fail')], false],
])('%s', (_title, results, passed) => {
  expect(gateState('auto', results)).toBe(passed ? 'PASSED' : 'FAILED');
  expect(gateState('principal', results)).toBe(passed ? 'ADVISORY_PASSED' : 'ADVISORY_FAILED');
});

test('the digest covers every input and no order of members', () => {
  const inputs: GateInputs = {
    criteria: { a: 1, b: 2 },
    evidence: {},
    record: {},
    completion: {},
    children: [],
    dispute: null,
    now: '2026-01-01T00:00:00.000Z',
  };
  expect(gateInputsDigest(inputs)).toBe(hashJson(inputs as never));
  expect(gateInputsDigest({ ...inputs, criteria: { b: 2, a: 1 } })).toBe(gateInputsDigest(inputs));
  expect(gateInputsDigest({ ...inputs, now: '2026-01-01T00:00:00.001Z' })).not.toBe(
    gateInputsDigest(inputs),
  );
});
