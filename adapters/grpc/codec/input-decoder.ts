import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { TObject } from 'typebox';
import type { JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { pairsOf, type Pair } from './pairs.ts';

/** JSON of an input, at its place as a JSON Pointer. */
export type ReadJson = (bytes: Uint8Array, pointer: string) => JsonValue | Promise<JsonValue>;

/** Makes the input of an operation of a message, one part after the other. Nothing is checked but that it can be said. */
export type Decode = (message: Message, json: ReadJson) => Promise<Members> | Members;

type Members = { [member: string]: unknown };
type Fields = { readonly [name: string]: unknown };

/**
 * Compiled once for each message. A field that is not set is a member that is not there; where the operation demands a
 * text or content, an empty one is not there either, for proto3 sends both alike.
 *
 * @throws TypeError where the input and the message are out of step.
 */
export const inputDecoder = (
  schema: TObject,
  message: DescMessage,
  items: { readonly [member: string]: TObject } = {},
): Decode => {
  const decoders = decodersOf(schema, message, items);
  return (value, json) => {
    const waiting: Promise<void>[] = [];
    const input = membersOf(value, decoders, { json, waiting, pointer: '' });
    return waiting.length === 0 ? input : allOf(waiting).then(() => input);
  };
};

/** Every one of them is heard, and the first that fails is told. */
const allOf = async (waiting: readonly Promise<void>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(waiting))
    if (outcome.status === 'rejected') throw outcome.reason;
};

interface Reading {
  readonly json: ReadJson;
  readonly waiting: Promise<void>[];
  readonly pointer: string;
}

interface Decoder extends Pair {
  /** Of a message: its own members. */
  readonly inner: readonly Decoder[];
}

const decodersOf = (
  schema: TObject,
  message: DescMessage,
  items: { readonly [member: string]: TObject } = {},
): readonly Decoder[] =>
  pairsOf(schema, message, items).map((pair) => ({
    ...pair,
    inner: pair.form.kind === 'message' ? decodersOf(pair.form.schema, pair.form.message) : [],
  }));

const membersOf = (message: Message, decoders: readonly Decoder[], reading: Reading): Members => {
  assertKnown(message, reading.pointer);
  const input: Members = {};
  for (const decoder of decoders) {
    const { name, field, isList } = decoder;
    const value = (message as unknown as Fields)[field.localName];
    const at = (index: number | string): Reading => ({
      ...reading,
      pointer: `${reading.pointer}/${index}`,
    });
    if (isList) {
      const list = value as readonly unknown[];
      if (list.length > 0 || decoder.isRequired) {
        const read: unknown[] = (input[name] = []);
        const inList = at(name);
        for (const [index, item] of list.entries())
          put(read, index, item, decoder, { ...reading, pointer: `${inList.pointer}/${index}` });
      }
    } else if (isThere(value, decoder)) put(input, name, value, decoder, at(name));
  }
  return input;
};

const isThere = (value: unknown, { form, field }: Decoder): boolean => {
  if (value === undefined) return false;
  if (field.presence !== IMPLICIT) return true;
  if (form.kind === 'string') return value !== '';
  return (form.kind !== 'json' && form.kind !== 'base64') || (value as Uint8Array).length > 0;
};

const IMPLICIT = 2;

const put = (
  into: Members | unknown[],
  name: string | number,
  value: unknown,
  { form, inner }: Decoder,
  reading: Reading,
): void => {
  const members = into as Members;
  switch (form.kind) {
    case 'message':
      members[name] = membersOf(value as Message, inner, reading);
      return;
    case 'int64':
      members[name] = exactNumber(value as bigint, reading.pointer);
      return;
    case 'base64':
      members[name] = encodeBase64(value as Uint8Array);
      return;
    case 'json': {
      const read = reading.json(value as Uint8Array, reading.pointer);
      if (!(read instanceof Promise)) members[name] = read;
      // Its place is kept, so that members stand in one order.
      else {
        members[name] = null;
        reading.waiting.push(read.then((json) => void (members[name] = json)));
      }
      return;
    }
    default:
      members[name] = value;
  }
};

/** RFC 7493 section 2.2: beyond it another number would be sealed than was sent. */
const exactNumber = (value: bigint, pointer: string): number => {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const detail = `${value} is no integer that JSON can hold exactly`;
  throw new NotaryError('VALIDATION_ERROR', `The message cannot be read: ${detail}.`, {
    errors: [{ path: pointer, keyword: 'integer', message: detail }],
    suggestion: 'Send an integer between -9007199254740991 and 9007199254740991.',
  });
};

/** A notary seals what it was sent, and nothing less: a field that it does not know might change the meaning. */
const assertKnown = (message: Message, pointer: string): void => {
  const [unknown] = message.$unknown ?? [];
  if (!unknown) return;
  const detail = `${message.$typeName} has no field ${unknown.no}`;
  throw new NotaryError('VALIDATION_ERROR', `The message cannot be read: ${detail}.`, {
    errors: [{ path: pointer, keyword: 'unknownField', message: detail }],
    suggestion: 'Generate the client anew from the .proto files of this release of the service.',
  });
};
