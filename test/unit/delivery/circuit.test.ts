import { expect, it } from 'vitest';
import { CLOSED, failed, FAILURES_TO_OPEN, mayLeave } from '../../../domain/delivery/circuit.ts';

const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 10, 30) + seconds * 1_000).toISOString();

it('lets a probe leave if the circuit was opened while the clock was three hours ahead', () => {
  let circuit = CLOSED;
  for (let n = 0; n < FAILURES_TO_OPEN; n++) circuit = failed(circuit, at(10_800));
  expect(mayLeave(circuit, at(10_801))).toBe('none');
  expect(mayLeave(circuit, at(0))).toBe('probe');
});
