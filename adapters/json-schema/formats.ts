import { isIPv4, isIPv6 } from 'node:net';
import type { Format } from 'ajv/dist/2020.js';
import { fixedRegExp, linearRegExp } from './linear-regexp.ts';

/**
 * The formats of JSON Schema Validation 2020-12 section 7.3 and the usual numeric ones. Each check
 * is linear in the length of the text: it is written by hand, or uses the runtime or a linear-time
 * regular expression engine.
 */
export const FORMATS: { readonly [name: string]: Format } = {
  date: (text: string) => isDate(text),
  time: (text: string) => isTime(text),
  'date-time': (text: string) => isDateTime(text),
  duration: matching(
    '^P(?:\\d+W|(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?)$',
    (text) => text === text.toUpperCase() && /\d[A-Z]$/.test(text.slice(-2)),
  ),
  email: matching(
    "^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$",
    (text) => text.length <= 320,
  ),
  hostname: matching(
    '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\\.?$',
    (text) => text.length <= 254,
  ),
  ipv4: (text: string) => isIPv4(text),
  ipv6: (text: string) => isIPv6(text) && !text.includes('%'),
  uri: (text: string) => isUri(text),
  'uri-reference': (text: string) => isUriReference(text),
  url: (text: string) => isUri(text) && /^(?:https?|ftp):\/\/[^/]/i.test(text.slice(0, 16)),
  'uri-template': matching(
    '^(?:[^\\x00-\\x20"\'<>%\\\\^`{|}]|%[0-9a-f]{2}|\\{[+#./;?&=,!@|]?(?:[a-z0-9_.]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\\*)?(?:,(?:[a-z0-9_.]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\\*)?)*\\})*$',
  ),
  uuid: matching('^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  'json-pointer': matching('^(?:/(?:[^~/]|~0|~1)*)*$'),
  'relative-json-pointer': matching('^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~0|~1)*)*)$'),
  regex: (text: string) => isRegExp(text),
  byte: matching('^(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$'),
  int32: {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) <= 2 ** 31,
  },
  int64: { type: 'number', validate: (value: number) => Number.isInteger(value) },
  float: { type: 'number', validate: () => true },
  double: { type: 'number', validate: () => true },
  password: true,
  binary: true,
};

function matching(pattern: string, also?: (text: string) => boolean): (text: string) => boolean {
  const expression = fixedRegExp(pattern, true);
  return (text) => (also === undefined || also(text)) && expression.test(text);
}

const DATE = fixedRegExp('^\\d{4}-\\d{2}-\\d{2}$');
const TIME = fixedRegExp('^\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:z|[+-]\\d{2}:\\d{2})$', true);

/** RFC 3339 full-date. */
const isDate = (text: string): boolean => {
  if (text.length !== 10 || !DATE.test(text)) return false;
  const [year, month, day] = [
    Number(text.slice(0, 4)),
    Number(text.slice(5, 7)),
    Number(text.slice(8)),
  ];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
};

const daysIn = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31;

/** RFC 3339 full-time; a leap second only at 23:59 UTC. */
const isTime = (text: string): boolean => {
  if (!TIME.test(text)) return false;
  const [hour, minute, second] = [
    Number(text.slice(0, 2)),
    Number(text.slice(3, 5)),
    Number(text.slice(6, 8)),
  ];
  const zulu = /z$/i.test(text.slice(-1));
  const offset = text.slice(-6);
  const [offsetHour, offsetMinute] = zulu
    ? [0, 0]
    : [Number(offset.slice(1, 3)), Number(offset.slice(4))];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const shift = (offsetHour * 60 + offsetMinute) * (offset.startsWith('-') ? 1 : -1);
  return (((hour * 60 + minute + (zulu ? 0 : shift)) % 1440) + 1440) % 1440 === 1439;
};

const isDateTime = (text: string): boolean =>
  (text[10] === 'T' || text[10] === 't') && isDate(text.slice(0, 10)) && isTime(text.slice(11));

/** RFC 3986: the characters, and what the URL parser makes of a scheme that it knows. */
const URI_CHARACTERS = fixedRegExp("^(?:[a-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9a-f]{2})*$", true);
const SCHEME = fixedRegExp('^[a-z][a-z0-9+.-]*:', true);

const isUri = (text: string): boolean =>
  isUriReference(text) && SCHEME.test(text) && URL.canParse(text);

const isUriReference = (text: string): boolean =>
  URI_CHARACTERS.test(text) &&
  text.indexOf('#') === text.lastIndexOf('#') &&
  URL.canParse(text, 'https://example.com/');

const isRegExp = (text: string): boolean => {
  try {
    linearRegExp(text, { charge: () => undefined });
    return true;
  } catch {
    return false;
  }
};
