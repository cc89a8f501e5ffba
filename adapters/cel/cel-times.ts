import { CelFault } from './cel-fault.ts';
import { create } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import {
  type Duration,
  DurationSchema,
  type Timestamp,
  TimestampSchema,
} from '@bufbuild/protobuf/wkt';
import type { CelInput } from '@bufbuild/cel';

const SECOND = 1_000_000_000n;

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/** A timestamp or a duration as the library carries it. */
export type CelTime = ReflectMessage & { readonly message: Timestamp | Duration };

export const nanosOf = ({ message }: CelTime): bigint =>
  message.seconds * SECOND + BigInt(message.nanos);

export const timestamp = (nanos: bigint): CelInput => {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  const seconds = (nanos - rest) / SECOND;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND)
    throw new CelFault('a timestamp is outside of the years 1 to 9999');
  return reflect(TimestampSchema, create(TimestampSchema, { seconds, nanos: Number(rest) }));
};

export const timestampOfMs = (ms: number): CelInput => timestamp(BigInt(ms) * 1_000_000n);

/** At most what 64 bits of nanoseconds hold, about 292 years. */
export const duration = (nanos: bigint): CelInput => {
  if (BigInt.asIntN(64, nanos) !== nanos) throw new CelFault('a duration is longer than 292 years');
  return reflect(
    DurationSchema,
    create(DurationSchema, { seconds: nanos / SECOND, nanos: Number(nanos % SECOND) }),
  );
};

/**
 * RFC 3339. The library's own reader takes 30 February and 24:00 and makes other days of them.
 */
export const timestampOfText = (text: string): CelInput => {
  const match = text.length > MAX_TEXT ? null : TIMESTAMP.exec(text);
  if (match === null) throw new CelFault(NO_TIMESTAMP);
  const [, date = '', time = '', fraction = '', sign, hours = '00', minutes = '00'] = match;
  const ms = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== `${date}T${time}`)
    throw new CelFault(NO_TIMESTAMP);
  if (Number(hours) > 23 || Number(minutes) > 59) throw new CelFault(NO_TIMESTAMP);
  const offset = BigInt((Number(hours) * 60 + Number(minutes)) * 60) * (sign === '-' ? -1n : 1n);
  return timestamp(
    (BigInt(ms / 1000) - offset) * SECOND + BigInt(fraction.padEnd(9, '0').slice(0, 9)),
  );
};

const MAX_TEXT = 64;
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;
const NO_TIMESTAMP = 'a string that is no RFC 3339 time was converted to a timestamp';

export const durationOfText = (text: string): CelInput => {
  const match = text.length > MAX_TEXT ? null : DURATION.exec(text);
  if (match === null) throw new CelFault(NO_DURATION);
  const [, sign, amounts = ''] = match;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of amounts.matchAll(AMOUNT)) {
    const size = UNITS.get(unit) ?? 0n;
    nanos += BigInt(whole || '0') * size;
    nanos += (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length);
  }
  return duration(sign === '-' ? -nanos : nanos);
};

const DURATION = /^([+-]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+)$/;
const AMOUNT = /(\d*)\.?(\d*)(ns|us|µs|ms|s|m|h)/g;
const NO_DURATION = 'a string that is no duration, such as "90m" or "1.5s", was converted to one';
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3_600n * SECOND],
]);

/**
 * Engines agree on whole seconds and on fractions that end a group of three digits in a digit other
 * than 0. Beyond that some write `.250Z` and others `.25Z`.
 */
export const textOfTimestamp = (time: CelTime): string =>
  `${new Date(Number(time.message.seconds) * 1000).toISOString().slice(0, 19)}${fractionOf(time.message.nanos)}Z`;

export const textOfDuration = ({ message: { seconds, nanos } }: CelTime): string => {
  const size = seconds < 0n ? -seconds : seconds;
  const text = `${seconds < 0n || nanos < 0 ? '-' : ''}${size}${fractionOf(Math.abs(nanos))}`;
  if (String(Number(text)) !== text) throw new CelFault(NO_COMMON_TEXT);
  return `${text}s`;
};

const fractionOf = (nanos: number): string => {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0').replace(/0+$/, '');
  if (digits.length % 3 !== 0) throw new CelFault(NO_COMMON_TEXT);
  return `.${digits}`;
};

const NO_COMMON_TEXT =
  'the text of a time with this fraction of a second is not the same in every engine';
