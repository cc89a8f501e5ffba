import { isCelList, isCelMap, isCelType, isCelUint, type CelValue } from '@bufbuild/cel';

/** The kinds of values in a gate, by the names that CEL gives to their types. */
export const KIND_NAMES = [
  'null_type',
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'list',
  'map',
  'type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
] as const;

/** A set of kinds, one bit each. */
export type Kinds = number;

export const NULL: Kinds = 1 << 0;
export const BOOL: Kinds = 1 << 1;
export const INT: Kinds = 1 << 2;
export const UINT: Kinds = 1 << 3;
export const DOUBLE: Kinds = 1 << 4;
export const STRING: Kinds = 1 << 5;
export const BYTES: Kinds = 1 << 6;
export const LIST: Kinds = 1 << 7;
export const MAP: Kinds = 1 << 8;
export const TYPE: Kinds = 1 << 9;
export const TIMESTAMP: Kinds = 1 << 10;
export const DURATION: Kinds = 1 << 11;
export const ANY: Kinds = (1 << KIND_NAMES.length) - 1;

export const NUMERIC: Kinds = INT | UINT | DOUBLE;

/** cel-spec, "Values": the keys that a map may have. */
export const KEYS: Kinds = INT | UINT | BOOL | STRING;

export const kindOf = (value: CelValue): Kinds => {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
      return DOUBLE;
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    default:
      if (value === null) return NULL;
      if (isCelMap(value)) return MAP;
      if (isCelList(value)) return LIST;
      if (isCelUint(value)) return UINT;
      if (value instanceof Uint8Array) return BYTES;
      if (isCelType(value)) return TYPE;
      return value.desc.typeName === 'google.protobuf.Timestamp' ? TIMESTAMP : DURATION;
  }
};

export const indexOfKind = (kind: Kinds): number => 31 - Math.clz32(kind);

export const kindsIn = (kinds: Kinds): Kinds[] =>
  KIND_NAMES.flatMap((_name, i) => ((kinds >> i) & 1 ? [1 << i] : []));

/** In words: `int`, `int or double`, `any value`. */
export const namesOf = (kinds: Kinds): string =>
  kinds === ANY
    ? 'any value'
    : kindsIn(kinds)
        .map((kind) => KIND_NAMES[indexOfKind(kind)]!.replace('google.protobuf.', ''))
        .map((name) => (name === 'null_type' ? 'null' : name.toLowerCase()))
        .join(' or ');
