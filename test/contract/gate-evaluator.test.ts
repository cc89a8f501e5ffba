import { describe, expect, test } from 'vitest';
import { CelGateEvaluator } from '../../adapters/cel/cel-gate-evaluator.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type {
  GateEvaluator,
  GateInputs,
  GateResult,
} from '../../domain/record-type/gate-evaluator.port.ts';
import type { Gate } from '../../domain/record-type/manifest.ts';

// Contract of domain/record-type/gate-evaluator.port.ts

const gate = (expression: string, severity: Gate['severity'] = 'block'): Gate => ({
  id: 'g',
  description: 'a gate',
  expression,
  severity,
});

const inputs = (change: Partial<GateInputs> = {}): GateInputs => ({
  criteria: { target: 80 },
  evidence: {
    score: 80,
    ratio: 0.5,
    done: 4,
    total: 5,
    name: 'report',
    tags: ['a', 'b'],
    note: null,
    constructor: 'x',
    items: [{ ok: true }, { ok: true }],
  },
  record: { id: 'r', createdAt: '2026-01-01T00:00:00.000Z' },
  completion: { revision: 1 },
  children: [],
  dispute: null,
  now: '2026-01-31T23:30:00.250Z',
  ...change,
});

describe.each<[string, () => GateEvaluator]>([
  ['CEL on @bufbuild/cel', () => new CelGateEvaluator()],
])('gate evaluator: %s', (_name, make) => {
  const evaluator = make();
  const evaluate = (expression: string, change: Partial<GateInputs> = {}): GateResult =>
    evaluator.evaluate([gate(expression)], inputs(change))[0]!;
  const outcome = (expression: string, change: Partial<GateInputs> = {}): string => {
    const result = evaluate(expression, change);
    return result.detail === null ? result.outcome : `${result.outcome}: ${result.detail}`;
  };
  const refusal = (expression: string): string =>
    evaluator.check([gate(expression)])[0]?.message ?? 'accepted';

  test('a result repeats the gate and carries the digest of all inputs', () => {
    const given = inputs();
    expect(evaluator.evaluate([gate('evidence.score >= 80', 'warn')], given)).toEqual([
      {
        gateId: 'g',
        description: 'a gate',
        severity: 'warn',
        expression: 'evidence.score >= 80',
        outcome: 'pass',
        detail: null,
        inputsDigest: hashJson(given as never),
      },
    ]);
    expect(evaluator.evaluate([], given)).toEqual([]);
  });

  test.each([
    'evidence.score >= 80',
    'evidence.score >= 79.5',
    'evidence.ratio >= 0.5',
    'evidence.score == 80',
    'evidence.score >= criteria.target',
    'evidence.done / evidence.total >= 0.8',
    'evidence.score * 2 + 1 == 161',
    'evidence.ratio * 2 == 1',
    '100 - evidence.score == 20',
    'evidence.score % 2 == 0',
    'size(evidence.tags) == 2 && evidence.tags[0] == "a"',
    'evidence.tags.size() + evidence.done == 6',
    '"a" in evidence.tags && evidence.done in [1, 2, 4]',
    'evidence.items.all(item, item.ok)',
    'evidence.tags.map(t, t + "!") == ["a!", "b!"]',
    'evidence.tags.filter(t, t != "a").size() == 1',
    'has(evidence.name) && !has(evidence.missing)',
    'has(evidence.note) && evidence.note == null && "note" in evidence',
    'evidence.constructor == "x"',
    'dispute == null && size(children) == 0',
    'string(evidence.score) == "80" && int(evidence.score) == 80 && int("12") == 12 && double("1.5e1") == 15.0 && uint("7") == 7u',
    'now > timestamp(record.createdAt) && now - timestamp(record.createdAt) > duration("24h")',
    'now.getHours() == 23 && now.getDate() == 31 && now.getHours("+02:00") == 1 && now.getDayOfYear() == 30 && now.getMilliseconds() == 250',
    'timestamp(1769902200) < now && int(timestamp(60)) == 60',
    'evidence.name.matches("^re(p|x)+ort$")',
    'evidence.name.contains("epo") && evidence.name.startsWith("re") && size("🎉é") == 2',
  ])('is natural for JSON: %s', (expression) => {
    expect(refusal(expression)).toBe('accepted');
    expect(outcome(expression)).toBe('pass');
  });

  test('the type of a number does not depend on its value: 4 / 5 is 0.8 and not 0', () => {
    expect(outcome('evidence.a / evidence.b == 0.8', { evidence: { a: 4, b: 5 } })).toBe('pass');
    expect(outcome('evidence.a / evidence.b == 0.8', { evidence: { a: 4.4, b: 5.5 } })).toBe(
      'pass',
    );
  });

  test.each([
    ['evidence.missing > 1', 'error: field not found: missing'],
    ['evidence.name > 1', "error: found no matching overload for '_>_' applied to '(string, int)'"],
    ['evidence.score', 'error: the expression gives no bool'],
    ['1 / int(evidence.zero) == 1', 'error: int divide by zero'],
    ['evidence.tags[7] == "a"', 'error: index 7 out of bounds'],
    [
      'timestamp(evidence.name) < now',
      'error: a value could not be used or converted as the expression asks',
    ],
    ['int(evidence.name) == 1', 'error: a string that is not a whole number was converted'],
    ['evidence.score > 90', 'fail: the expression is false'],
  ])('never throws: %s gives %s', (expression, expected) => {
    expect(
      outcome(expression, { evidence: { zero: 0, score: 80, name: 'secret', tags: ['a'] } }),
    ).toBe(expected);
  });

  test('an error is told without the content that caused it', () => {
    expect(outcome('bool(evidence.name)', { evidence: { name: 'my secret' } })).not.toContain(
      'secret',
    );
  });

  test.each([
    [
      'evidance.score > 1',
      'there is no variable "evidance"; there are criteria, evidence, record, completion, children, dispute, now',
    ],
    ['constructor == 1', 'there is no variable "constructor"'],
    ['fetch("https://example.com")', 'there is no function "fetch"'],
    ['evidence.name.lower() == "a"', 'there is no function "lower"'],
    ['"text"', 'a gate gives a bool, not string'],
    ['1 + 1', 'a gate gives a bool, not int'],
    ['1 + "a" == evidence.x', '+ cannot be applied to int, string'],
    ['evidence.score > 1 && 5', '&& takes a bool, not int'],
    ['1 == "a"', 'int and string are never equal'],
    ['evidence.tags.all(t, "x")', '&& takes a bool, not string'],
    ['now.seconds > 1', 'google.protobuf.Timestamp has no member "seconds"'],
    ['evidence.name.matches("(?=a)")', 'matches("(?=a)")'],
    ['evidence.name.matches("(a)\\\\1")', 'matches('],
    ['now.getHours("Europe/Berlin") > 1', 'the rules of named zones change'],
    ['google.protobuf.Timestamp{seconds: 1} == now', 'there are no messages here'],
    ['evidence.', 'found . but expecting end of input'],
    ['', 'found end of input but expecting'],
    [
      'evidence.a.all(x, x.b.all(y, y.c.all(z, true)))',
      'comprehensions are nested more than 2 deep',
    ],
    [`evidence.x == "${'a'.repeat(4096)}"`, 'at most 4096 bytes'],
    [`${'('.repeat(70)}true${')'.repeat(70)}`, 'brackets are nested deeper than 64'],
    [`1${'+1'.repeat(400)} == 2`, 'nested deeper than 250'],
  ])('refuses at registration: %s', (expression, reason) => {
    expect(evaluator.check([gate('true'), gate(expression)])).toEqual([
      { path: '/1/expression', keyword: 'cel', message: expect.stringContaining(reason) as string },
    ]);
  });

  test('comprehensions one after the other are not nested', () => {
    expect(
      refusal('evidence.a.filter(x, x > 1).map(x, x * 2).filter(x, x > 2).all(x, x < 9)'),
    ).toBe('accepted');
    expect(refusal('evidence.a.all(x, x.b.filter(y, y > 1).all(y, y < 9))')).toBe('accepted');
  });

  test('an array of more than 300 elements is not walked: a fail that says so, whatever the rest makes of it', () => {
    const many = { evidence: { items: Array.from({ length: 301 }, () => 1) } };
    const detail =
      'fail: not evaluated: a comprehension would walk 301 elements; at most 300 are walked';
    expect(outcome('evidence.items.all(x, x == 1)', many)).toBe(detail);
    expect(outcome('evidence.items.all(x, x == 1) || true', many)).toBe(detail);
    expect(outcome('true || evidence.items.all(x, x == 1)', many)).toBe('pass');
    expect(
      outcome('evidence.items.all(x, x == 1)', {
        evidence: { items: Array.from({ length: 300 }, () => 1) },
      }),
    ).toBe('pass');
    expect(outcome('size(evidence.items) == 301', many)).toBe('pass');
  });

  test('the same inputs give the same results in another time zone', () => {
    const zone = process.env.TZ;
    try {
      const [here, there] = ['UTC', 'America/New_York'].map((name) => {
        process.env.TZ = name;
        return outcome('now.getHours() == 2 && now.getMinutes() == 30', {
          now: '2026-03-08T02:30:00Z',
        });
      });
      expect([here, there]).toEqual(['pass', 'pass']);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test('one evaluation does not see the breach of another', () => {
    expect(
      outcome('evidence.items.all(x, true)', {
        evidence: { items: Array.from({ length: 301 }, () => 1) },
      }),
    ).toContain('fail');
    expect(outcome('evidence.items.all(x, true)', { evidence: { items: [1] } })).toBe('pass');
  });

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
      `evidence.a.all(x, evidence.a.all(y, ${'x + y * 2 >= 0 && '.repeat(60)} true))`,
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
      'evidence.a.all(x, !(x - 1000 in evidence.b))',
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
    expect(quickest).toBeLessThan(300);
  });
});
