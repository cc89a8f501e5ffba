import { beforeAll, describe, expect, test } from 'vitest';
import { CelGateEvaluator } from '../../adapters/cel/cel-gate-evaluator.ts';
import { LazyGateEvaluator } from '../../adapters/cel/lazy-gate-evaluator.ts';
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
  ['the same, loaded when it is asked', () => new LazyGateEvaluator()],
])('gate evaluator: %s', (_name, make) => {
  const evaluator = make();
  beforeAll(() => evaluator.prepare([gate('true')]));
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
    '-evidence.score < -1.5 && 3 - -1 == 4 && -(evidence.score - 1.0) < 0.0 && !!(evidence.score > 1)',
    '!(!has(evidence.none) && evidence.score < 0) && evidence.tags.exists(t, !(t == "b"))',
    'evidence.score == 80',
    'evidence.score >= criteria.target',
    'evidence.done / evidence.total >= 0.8',
    'evidence.score * 2.0 + 1.0 == 161',
    'evidence.ratio * 2.0 == 1',
    '100.0 - evidence.score == 20',
    'int(evidence.score) % 2 == 0',
    'size(evidence.tags) == 2 && evidence.tags[0] == "a"',
    'double(evidence.tags.size()) + evidence.done == 6',
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
    [
      'evidence.missing > 1',
      'error: there is no member "missing" (line 1, column 9: evidence«.missing» > 1)',
    ],
    [
      'evidence.name > 1',
      'error: > is not defined for string and int (line 1, column 15: evidence.name «>» 1)',
    ],
    ['evidence.score', 'error: the expression gives no bool'],
    [
      '1 / int(evidence.zero) == 1',
      'error: an integer was divided by zero (line 1, column 3: 1 «/» int(evidence.zero) == 1)',
    ],
    [
      'evidence.tags[7] == "a"',
      'error: a list has no element at the index 7 (line 1, column 1: «evidence».tags[7] == "a")',
    ],
    [
      'timestamp(evidence.name) < now',
      'error: a string that is no RFC 3339 time was converted to a timestamp (line 1, column 1: «timestamp»(evidence.name) < now)',
    ],
    [
      'int(evidence.name) == 1',
      'error: a string that is not a whole number was converted (line 1, column 1: «int»(evidence.name) == 1)',
    ],
    ['evidence.score > 90', 'fail: the expression is false'],
  ])('never throws: %s gives %s', (expression, expected) => {
    expect(
      outcome(expression, { evidence: { zero: 0, score: 80, name: 'secret', tags: ['a'] } }),
    ).toBe(expected);
  });

  test.each<[string, string]>([
    ['1.0 / evidence.zero > 0', 'pass'],
    ['1.0 / -evidence.zero > 0', 'fail: the expression is false'],
    ['evidence.zero == -0.0', 'pass'],
    ['"\uffff" < "\ud83c\udf89"', 'pass'],
    ['"a" in {"a": null} && has({"a": null}.a)', 'pass'],
    ['[1, 2][dyn(true)] == 2 || true', 'pass'],
    ['evidence.tags[0.5] == "a" || true', 'pass'],
    ['evidence.tags[evidence.half] == "a" || true', 'pass'],
    ['has(evidence.name.x)', 'error: has is not defined for string and string'],
    ['{1: "a", evidence.one: "b"}.size() == 2', 'error: a key of a map is a string'],
    ['{1: "a", 1u: "b"}.size() == 1', 'error: a map has the same key twice'],
    ['timestamp("2009-02-13T23:31:30.999999999Z").getSeconds() == 30', 'pass'],
    ['timestamp("0099-01-02T00:00:00Z").getDayOfYear() == 1', 'pass'],
    ['string(b"\\xef\\xbb\\xbfa") == "\\ufeffa"', 'pass'],
    ['double("1e400") > 1.0', 'a string that is not a decimal number'],
    ['uint("+5") == 5u', 'a string that is not a whole number'],
    ['string(evidence.large) == "1000000"', 'error: the text of a double below 0.0001 or from'],
    ['string(int(evidence.large)) == "1000000"', 'pass'],
    ['string(evidence.score) == "80"', 'pass'],
    ['string(now) == "2026-01-31T23:30:00.25Z"', 'error: the text of a time with this fraction'],
    ['string(timestamp(0)) == "1970-01-01T00:00:00Z"', 'pass'],
    ['[evidence.nan].all(x, [x] == [x])', 'pass'],
    ['[0.0 / 0.0].all(x, [x] == [x])', 'fail: the expression is false'],
    ['evidence.big == 9007199254740993', 'pass'],
    ['evidence.m.map(k, k) == ["a", "b"]', 'pass'],
  ])('means what cel-spec says: %s', (expression, expected) => {
    const evidence = {
      zero: 0,
      one: 1,
      half: 0.5,
      nan: 1,
      large: 1_000_000,
      big: 9_007_199_254_740_992,
      score: 80,
      name: 'n',
      tags: ['a'],
      m: { b: 1, a: 2 },
    };
    const refused = refusal(expression);
    const said = refused === 'accepted' ? outcome(expression, { evidence }) : refused;
    expect(said).toContain(expected);
  });

  test('-0 means 0, as its canonical form says', () => {
    expect(outcome('1.0 / evidence.zero > 0', { evidence: { zero: -0 } })).toBe('pass');
  });

  test('no content is told, be it a name or an index', () => {
    const evidence = { name: 'my secret', n: 4711, tags: ['a'], m: {} };
    for (const expression of [
      'evidence[evidence.name] == 1',
      'evidence.m[evidence.name] == 1',
      'evidence.tags[int(evidence.n)] == "a"',
      'duration(evidence.name) > duration("1s")',
      'evidence.name.matches(evidence.name + "(")',
      'int(evidence.name) == 1 || bool(evidence.name)',
    ]) {
      expect(refusal(expression)).toBe('accepted');
      const said = outcome(expression, { evidence });
      expect(said).toMatch(/^error: /);
      expect(said).not.toMatch(/secret|4711/);
    }
  });

  test('an error is told without the content that caused it', () => {
    expect(outcome('bool(evidence.name)', { evidence: { name: 'my secret' } })).not.toContain(
      'secret',
    );
  });

  test.each([
    [
      'evidance.score > 1',
      'there is no variable "evidance"; is evidence meant? (line 1, column 1: «evidance».score > 1)',
    ],
    ['constructor == 1', 'there is no variable "constructor"'],
    ['fetch("https://example.com")', 'there is no function "fetch"'],
    ['evidence.name.lower() == "a"', 'there is no function "lower"'],
    ['"text"', 'a gate gives a bool, not string'],
    ['1 + 1', 'a gate gives a bool, not int'],
    [
      '1 + "a" == evidence.x',
      '+ is not defined for int and string; string(...) makes a text of a number (line 1, column 3: 1 «+» "a" == evidence.x)',
    ],
    ['evidence.score > 1 && 5', '&& takes a bool, not int'],
    ['1 == "a"', 'int and string are never equal'],
    ['evidence.tags.all(t, "x")', '&& takes a bool, not string'],
    ['now.seconds > 1', 'timestamp has no member "seconds" (line 1, column 4: now«.seconds» > 1)'],
    ['evidence.name.matches("(?=a)")', 'matches("(?=a)")'],
    ['evidence.name.matches("(a)\\\\1")', 'matches('],
    ['now.getHours("Europe/Berlin") > 1', 'the rules of named zones change'],
    ['google.protobuf.Timestamp{seconds: 1} == now', 'there are no messages here'],
    [
      '1 / evidence.a > 0',
      '/ is not defined for int and double, and every number of JSON is a double; write 1.0 / evidence.a (line 1, column 3: 1 «/» evidence.a > 0)',
    ],
    ['evidence.a * 2 > 1', 'write evidence.a * 2.0'],
    [
      'evidence.a % 2 == 0',
      '% is not defined for doubles, and every number of JSON is a double; write int(evidence.a) % 2',
    ],
    ['evidence.a.size() + evidence.b > 1', 'write double(evidence.a.size()) + evidence.b'],
    [
      'evidence.a.all(x, x + 1 > 2)',
      'write x + 1.0 (line 1, column 21: evidence.a.all(x, x «+» 1 > 2)',
    ],
    ['[1, 2].all(x, x * evidence.b > 2)', 'write double(x) * evidence.b'],
    ['(evidence.ok ? 1 : 2) + evidence.a > 1', '+ is not defined for int and double'],
    ['record.depth + 1 > 1', 'write record.depth + 1.0'],
    ['children.exists(c, c.depth - 1 > 0)', 'write c.depth - 1.0'],
    ['evidence.at < now', '< is not defined for a value of JSON and timestamp'],
    ['evidence.at == now', 'a value of JSON and timestamp are never equal; convert one of them'],
    [
      '{1.5: "a"} == evidence.m',
      'a key of a map is a string, an int, a uint or a bool, not double',
    ],
    [
      'evidence.x == 9223372036854775808',
      'the number is too large for an int, which has 64 bits (line 1, column 15: evidence.x == «9223372036854775808»)',
    ],
    [
      'timestamp("2026-02-30T00:00:00Z") < now',
      'timestamp("2026-02-30T00:00:00Z"): a string that is no RFC 3339 time',
    ],
    ['duration("") < duration("1s")', 'duration(""): a string that is no duration'],
    [
      'duration(5) < duration("1s")',
      'duration is not defined for int; it takes (duration), (string)',
    ],
    ['now.getHours(evidence.zone) > 1', 'the time zone of getHours is written into the expression'],
    ['evidence.a.existsOne(x, x > 1)', 'existsOne is written exists_one'],
    [
      'evidence.name.matches("\\d")',
      'CEL has no such escape; a backslash is written \\\\, or in a raw string as r"\\d" (line 1, column 24: evidence.name.matches("«\\»d")',
    ],
    ['evidence.name.contans("a")', 'there is no function "contans"; is contains meant?'],
    ['-(-(evidence.a)) == "x"', '-(-(...)) is written without both signs'],
    ['!(!(evidence.a)) || evidence.b', '!(!(...)) is written without both signs'],
    ['has(evidence)', 'has is written has(value.member)'],
    ['evidence.a.all(1, true)', 'all is written list.all(x, condition)'],
    ['evidence.a = 1', 'equality is written == (line 1, column 12: evidence.a «=» 1)'],
    ['evidence.a and evidence.b', 'and is written &&'],
    [
      'evidence.a > > 1',
      'something is missing between > and > (line 1, column 14: evidence.a > «>» 1)',
    ],
    [
      'evidence.a.all(x, x > 1',
      'this ( is not closed (line 1, column 15: evidence.a.all«(»x, x > 1)',
    ],
    ['evidence.a == "b', 'this string is not closed'],
    ['evidence.a\n  && evidance.b', '(line 2, column 6:   && «evidance».b)'],
    ['evidence.', 'something is missing after . (line 1, column 9: evidence«.»)'],
    ['', 'the expression is empty'],
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
      refusal('evidence.a.filter(x, x > 1).map(x, x * 2.0).filter(x, x > 2).all(x, x < 9)'),
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
});

test('a lazy evaluator needs nothing to be loaded for a type without gates, and says where prepare was forgotten', async () => {
  const evaluator = new LazyGateEvaluator();
  await evaluator.prepare([]);
  expect(evaluator.check([])).toEqual([]);
  expect(evaluator.evaluate([], inputs())).toEqual([]);
  expect(() => evaluator.check([gate('true')])).toThrow('prepared');
  expect(() => evaluator.evaluate([gate('true')], inputs())).toThrow('prepared');
});
