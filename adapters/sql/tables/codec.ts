import { packed, packedText, unpacked, unpackedText } from '../base/packed-bytes.ts';
import type { SqlValue } from '../base/session.ts';
import {
  booleanFromSql,
  booleanToSql,
  bytesFromSql,
  hashFromSql,
  hexFromSql,
  hexToSql,
  jsonFromSql,
  jsonToSql,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../base/values.ts';

/** How one kind of value is stored in a column, and read back. */
export interface Codec<Stored extends SqlValue, Value> {
  /** Absent where the database stores the value unchanged. */
  readonly translate?: Translation<Stored, Value>;
  /** The column may be NULL. */
  readonly isNullable: boolean;
  /** Short bytes, which a statement may give as hexadecimal digits: both are read. */
  readonly readsDigits?: true;
  /** The value that NULL stands for. */
  readonly whenNull?: Value;
}

interface Translation<Stored, Value> {
  toSql(value: Value): Stored;
  fromSql(stored: Stored): Value;
}

/** A value that is stored in another form. */
export const translated = <Stored extends SqlValue, Value>(
  toSql: (value: Value) => Stored,
  fromSql: (stored: Stored) => Value,
): Codec<Stored, Value> => ({ translate: { toSql, fromSql }, isNullable: false });

const short = <Value>(
  toSql: (value: Value) => Uint8Array,
  fromSql: (stored: Uint8Array) => Value,
): Codec<Uint8Array, Value> => ({ ...translated(toSql, fromSql), readsDigits: true });

const AS_IT_IS = { isNullable: false } as const;

export const UUID = short(uuidToSql, uuidFromSql);
/** A hash, which the domain spells in lowercase hex. */
export const HEX = short(hexToSql, hexFromSql);
/** A hash, as bytes in the domain. */
export const HASH = short((hash: Uint8Array) => hash, hashFromSql);
export const BYTES = translated<Uint8Array, Uint8Array>((bytes) => bytes, bytesFromSql);
/** Signed bytes in less space; those that were stored as they are, are read too. */
export const PACKED = translated<Uint8Array, Uint8Array>(packed, unpacked);
/** ISO 8601 with milliseconds in the domain, milliseconds since 1970 in the database. */
export const INSTANT = translated(timeToSql, timeFromSql);
export const BOOLEAN = translated(booleanToSql, booleanFromSql);
export const TEXT: Codec<string, string> = AS_IT_IS;
export const INTEGER: Codec<number, number> = AS_IT_IS;

/** One of a few texts or integers. */
export const oneOf = <Few extends string | number>(): Codec<Few, Few> => AS_IT_IS;

export const json = <Value extends object>(): Codec<string, Value> =>
  translated<string, Value>(jsonToSql, jsonFromSql<Value>);

/** JSON in less space; what was stored as it is, is read too. */
export const packedJson = <Value extends object>(): Codec<string, Value> =>
  translated<string, Value>(
    (value) => packedText(jsonToSql(value)),
    (stored) => jsonFromSql<Value>(unpackedText(stored)),
  );

export const nullable = <Stored extends SqlValue, Value>(
  codec: Codec<Stored, Value>,
): Codec<Stored | null, Value | null> => ({ ...codec, isNullable: true, whenNull: null });

/**
 * The usual value is stored as NULL, which takes no space in a row, nor in an index that leaves
 * NULL out.
 */
export const usually = <Stored extends SqlValue, Value>(
  usual: Value,
  codec: Codec<Stored, Value>,
): Codec<Stored | null, Value> => ({ ...codec, isNullable: true, whenNull: usual });
