import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { instantText } from './instant-text.ts';
import { uuidFromBytes, uuidFromHex, uuidToBytes } from './uuid-bytes.ts';

/**
 * How values are stored. A UUID is 16 bytes, a hash 32. A time is a BIGINT of milliseconds since
 * 1970: it sorts, keeps the milliseconds exactly in both databases, and does not depend on the time
 * zone of a session. JSON is text made by JSON.stringify and never a JSON column, which would
 * reorder members and round numbers.
 */
export const uuidToSql = uuidToBytes;
export const uuidFromSql = (stored: Uint8Array | string): Uuid =>
  typeof stored === 'string' ? uuidFromHex(stored) : uuidFromBytes(stored);

export const hexToSql = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
export const hexFromSql = (stored: Uint8Array | string): string =>
  typeof stored === 'string' ? stored.toLowerCase() : bufferOf(stored).toString('hex');

export const hashFromSql = (stored: Uint8Array | string): Uint8Array =>
  bytesFromSql(typeof stored === 'string' ? Buffer.from(stored, 'hex') : stored);

/** Copied, because drivers return views into their packets. */
export const bytesFromSql = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

/** @throws RangeError on a text that is not a time: it would otherwise be stored as NaN. */
export const timeToSql = (iso: string): number => {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) throw new RangeError(`${iso} is not an ISO 8601 time`);
  return time;
};
export const timeFromSql = (time: number): string => instantText(Number(time));

export const jsonToSql = (value: object): string => JSON.stringify(value);
export const jsonFromSql = <T>(text: string): T => JSON.parse(text) as JsonValue as T;

export const booleanToSql = (value: boolean): number => (value ? 1 : 0);
export const booleanFromSql = (value: number): boolean => Number(value) === 1;

/** Passes null through one of the functions above. */
export const orNull = <In, Out>(value: In | null, map: (value: In) => Out): Out | null =>
  value === null ? null : map(value);

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
