import { describe, expect, test } from 'vitest';
import { CelGateEvaluator } from '../../adapters/cel/cel-gate-evaluator.ts';
import type { GateInputs } from '../../domain/record-type/gate-evaluator.port.ts';
import type { Gate } from '../../domain/record-type/manifest.ts';
import { slowness } from '../support/service/event-loop-gap.ts';

// Cost in the contract of domain/record-type/gate-evaluator.port.ts

const gate = (expression: string): Gate => ({
  id: 'g',
  description: 'a gate',
  expression,
  severity: 'block',
});

const inputs = ({ evidence }: Pick<GateInputs, 'evidence'>): GateInputs => ({
  criteria: {},
  evidence,
  record: { id: 'r', createdAt: '2026-01-01T00:00:00.000Z' },
  completion: { revision: 1 },
  children: [],
  dispute: null,
  now: '2026-01-31T23:30:00.250Z',
});

describe('gate evaluator: CEL on @bufbuild/cel', () => {
  const evaluator = new CelGateEvaluator();
  const refusal = (expression: string): string =>
    evaluator.check([gate(expression)])[0]?.message ?? 'accepted';

  const text = 'a'.repeat(400_000);
  const numbers = Array.from({ length: 300 }, (_, i) => i);
  const noise = Array.from(
    { length: 20_000 },
    (_, i) => 'ab'[(Math.imul(i * i + 7, 2_654_435_761) >>> 13) & 1],
  ).join('');
  test.each<[string, string, GateInputs['evidence']]>([
    ['nested walks', 'evidence.a.all(x, evidence.a.all(y, x + y >= 0))', { a: numbers }],
    [
      'nested walks with a large body',
      `evidence.a.all(x, evidence.a.all(y, ${'x + y * 2.0 >= 0 && '.repeat(60)} true))`,
      { a: numbers },
    ],
    [
      'a list built in each round',
      'evidence.a.all(x, evidence.a.map(y, y).all(z, z >= 0))',
      { a: numbers },
    ],
    [
      'an error in each round',
      'evidence.a.all(x, evidence.a.exists(y, y.missing == 1))',
      { a: numbers.map(() => ({})) },
    ],
    [
      'large lists compared in each round',
      'evidence.a.all(x, evidence.a.all(y, evidence.b == evidence.c))',
      {
        a: numbers,
        b: Array.from({ length: 20_000 }, () => 1),
        c: Array.from({ length: 20_000 }, () => 1),
      },
    ],
    [
      'a search in a large list in each round',
      'evidence.a.all(x, !(x - 1000.0 in evidence.b))',
      { a: numbers, b: Array.from({ length: 50_000 }, () => 1) },
    ],
    [
      'long strings compared in each round',
      'evidence.a.all(x, evidence.a.all(y, evidence.t == evidence.u))',
      { a: numbers, t: `${text}x`, u: `${text}y` },
    ],
    [
      'a quadratic search in a string',
      'evidence.t.contains(evidence.p)',
      { t: text, p: `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}` },
    ],
    ['a pattern with many states', 'evidence.t.matches("[ab]*a[ab]{300}[cd]")', { t: noise }],
    ['a pattern that backtracks elsewhere', 'evidence.t.matches("^(a+)+$")', { t: `${text}!` }],
    [
      'a pattern out of the evidence',
      'evidence.t.matches(evidence.p)',
      { t: text, p: '((a{0,30}){30}){1,}'.repeat(50) },
    ],
    [
      'a string doubled again and again',
      `size([evidence.t]${'.map(x, x + x)'.repeat(60)}[0]) > 0`,
      { t: text },
    ],
    [
      'a list doubled again and again',
      `size([evidence.a]${'.map(x, x + x)'.repeat(60)}[0]) > 0`,
      { a: numbers },
    ],
    ['a huge numeral', 'int(evidence.t) > 0', { t: '9'.repeat(400_000) }],
  ])('hostile: %s costs a bounded number of steps', (_title, expression, evidence) => {
    expect(refusal(expression)).toBe('accepted');
    const given = inputs({ evidence });
    const results: string[] = [];
    let quickest = Infinity;
    // The bound is on steps; the time, on whatever machine this runs, only shows that a step is small.
    for (let run = 0; run < 3; run++) {
      const start = process.cpuUsage();
      const [result] = evaluator.evaluate([gate(expression)], given);
      const { user, system } = process.cpuUsage(start);
      quickest = Math.min(quickest, (user + system) / 1000);
      results.push(`${result!.outcome} ${result!.detail}`);
    }
    expect(new Set(results).size).toBe(1);
    expect(quickest / slowness()).toBeLessThan(300);
  });
});
