import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CelGateEvaluator } from '../../adapters/cel/cel-gate-evaluator.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Gate } from '../../domain/record-type/manifest.ts';

const RUNS = 2000;

// Left out: the empty text, of which the other engine makes the int 0, and `--x`, which cel-go and we
// read as `x`.
const number = fc.constantFrom<JsonValue>(0, 1, -1, 2, 0.5, 80, 1e6, 9007199254740992);
const text = fc.constantFrom<JsonValue>('a', 'b', 'ab', 'é', '12', '1.5', 'true');
const scalar = fc.oneof(number, text, fc.boolean(), fc.constant(null));
const evidence = fc.record(
  {
    n: number,
    m: number,
    s: text,
    t: text,
    b: fc.boolean(),
    any: scalar,
    list: fc.array(scalar, { maxLength: 3 }),
    numbers: fc.array(number, { maxLength: 3 }),
    map: fc.dictionary(fc.constantFrom('a', 'b'), scalar, { maxKeys: 2 }),
  },
  { requiredKeys: ['list', 'numbers', 'map'] },
);

const join = (
  parts: fc.Arbitrary<string>[],
  separator: fc.Arbitrary<string>,
): fc.Arbitrary<string> =>
  fc.tuple(separator, ...parts).map(([by, ...all]) => `(${all.join(` ${by} `)})`);

const { bool } = fc.letrec<Record<'bool' | 'real' | 'whole' | 'string' | 'any', string>>((tie) => ({
  real: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'evidence.n',
      'evidence.m',
      '2.0',
      '0.5',
      'evidence.any',
      'evidence.numbers[0]',
    ),
    fc.constantFrom('double("1.5")', 'double(evidence.s)', 'double(size(evidence.list))'),
    join([tie('real'), tie('real')], fc.constantFrom('+', '-', '*', '/')),
    tie('real').map((x) => `-(${x})`),
    fc.tuple(tie('bool'), tie('real'), tie('real')).map(([c, x, y]) => `(${c} ? ${x} : ${y})`),
  ),
  whole: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', '0', '7', 'size(evidence.list)', 'evidence.s.size()', 'int(evidence.n)'),
    fc.constantFrom('int("12")', 'int(evidence.s)'),
    join([tie('whole'), tie('whole')], fc.constantFrom('+', '-', '*', '/', '%')),
  ),
  string: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('evidence.s', 'evidence.t', '"a"', "'é'", 'evidence.any', 'evidence.map.a'),
    join([tie('string'), tie('string')], fc.constant('+')),
    tie('whole').map((x) => `string(${x})`),
  ),
  any: fc.oneof(
    tie('real'),
    tie('whole'),
    tie('string'),
    fc.constantFrom('null', 'evidence.list', 'evidence.map', '[1, "a"]', '{"a": 1}', 'true'),
  ),
  bool: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('evidence.b', 'true', 'false', 'has(evidence.n)', 'has(evidence.map.a)'),
    join([tie('bool'), tie('bool')], fc.constantFrom('&&', '||', '==', '!=')),
    join([tie('real'), tie('real')], fc.constantFrom('<', '<=', '>', '>=', '==', '!=')),
    join([tie('whole'), tie('whole')], fc.constantFrom('<', '<=', '>', '>=', '==', '!=')),
    join([tie('string'), tie('string')], fc.constantFrom('<', '>', '==', '!=')),
    join([tie('any'), tie('any')], fc.constantFrom('==', '!=')),
    join([tie('any'), fc.constantFrom('evidence.list', '[1, "a", 0.5]')], fc.constant('in')),
    join([tie('string'), fc.constant('evidence.map')], fc.constant('in')),
    tie('bool').map((x) => `!(${x})`),
    fc
      .tuple(tie('string'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('string'))
      .map(([x, name, y]) => `${x}.${name}(${y})`),
    fc
      .tuple(
        fc.constantFrom('evidence.numbers', 'evidence.list'),
        fc.constantFrom('all', 'exists', 'exists_one'),
        fc.constantFrom('x > 0.0', 'x == evidence.n', 'x * 2.0 >= 1.0', 'x != null'),
      )
      .map(([list, macro, condition]) => `${list}.${macro}(x, ${condition})`),
    fc
      .constantFrom('filter(x, x > 0.5)', 'map(x, x * 2.0)', 'map(x, x + x)')
      .map((macro) => `evidence.numbers.${macro}.size() == 1`),
  ),
}));

const elsewhere = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
});

/** What another engine makes of it. */
const verdictElsewhere = (expression: string, inputs: JsonObject): string => {
  try {
    const result: unknown = elsewhere.evaluate(expression, inputs);
    return result === true ? 'pass' : result === false ? 'fail' : 'error';
  } catch {
    return 'error';
  }
};

test('another engine comes to the same verdict', () => {
  const evaluator = new CelGateEvaluator();
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(bool, evidence, (expression, given) => {
      const gate: Gate = { id: 'g', description: '', expression, severity: 'block' };
      if (evaluator.check([gate]).length > 0 || !elsewhere.check(expression).valid) return;
      const inputs = { evidence: given as JsonObject };
      const [result] = evaluator.evaluate([gate], {
        ...inputs,
        criteria: {},
        record: {},
        completion: {},
        children: [],
        dispute: null,
        now: '2026-01-31T23:30:00.250Z',
      });
      const { outcome, detail } = result!;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      expect({ expression, given, detail, outcome: verdictElsewhere(expression, inputs) }).toEqual({
        expression,
        given,
        detail,
        outcome,
      });
    }),
    { numRuns: RUNS },
  );
  for (const outcome of ['pass', 'fail', 'error']) expect(seen.get(outcome)).toBeGreaterThan(100);
});
