import { CHARACTERS_A_STEP } from './cel-conversions.ts';
import { func, method, type Overload } from './cel-function-table.ts';
import { BOOL, BYTES, INT, STRING } from './cel-kinds.ts';
import { type CelMeter, MAX_TEXT } from './cel-meter.ts';
import { compiledPattern, STEPS_PER_MATCH, stepsPerCharacter } from './cel-pattern.ts';

export const texts = (meter: CelMeter): readonly Overload[] => {
  const read = (...values: { length: number }[]): void => {
    for (const { length } of values) meter.charge(length / CHARACTERS_A_STEP);
  };
  const matches = (text: string, pattern: string): boolean => {
    const compiled = compiledPattern(meter, pattern);
    meter.charge(STEPS_PER_MATCH + text.length * stepsPerCharacter(compiled.programSize()));
    return compiled.test(text);
  };
  return [
    ...[func, method].flatMap((kind) => [
      kind('size', [STRING], INT, (text: string) => {
        read(text);
        return codePoints(text);
      }),
      kind('size', [BYTES], INT, (bytes: Uint8Array) => BigInt(bytes.length)),
      kind('matches', [STRING, STRING], BOOL, matches),
    ]),
    func('_+_', [STRING, STRING], STRING, (left: string, right: string) => {
      read(left, right);
      if (left.length + right.length > MAX_TEXT)
        meter.refuse(`the expression builds a string of more than ${MAX_TEXT} characters`);
      return left + right;
    }),
    func('_+_', [BYTES, BYTES], BYTES, (left: Uint8Array, right: Uint8Array) => {
      read(left, right);
      if (left.length + right.length > MAX_TEXT)
        meter.refuse(`the expression builds more than ${MAX_TEXT} bytes`);
      const both = new Uint8Array(left.length + right.length);
      both.set(left);
      both.set(right, left.length);
      return both;
    }),
    method('contains', [STRING, STRING], BOOL, (text: string, part: string) => {
      // The runtime's search makes up to as many comparisons as the product of both lengths, about
      // 180 characters a step.
      read(text);
      meter.charge((Math.max(text.length - part.length, 0) * part.length) / 180);
      return text.includes(part);
    }),
    method('startsWith', [STRING, STRING], BOOL, (text: string, part: string) => {
      read(text, part);
      return text.startsWith(part);
    }),
    method('endsWith', [STRING, STRING], BOOL, (text: string, part: string) => {
      read(text, part);
      return text.endsWith(part);
    }),
  ];
};

const codePoints = (text: string): bigint => {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00)
      count--;
  return BigInt(count);
};
