import { CelFault } from './cel-fault.ts';
import { type CelUint, CelScalar, celType, type CelValue } from '@bufbuild/cel';
import type { CelMeter } from './cel-meter.ts';
import { func, type Overload } from './cel-function-table.ts';
import { int, intOfDouble, uint, uintOfDouble } from './cel-integers.ts';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  type Kinds,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from './cel-kinds.ts';
import { DYN } from './cel-static-type.ts';
import {
  type CelTime,
  durationOfText,
  textOfDuration,
  textOfTimestamp,
  timestamp,
  timestampOfText,
} from './cel-times.ts';

/**
 * The conversions of cel-spec's list of standard definitions. What is left open there (the text of a
 * double or of a fraction of a second) has a value only where engines agree.
 */
export const conversions = (meter: CelMeter): readonly Overload[] => {
  const convert = (
    name: string,
    from: Kinds,
    to: Kinds,
    run: Overload['run'],
    steps: number,
  ): Overload =>
    func(name, [from], to, (value: CelValue) => {
      meter.charge(
        steps +
          (typeof value === 'string' || value instanceof Uint8Array
            ? value.length / CHARACTERS_A_STEP
            : 0),
      );
      return (run as (value: CelValue) => CelValue)(value);
    });
  return [
    convert('int', INT, INT, same, 4),
    convert('int', UINT, INT, ({ value }: CelUint) => int(value), 4),
    convert('int', DOUBLE, INT, intOfDouble, 4),
    convert('int', STRING, INT, (text: string) => int(wholeNumber(SIGNED, text)), 4),
    convert('int', TIMESTAMP, INT, ({ message }: CelTime) => message.seconds, 19),
    convert('uint', UINT, UINT, same, 4),
    convert('uint', INT, UINT, uint, 4),
    convert('uint', DOUBLE, UINT, uintOfDouble, 4),
    convert('uint', STRING, UINT, (text: string) => uint(wholeNumber(UNSIGNED, text)), 4),
    convert('double', DOUBLE, DOUBLE, same, 4),
    convert('double', INT, DOUBLE, Number, 4),
    convert('double', UINT, DOUBLE, ({ value }: CelUint) => Number(value), 4),
    convert('double', STRING, DOUBLE, doubleOfText, 4),
    convert('bool', BOOL, BOOL, same, 0),
    convert('bool', STRING, BOOL, boolOfText, 0),
    convert('bytes', BYTES, BYTES, same, 4),
    convert('bytes', STRING, BYTES, (text: string) => new TextEncoder().encode(text), 4),
    convert('string', STRING, STRING, same, 6),
    convert('string', BOOL, STRING, String, 6),
    convert('string', INT, STRING, String, 6),
    convert('string', UINT, STRING, ({ value }: CelUint) => String(value), 6),
    convert('string', DOUBLE, STRING, textOfDouble, 6),
    convert('string', BYTES, STRING, textOfBytes, 6),
    convert('string', TIMESTAMP, STRING, textOfTimestamp, 21),
    convert('string', DURATION, STRING, textOfDuration, 21),
    convert('timestamp', TIMESTAMP, TIMESTAMP, same, 35),
    convert('timestamp', STRING, TIMESTAMP, timestampOfText, 20),
    convert('timestamp', INT, TIMESTAMP, (s: bigint) => timestamp(s * 1_000_000_000n), 20),
    convert('duration', DURATION, DURATION, same, 40),
    convert('duration', STRING, DURATION, durationOfText, 25),
    func('type', [ANY], TYPE, (value: CelValue) => celType(value)),
    func('dyn', [ANY], () => DYN, same),
  ];
};

export const CHARACTERS_A_STEP = 32;

const same = (value: never): never => value;

const SIGNED = /^([+-]?)0*(\d{1,20})$/;
const UNSIGNED = /^()0*(\d{1,20})$/;

const wholeNumber = (form: RegExp, text: string): bigint => {
  const [, sign, digits] = form.exec(text) ?? [];
  if (digits === undefined) throw new CelFault('a string that is not a whole number was converted');
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
};

const MAX_NUMERAL = 400;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const doubleOfText = (text: string): number => {
  if (text === 'NaN') return NaN;
  const value = text.length <= MAX_NUMERAL && DECIMAL.test(text) ? Number(text) : Infinity;
  if (!Number.isFinite(value))
    throw new CelFault('a string that is not a decimal number of a double was converted');
  return value;
};

const TRUE: ReadonlySet<string> = new Set(['true', 'True', 'TRUE', 't', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'False', 'FALSE', 'f', '0']);

const boolOfText = (text: string): boolean => {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw new CelFault('a string that is not true or false was converted to a bool');
};

const textOfBytes = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelFault('bytes that are not UTF-8 were converted to a string');
  }
};

/** Engines write 1000000.0 as 1e+06, as 1000000 or as 1000000.0. */
const textOfDouble = (value: number): string => {
  const size = Math.abs(value);
  if (Object.is(value, -0) || !(value === 0 || (size >= 1e-4 && size < 1e6)))
    throw new CelFault(
      'the text of a double below 0.0001 or from 1000000 on is not the same in every engine; string(int(...)) is',
    );
  return String(value);
};

export const TYPE_NAMES: ReadonlySet<string> = new Set([
  CelScalar.INT.name,
  CelScalar.UINT.name,
  CelScalar.DOUBLE.name,
  CelScalar.BOOL.name,
  CelScalar.STRING.name,
  CelScalar.BYTES.name,
  'list',
  'map',
  CelScalar.NULL.name,
  CelScalar.TYPE.name,
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);
