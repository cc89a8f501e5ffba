import { CelFault } from './cel-fault.ts';
import { type CelMeter } from './cel-meter.ts';
import { func, method, type Overload } from './cel-function-table.ts';
import { DURATION, INT, STRING, TIMESTAMP } from './cel-kinds.ts';
import { type CelTime, duration, nanosOf, timestamp } from './cel-times.ts';

export const times = (meter: CelMeter): readonly Overload[] => [
  ...sums(meter),
  ...TIMESTAMP_GETTERS.flatMap(([name, get]) => [
    method(name, [TIMESTAMP], INT, (time: CelTime) => {
      meter.charge(STEPS_PER_TIME);
      return BigInt(get(new Date(wholeMilliseconds(time))));
    }),
    method(name, [TIMESTAMP, STRING], INT, (time: CelTime, zone: string) => {
      meter.charge(STEPS_PER_TIME);
      return BigInt(get(new Date(wholeMilliseconds(time) + offsetOf(zone))));
    }),
  ]),
  ...DURATION_GETTERS.map(([name, get]) =>
    method(name, [DURATION], INT, (time: CelTime) => {
      meter.charge(STEPS_PER_TIME);
      return get(time);
    }),
  ),
];

export const STEPS_PER_TIME = 15;

const sums = (meter: CelMeter): readonly Overload[] =>
  (
    [
      ['_+_', TIMESTAMP, DURATION, TIMESTAMP, (a, b) => timestamp(a + b)],
      ['_+_', DURATION, TIMESTAMP, TIMESTAMP, (a, b) => timestamp(a + b)],
      ['_+_', DURATION, DURATION, DURATION, (a, b) => duration(a + b)],
      ['_-_', TIMESTAMP, TIMESTAMP, DURATION, (a, b) => duration(a - b)],
      ['_-_', TIMESTAMP, DURATION, TIMESTAMP, (a, b) => timestamp(a - b)],
      ['_-_', DURATION, DURATION, DURATION, (a, b) => duration(a - b)],
    ] satisfies [string, number, number, number, (a: bigint, b: bigint) => unknown][]
  ).map(([name, left, right, result, compute]) =>
    func(name, [left, right], result, (a: CelTime, b: CelTime) => {
      meter.charge(2 * STEPS_PER_TIME);
      return compute(nanosOf(a), nanosOf(b));
    }),
  );

/** Rounded down, as 23:59:59.9999 is not yet the next day. */
const wholeMilliseconds = ({ message }: CelTime): number =>
  Number(message.seconds) * 1000 + Math.floor(message.nanos / 1_000_000);

const TIMESTAMP_GETTERS: readonly (readonly [string, (date: Date) => number])[] = [
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  [
    'getDayOfYear',
    (date) => Math.floor((date.getTime() - startOfYear(date.getUTCFullYear())) / 86_400_000),
  ],
  ['getHours', (date) => date.getUTCHours()],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getSeconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', (date) => date.getUTCMilliseconds()],
];

/** Date.UTC takes the years 0 to 99 for 1900 to 1999. */
const startOfYear = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);

const DURATION_GETTERS: readonly (readonly [string, (time: CelTime) => bigint])[] = [
  ['getHours', ({ message }) => message.seconds / 3600n],
  ['getMinutes', ({ message }) => message.seconds / 60n],
  ['getSeconds', ({ message }) => message.seconds],
  ['getMilliseconds', ({ message }) => BigInt(Math.trunc(message.nanos / 1_000_000))],
];

export const TIME_GETTERS: ReadonlySet<string> = new Set(TIMESTAMP_GETTERS.map(([name]) => name));

const OFFSET = /^([+-]?)(\d\d):(\d\d)$/;

/** Milliseconds east of UTC. */
export const offsetOf = (zone: string): number => {
  if (zone === 'UTC') return 0;
  const [, sign, hours, minutes] = OFFSET.exec(zone.slice(0, 8)) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59)
    throw new CelFault(
      'a time zone is UTC or an offset such as "+02:00"; the rules of named zones change over the years',
    );
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
};
