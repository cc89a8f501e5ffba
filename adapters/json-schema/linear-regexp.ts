import { RE2JS } from 're2js';

/** Charges steps of one evaluation; throws where none are left. */
export interface Meter {
  charge(steps: number): void;
}

/** A regular expression that cannot backtrack: a match is linear in the text. */
export interface LinearRegExp {
  test(text: string): boolean;
  /** The source of the expression: the code generator of ajv tells patterns apart by it. */
  toString(): string;
}

/**
 * Compiles the expression of an ECMA-262 `pattern` (JSON Schema Core 2020-12 section 6.4) for a linear-time
 * engine. Look-around and back-references have no linear form and are refused; `\s` and `.` follow RE2.
 *
 * @throws Error where it cannot be compiled, with the reason.
 */
export const linearRegExp = (pattern: string, meter: Meter): LinearRegExp => {
  const compiled = compile(pattern);
  const stepsPerCharacter = costPerCharacter(compiled.programSize());
  return {
    test: (text) => {
      meter.charge(text.length * stepsPerCharacter);
      return compiled.test(text);
    },
    toString: () => pattern,
  };
};

/** For the service's own expressions, which are known to be cheap: not metered. */
export const fixedRegExp = (pattern: string, caseInsensitive = false): LinearRegExp => {
  const compiled = RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  return { test: (text) => compiled.test(text), toString: () => pattern };
};

/**
 * In steps of about 10 ns, measured with hostile texts. A small program becomes an automaton that
 * runs at a few nanoseconds a character. For a larger program, a hostile text can require a new
 * state at each character.
 */
const costPerCharacter = (programSize: number): number =>
  programSize <= 16 ? 4 : 100 + 2 * programSize;

export const MAX_PATTERN_LENGTH = 4096;
const MAX_PROGRAM_SIZE = 10_000;

const compile = (pattern: string): RE2JS => {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new Error(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw new Error('the pattern is too large');
  return compiled;
};
