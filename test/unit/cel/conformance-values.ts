import {
  type CelInput,
  celUint,
  type CelValue,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
} from '@bufbuild/cel';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { anyUnpack, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { createRegistry, isMessage } from '@bufbuild/protobuf';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';

const registry = createRegistry(TimestampSchema, DurationSchema);

/** A value of cel-spec's data as an input; undefined where it is a message that gates do not have. */
export const inputOf = (value: Value | undefined): CelInput | undefined => {
  const kind = value?.kind;
  switch (kind?.case) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'doubleValue':
    case 'int64Value':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
    case 'uint64Value':
      return celUint(kind.value);
    case 'listValue': {
      const elements = kind.value.values.map(inputOf);
      return elements.includes(undefined) ? undefined : (elements as CelInput[]);
    }
    case 'mapValue': {
      const entries = kind.value.entries.map(
        ({ key, value: member }) => [inputOf(key), inputOf(member)] as const,
      );
      return entries.some((entry) => entry.includes(undefined))
        ? undefined
        : new Map(entries as [never, CelInput][]);
    }
    case 'objectValue':
      return anyUnpack(kind.value, registry);
    default:
      return undefined;
  }
};

/** What an expected value looks like; undefined where gates have no such values. */
export const expectedText = (value: Value | undefined): string | undefined => {
  const kind = value?.kind;
  if (kind?.case === 'typeValue') return `type ${kind.value}`;
  const input = inputOf(value);
  return input === undefined ? undefined : textOf(input);
};

/** A text that is the same for equal values of the same types, and for no others. */
export const textOf = (value: CelInput | CelValue): string => {
  switch (typeof value) {
    case 'bigint':
      return `int ${value}`;
    case 'number':
      return `double ${Object.is(value, -0) ? '-0' : value}`;
    case 'boolean':
    case 'string':
      return JSON.stringify(value);
    default:
      return textOfObject(value);
  }
};

const textOfObject = (value: object | null): string => {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  if (isCelUint(value)) return `uint ${value.value}`;
  if (isCelType(value)) return `type ${value.name}`;
  if (isCelList(value) || Array.isArray(value))
    return `[${[...(value as Iterable<CelValue>)].map(textOf).join(', ')}]`;
  if (isCelMap(value) || value instanceof Map)
    return `{${[...(value as Map<CelValue, CelValue>).entries()]
      .map(([key, member]) => `${textOf(key)}: ${textOf(member)}`)
      .sort()
      .join(', ')}}`;
  const message = isReflectMessage(value) ? value.message : value;
  if (isMessage(message, TimestampSchema) || isMessage(message, DurationSchema))
    return `${message.$typeName} ${message.seconds}.${message.nanos}`;
  return `message ${String((message as { $typeName?: string }).$typeName)}`;
};
