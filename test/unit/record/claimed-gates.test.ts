import { expect, test } from 'vitest';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { assertClaimable } from '../../../domain/record/claimed-gates.ts';
import type { ClaimedGateResult } from '../../../domain/record/record-statement.ts';

const gates = Array.from({ length: 64 }, (_, i) => ({
  id: `gate-${i}`,
  description: '',
  expression: 'true',
  severity: 'block' as const,
}));
const result = (gateId: string, detail: string | null = null): ClaimedGateResult => ({
  gateId,
  outcome: 'pass',
  detail,
});
const refusal = (
  results: readonly ClaimedGateResult[],
  operatingMode: 'cleartext' | 'encrypted' = 'encrypted',
): NotaryError | null => {
  try {
    assertClaimable({ operatingMode, gates }, results);
    return null;
  } catch (error) {
    if (error instanceof NotaryError) return error;
    throw error;
  }
};

test('a result for each gate of the type may be claimed, for some or for none', () => {
  expect(refusal(gates.map(({ id }) => result(id, 'd'.repeat(300))))).toBeNull();
  expect(refusal([result('gate-3')])).toBeNull();
  expect(refusal([])).toBeNull();
});

test('422: in the clear, where the service evaluated the gates itself', () => {
  expect(refusal([result('gate-0')], 'cleartext')).toMatchObject({
    code: 'UNPROCESSABLE',
    members: { errors: [{ path: '/gateResults', keyword: 'cleartext' }] },
  });
});

test('422: a gate that the type does not have, with those that it has', () => {
  expect(refusal([result('gate-0'), result('other')])).toMatchObject({
    members: {
      errors: [{ path: '/gateResults/1/gateId', keyword: 'enum' }],
      allowedValues: gates.map(({ id }) => id),
    },
  });
});

test('422: two results for one gate', () => {
  expect(refusal([result('gate-0'), result('gate-0')])).toMatchObject({
    members: { errors: [{ path: '/gateResults', keyword: 'uniqueItems' }] },
  });
});

test('422: more than a sealed statement can hold beside the rest', () => {
  expect(refusal(gates.map(({ id }) => result(id, '\u2028'.repeat(512))))).toMatchObject({
    members: { errors: [{ path: '/gateResults', keyword: 'maxLength' }] },
  });
});
