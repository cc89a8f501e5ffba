import { RE2JS } from 're2js';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import { CelFault } from './cel-fault.ts';
import type { CelMeter } from './cel-meter.ts';

/**
 * A pattern in RE2 syntax. One that is too costly ends the evaluation.
 *
 * @throws CelFault where RE2 refuses it.
 */
export const compiledPattern = (meter: CelMeter, pattern: string): RE2JS => {
  if (pattern.length > MAX_PATTERN)
    meter.refuse(`a pattern of matches has at most ${MAX_PATTERN} characters`);
  const isNew = meter.chargePattern(pattern);
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = re2(pattern);
    patterns.set(pattern, compiled);
  }
  if (isNew) meter.charge(compiled.programSize() * STEPS_PER_INSTRUCTION);
  if (compiled.programSize() > MAX_PROGRAM) meter.refuse('a pattern of matches is too large');
  return compiled;
};

const re2 = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new CelFault(
      'a pattern of matches is not one of RE2 (github.com/google/re2/wiki/Syntax)',
    );
  }
};

const MAX_PATTERN = 1_000;

/** Counted in instructions of the program, in which repetitions are expanded. */
const MAX_PROGRAM = 1_000;

const STEPS_PER_INSTRUCTION = 5;

/** More than the budget of one evaluation can pay for. */
const patterns = new BoundedCache<RE2JS>(2_000);

export const STEPS_PER_MATCH = 15;

/**
 * For a larger program, a hostile text can require a new state of the automaton at each character
 * (measured).
 */
export const stepsPerCharacter = (programSize: number): number =>
  programSize <= 16 ? 1 : 25 + programSize / 2;
