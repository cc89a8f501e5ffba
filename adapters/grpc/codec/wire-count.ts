import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/**
 * How many fields a message holds, at all depths together; it stops counting above `most`. Two bytes on the wire may be a
 * whole message in memory, so this is asked before anything is made of the bytes.
 *
 * @throws Error where the bytes are no such message.
 */
export const countFields = (bytes: Uint8Array, message: DescMessage, most: number): number => {
  const reader = new BinaryReader(bytes);
  const known = fieldsOf(message);
  let count = 0;
  while (reader.pos < reader.len && count <= most) {
    const [number, wireType] = reader.tag();
    count++;
    const inner = known.get(number);
    if (inner && wireType === WireType.LengthDelimited)
      count += countFields(reader.bytes(), inner, most - count);
    else reader.skip(wireType, number);
  }
  return count;
};

const known = new WeakMap<DescMessage, ReadonlyMap<number, DescMessage>>();

/** The fields that are messages. */
const fieldsOf = (message: DescMessage): ReadonlyMap<number, DescMessage> => {
  const found = known.get(message);
  if (found) return found;
  const fields = new Map(
    message.fields.flatMap((field) =>
      field.message ? [[field.number, field.message] as const] : [],
    ),
  );
  known.set(message, fields);
  return fields;
};
