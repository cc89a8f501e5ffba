import { getParsingSuite, type IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { KindAdorner, toDebugString } from '@bufbuild/cel-spec/testdata/to-debug-string.js';
import { parse } from '@bufbuild/cel';
import { describe, expect, test } from 'vitest';
import { conformanceCases, ERROR, expectedOf, passes, resultOf } from './conformance-cases.ts';
import { skipReason } from './conformance-skips.ts';

// tests/simple/testdata of github.com/google/cel-spec v0.25.1, as @bufbuild/cel-spec ships it.

const cases = conformanceCases();
const run = cases.filter((each) => skipReason(each) === null);
const filesOf = [...new Set(run.map(({ file }) => file))];

describe("cel-spec's conformance data", () => {
  test.each(filesOf)('%s', (file) => {
    const wrong = run
      .filter((each) => each.file === file && !passes(each))
      .map(({ path, test: { expr } }) => ({ path, expr }));
    expect(wrong).toEqual([]);
  });

  test('what is skipped would not pass', () => {
    const passing = cases
      .filter((each) => skipReason(each) !== null && passes(each))
      .map(({ path }) => path);
    expect(passing).toEqual([]);
  });

  test('most of what a gate can say is run for its value, not for an error', () => {
    const forValues = run.filter(({ test: { ...original } }) => expectedOf(original) !== ERROR);
    expect(forValues.length).toBeGreaterThan(850);
    expect(cases.length).toBe(2344);
  });

  test("an error is not the library's own: resultOf tells an error from a value", () => {
    const [first] = run.filter(({ path }) =>
      path.startsWith('integer_math/int64_math/int64_overf'),
    );
    expect(first && resultOf(first.test)).toMatch(/^an error: .*beyond 64 bits/);
  });
});

test("the syntax trees are those of cel-go, for cel-spec's data and for its parser's tests", () => {
  const wrong = treesOf(getParsingSuite()).flatMap(({ original: { expr }, ast }) => {
    if (ast === undefined) return [];
    const ours = toDebugString(parse(expr).expr, KindAdorner.singleton);
    return ours === ast ? [] : [expr];
  });
  expect(wrong).toEqual([]);
});

const treesOf = (suite: IncrementalTestSuite): IncrementalTestSuite['tests'] => [
  ...suite.tests,
  ...suite.suites.flatMap(treesOf),
];
