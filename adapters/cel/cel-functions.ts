import {
  celEnv,
  celFunc,
  celMethod,
  CelScalar,
  celUint,
  isCelError,
  isCelList,
  isCelMap,
  listType,
  objectType,
  type CelEnv,
  type CelFunc,
  type CelInput,
  type CelValue,
} from '@bufbuild/cel';
import { timestampDate, timestampFromMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { RE2JS } from 're2js';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import { MAX_LIST, MAX_TEXT, MAX_WALK, type CelMeter } from './cel-meter.ts';
import { elementsOf, flatList } from './cel-values.ts';

/** Wraps the range of every comprehension; no expression can spell it. */
export const WALK = '@walk';

/**
 * The standard functions of CEL, each charging the meter for what its operands make it cost, and changed
 * where the library's depend on the machine or are lenient:
 *
 * - timestamp getters: UTC, or a fixed offset such as "+02:00". Named time zones are refused, because their
 *   rules change over the years, and the local zone of the machine plays no part;
 * - `timestamp(int)` counts seconds, as the language defines it;
 * - conversions of strings to numbers take decimal numbers only;
 * - arithmetic between doubles and ints gives a double;
 * - `matches` runs on RE2 with a bounded pattern.
 */
export const celEnvironment = (meter: CelMeter): CelEnv => {
  // Overloads are tried in order, and most operands are numbers of customers: doubles.
  const standard = [...celEnv().funcs]
    .sort((a, b) => doublesIn(b) - doublesIn(a))
    .map((func) => metered(func, meter));
  return celEnv({
    funcs: [
      ...standard,
      ...conversions(meter),
      ...mixedArithmetic(),
      ...timeGetters(meter),
      ...texts(meter),
      ...lists(meter),
    ],
  });
};

const { BOOL, DOUBLE, DYN, INT, STRING, UINT } = CelScalar;
const LIST = listType(DYN);
const TIMESTAMP = objectType(TimestampSchema);

const doublesIn = (func: CelFunc): number =>
  func.arguments.filter((type) => type === CelScalar.DOUBLE).length;

/** The function itself, after a charge for its operands; the call as such is charged as a node of the expression. */
const metered = (func: CelFunc, meter: CelMeter): CelFunc => {
  const weigh = PAIRWISE.has(func.name)
    ? chargeComparison
    : func.name === '@in'
      ? chargeSearch
      : chargeTexts;
  const surcharge =
    (DEAR.get(func.name) ?? 0) +
    [func.target, ...func.arguments].filter((type) => type !== undefined && TIMES.has(type.name))
      .length *
      STEPS_PER_TIME;
  const run = (target: CelValue | undefined, args: CelValue[]): CelInput => {
    if (surcharge > 0) meter.charge(surcharge);
    weigh(meter, target === undefined ? args : [target, ...args]);
    const result = func.call(0, target, args);
    if (result === undefined || isCelError(result))
      throw result ?? new Error('found no matching overload');
    return result;
  };
  return func.target === undefined
    ? celFunc(
        func.name,
        func.arguments,
        func.result,
        (...args: CelValue[]) => run(undefined, args) as never,
      )
    : celMethod(
        func.name,
        func.target,
        func.arguments,
        func.result,
        function (this: CelValue, ...args: CelValue[]) {
          return run(this, args);
        },
      );
};

/** What takes longer than visiting a node, in steps (measured). */
const DEAR: ReadonlyMap<string, number> = new Map([
  ['duration', 25],
  ['timestamp', 20],
  ['string', 6],
  ['double', 4],
  ['int', 4],
  ['uint', 4],
  ['bytes', 4],
]);
const TIMES: ReadonlySet<string> = new Set([
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]);
const STEPS_PER_TIME = 15;

const PAIRWISE: ReadonlySet<string> = new Set(['_==_', '_!=_']);

const CHARACTERS_A_STEP = 32;

const chargeTexts = (meter: CelMeter, values: readonly unknown[]): void => {
  for (const value of values)
    if (typeof value === 'string' || value instanceof Uint8Array)
      meter.charge(value.length / CHARACTERS_A_STEP);
};

/** Equality walks both sides as far as they have the same shape. */
const chargeComparison = (meter: CelMeter, [left, right]: readonly unknown[]): void => {
  meter.charge(1);
  if (typeof left === 'string' && typeof right === 'string')
    meter.charge(Math.min(left.length, right.length) / CHARACTERS_A_STEP);
  else if (isCelList(left) && isCelList(right)) {
    if (left.size !== right.size) return;
    const others = elementsOf(right);
    elementsOf(left).forEach((element, i) => chargeComparison(meter, [element, others[i]]));
  } else if (isCelMap(left) && isCelMap(right)) {
    if (left.size !== right.size) return;
    for (const [key, value] of left) chargeComparison(meter, [value, right.get(key)]);
  }
};

const chargeSearch = (meter: CelMeter, [value, container]: readonly unknown[]): void => {
  meter.charge(3);
  if (!isCelList(container)) return;
  if (isCelList(value) || isCelMap(value))
    for (const element of elementsOf(container)) chargeComparison(meter, [value, element]);
  else
    meter.charge(
      container.size * (1 + (typeof value === 'string' ? value.length / CHARACTERS_A_STEP : 0)),
    );
};

const conversions = (meter: CelMeter): CelFunc[] => [
  celFunc('int', [STRING], INT, (text) =>
    boundedInteger(wholeNumber(text), -(2n ** 63n), 2n ** 63n - 1n),
  ),
  celFunc('uint', [STRING], UINT, (text) =>
    celUint(boundedInteger(wholeNumber(text), 0n, 2n ** 64n - 1n)),
  ),
  celFunc('double', [STRING], DOUBLE, (text) => {
    meter.charge(DEAR.get('double') ?? 0);
    if (text.length > MAX_NUMERAL || !DECIMAL.test(text))
      throw new Error('a string that is not a decimal number was converted');
    return Number(text);
  }),
  celFunc('timestamp', [INT], TIMESTAMP, (seconds) => {
    meter.charge(DEAR.get('timestamp') ?? 0);
    return timestampFromMs(Number(boundedInteger(seconds, FIRST_SECOND, LAST_SECOND)) * 1000);
  }),
];

const MAX_NUMERAL = 64;
const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

const wholeNumber = (text: string): bigint => {
  if (text.length > MAX_NUMERAL || !WHOLE.test(text))
    throw new Error('a string that is not a whole number was converted');
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
};

const boundedInteger = (value: bigint, least: bigint, most: bigint): bigint => {
  if (value < least || value > most) throw new Error('int overflow during type conversion');
  return value;
};

/** Numbers of customers are doubles and the literals beside them are usually ints. */
const mixedArithmetic = (): CelFunc[] =>
  (
    [
      ['_+_', (a, b) => a + b],
      ['_-_', (a, b) => a - b],
      ['_*_', (a, b) => a * b],
      ['_/_', (a, b) => a / b],
      ['_%_', remainder],
    ] satisfies [string, (a: number, b: number) => number][]
  ).flatMap(([operator, compute]) => {
    return [
      celFunc(operator, [DOUBLE, INT], DOUBLE, (a, b) => compute(a, Number(b))),
      celFunc(operator, [INT, DOUBLE], DOUBLE, (a, b) => compute(Number(a), b)),
      ...(operator === '_%_' ? [celFunc(operator, [DOUBLE, DOUBLE], DOUBLE, compute)] : []),
    ];
  });

const remainder = (a: number, b: number): number => {
  if (b === 0) throw new Error('double modulus by zero');
  return a % b;
};

const GETTERS: readonly (readonly [string, (date: Date) => number])[] = [
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  [
    'getDayOfYear',
    (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  ],
  ['getHours', (date) => date.getUTCHours()],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getSeconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', (date) => date.getUTCMilliseconds()],
];

export const TIME_GETTERS: ReadonlySet<string> = new Set(GETTERS.map(([name]) => name));

const timeGetters = (meter: CelMeter): CelFunc[] =>
  GETTERS.flatMap(([name, get]) => [
    celMethod(name, TIMESTAMP, [], INT, function () {
      meter.charge(STEPS_PER_TIME);
      return BigInt(get(timestampDate(this.message)));
    }),
    celMethod(name, TIMESTAMP, [STRING], INT, function (zone) {
      meter.charge(STEPS_PER_TIME);
      return BigInt(get(new Date(timestampDate(this.message).getTime() + offsetOf(zone))));
    }),
  ]);

const OFFSET = /^([+-]?)(\d\d):(\d\d)$/;

/** Milliseconds east of UTC. */
export const offsetOf = (zone: string): number => {
  if (zone === 'UTC') return 0;
  const [, sign, hours, minutes] = OFFSET.exec(zone.slice(0, 8)) ?? [];
  if (hours === undefined || minutes === undefined || zone.length > 6)
    throw new Error(
      'a time zone is UTC or an offset such as "+02:00"; the rules of named zones change over the years',
    );
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
};

const texts = (meter: CelMeter): CelFunc[] => [
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
    // The search of the runtime compares up to the product of both lengths, some 180 characters a step.
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

const MAX_PATTERN = 1_000;
/** Instructions, for which a repetition is written out. */
const MAX_PROGRAM = 1_000;
const STEPS_PER_INSTRUCTION = 5;
/** More than one evaluation can pay for. */
const patterns = new BoundedCache<RE2JS>(2_000);

/**
 * A pattern in RE2 syntax.
 *
 * @throws Error where RE2 refuses it.
 */
export const compiledPattern = (meter: CelMeter, pattern: string): RE2JS => {
  if (pattern.length > MAX_PATTERN)
    throw new Error(`a pattern of matches has at most ${MAX_PATTERN} characters`);
  const isNew = meter.chargePattern(pattern);
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = RE2JS.compile(pattern);
    patterns.set(pattern, compiled);
  }
  if (isNew) meter.charge(compiled.programSize() * STEPS_PER_INSTRUCTION);
  if (compiled.programSize() > MAX_PROGRAM) throw new Error('a pattern of matches is too large');
  return compiled;
};

const STEPS_PER_MATCH = 15;

/** Of a larger program a hostile text can call for a new state of the automaton at each character (measured). */
const stepsPerCharacter = (programSize: number): number =>
  programSize <= 16 ? 1 : 25 + programSize / 2;

/** Of a comprehension, however little it walks. */
const STEPS_PER_WALK = 40;

const lists = (meter: CelMeter): CelFunc[] => [
  celFunc('_+_', [LIST, LIST], LIST, (left, right) => {
    meter.charge((left.size + right.size) / 16);
    if (left.size + right.size > MAX_LIST)
      meter.refuse(`the expression builds a list of more than ${MAX_LIST} elements`);
    return flatList(elementsOf(left).concat(elementsOf(right)));
  }),
  // Charged before the first round, and for every round, so that nothing inside can escape it.
  celFunc(WALK, [DYN, INT], DYN, (range, weight) => {
    const walked: CelValue = range;
    if (!isCelList(walked) && !isCelMap(walked)) return walked;
    if (walked.size > MAX_WALK)
      meter.refuse(
        `a comprehension would walk ${walked.size} elements; at most ${MAX_WALK} are walked`,
      );
    meter.charge(STEPS_PER_WALK + walked.size * Number(weight));
    return walked;
  }),
];
