import { toBinary, type DescMessage, type Message } from '@bufbuild/protobuf';
import type { TObject } from 'typebox';
import { pairsOf, type Pair } from './pairs.ts';

/** Makes the message of a view. */
export type Encode = (view: unknown) => Message;

/** How parts are shown that look different in each protocol. */
export interface Shows {
  step(step: unknown): object;
  refusal(refusal: unknown): object;
}

type Values = { readonly [member: string]: unknown };

/**
 * Compiled once for each message. What is null, or is not there, is a field that is not set.
 *
 * @throws TypeError where the view and the message are out of step.
 */
export const viewEncoder = (schema: TObject, message: DescMessage, shows: Shows): Encode => {
  const encoders = pairsOf(schema, message).map((pair) => ({
    ...pair,
    encode: encoderOf(pair, shows),
  }));
  const { typeName } = message;
  return (view) => {
    const fields: { [name: string]: unknown } = { $typeName: typeName };
    for (const { name, field, isList, encode } of encoders) {
      const value = (view as Values)[name];
      const isMissing = value === undefined || value === null;
      if (isList)
        fields[field.localName] = isMissing ? [] : (value as readonly unknown[]).map(encode);
      else if (!isMissing) fields[field.localName] = encode(value);
      else if (field.fieldKind === 'map') fields[field.localName] = {};
    }
    return fields as unknown as Message;
  };
};

export const bytesOf = (schema: DescMessage, message: Message): Buffer => {
  const { buffer, byteOffset, byteLength } = toBinary(schema, message);
  return Buffer.from(buffer, byteOffset, byteLength);
};

export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const encoderOf = ({ form }: Pair, shows: Shows): ((value: unknown) => unknown) => {
  switch (form.kind) {
    case 'message':
      return viewEncoder(form.schema, form.message, shows);
    case 'step':
      return (step) => ({ $typeName: form.message.typeName, ...shows.step(step) });
    case 'refusal':
      return (refusal) => ({ $typeName: form.message.typeName, ...shows.refusal(refusal) });
    case 'json':
      return jsonBytes;
    case 'base64':
      return (text) => Buffer.from(text as string, 'base64');
    case 'int64':
      return (number) => BigInt(number as number);
    default:
      return (value) => value;
  }
};
