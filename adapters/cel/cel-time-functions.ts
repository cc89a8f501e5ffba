import { celMethod, CelScalar, objectType, type CelFunc } from '@bufbuild/cel';
import { timestampDate, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { CelMeter } from './cel-meter.ts';
import { STEPS_PER_TIME } from './cel-charges.ts';

const { INT, STRING } = CelScalar;
const TIMESTAMP = objectType(TimestampSchema);

export const timeGetters = (meter: CelMeter): CelFunc[] =>
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
