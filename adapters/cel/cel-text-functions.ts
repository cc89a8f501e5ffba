import { celFunc, celMethod, CelScalar, type CelFunc } from '@bufbuild/cel';
import { type CelMeter, MAX_TEXT } from './cel-meter.ts';
import { CHARACTERS_A_STEP } from './cel-charges.ts';
import { compiledPattern, STEPS_PER_MATCH, stepsPerCharacter } from './cel-pattern.ts';

const { BOOL, INT, STRING } = CelScalar;

export const texts = (meter: CelMeter): CelFunc[] => [
  celFunc('size', [STRING], INT, (text) => codePoints(meter, text)),
  celMethod('size', STRING, [], INT, function () {
    return codePoints(meter, String(this));
  }),
  celFunc('_+_', [STRING, STRING], STRING, (left, right) => {
    meter.charge((left.length + right.length) / CHARACTERS_A_STEP);
    if (left.length + right.length > MAX_TEXT)
      meter.refuse(`the expression builds a string of more than ${MAX_TEXT} characters`);
    return left + right;
  }),
  celMethod('contains', STRING, [STRING], BOOL, function (part) {
    const text = String(this);
    // The runtime's search makes up to as many comparisons as the product of both lengths, about
    // 180 characters a step.
    meter.charge(
      text.length / CHARACTERS_A_STEP +
        (Math.max(text.length - part.length, 0) * part.length) / 180,
    );
    return text.includes(part);
  }),
  celMethod('matches', STRING, [STRING], BOOL, function (pattern) {
    const text = String(this);
    const compiled = compiledPattern(meter, pattern);
    meter.charge(STEPS_PER_MATCH + text.length * stepsPerCharacter(compiled.programSize()));
    return compiled.test(text);
  }),
];

const codePoints = (meter: CelMeter, text: string): bigint => {
  meter.charge(text.length / CHARACTERS_A_STEP);
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00)
      count--;
  return BigInt(count);
};
