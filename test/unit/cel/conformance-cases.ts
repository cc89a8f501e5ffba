import { isCelError, type CelInput } from '@bufbuild/cel';
import {
  getConformanceSuite,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { celEnvironment, celFunctions } from '../../../adapters/cel/cel-environment.ts';
import { ANY } from '../../../adapters/cel/cel-kinds.ts';
import { CelMeter } from '../../../adapters/cel/cel-meter.ts';
import { compile } from '../../../adapters/cel/cel-program.ts';
import { DYN } from '../../../adapters/cel/cel-static-type.ts';
import { expectedText, inputOf, textOf } from './conformance-values.ts';

type Original = IncrementalTestSuite['tests'][number]['original'];

export interface ConformanceCase {
  /** As in cel-spec: file, section and name. */
  readonly path: string;
  readonly file: string;
  readonly test: Original;
}

export const conformanceCases = (): readonly ConformanceCase[] =>
  casesOf(getConformanceSuite(), []);

const casesOf = (suite: IncrementalTestSuite, path: readonly string[]): ConformanceCase[] => [
  ...suite.tests.map(({ name, original }) => ({
    path: [...path, name].join('/'),
    file: path[0] ?? '',
    test: original,
  })),
  ...suite.suites.flatMap((inner) => casesOf(inner, [...path, inner.name])),
];

export const ERROR = 'an error';

/** What cel-spec expects, as a text; undefined where it is a value that gates do not have. */
export const expectedOf = ({ resultMatcher }: Original): string | undefined => {
  switch (resultMatcher.case) {
    case 'value':
      return expectedText(resultMatcher.value);
    case 'typedResult':
      return expectedText(resultMatcher.value.result);
    case 'evalError':
    case 'anyEvalErrors':
      return ERROR;
    case undefined:
      return 'true';
    default:
      return undefined;
  }
};

const meter = new CelMeter();
const functions = celFunctions(meter);
const env = celEnvironment(functions);

/** What our gates make of it: the text of a value, or an error and its reason. */
export const resultOf = ({ expr, bindings }: Original): string => {
  const inputs = Object.entries(bindings).map(
    ([name, { kind }]): [string, CelInput | undefined] => [
      name,
      kind.case === 'value' ? inputOf(kind.value) : undefined,
    ],
  );
  if (inputs.some(([, value]) => value === undefined)) return 'no input';
  meter.beginAll();
  meter.begin();
  try {
    const variables = new Map(inputs.map(([name]) => [name, DYN]));
    const result = compile({ env, functions, variables }, expr, ANY).run(
      Object.fromEntries(inputs) as Record<string, CelInput>,
    );
    return isCelError(result) ? `${ERROR}: ${result.message}` : textOf(result as CelInput);
  } catch (error) {
    return `${ERROR}: ${String(error)}`;
  }
};

export const passes = ({ test }: ConformanceCase): boolean => {
  const expected = expectedOf(test);
  const result = resultOf(test);
  return expected === ERROR ? result.startsWith(ERROR) : result === expected;
};
