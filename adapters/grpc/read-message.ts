import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { countFields } from './codec/wire-count.ts';

/**
 * The message of these bytes.
 *
 * @param maxFields how many there may be, at all depths together.
 * @throws NotaryError VALIDATION_ERROR where they are none: a wrong wire format, or text that is not UTF-8;
 *   PAYLOAD_TOO_LARGE.
 */
export const readMessage = <D extends DescMessage>(
  message: D,
  bytes: Uint8Array,
  maxFields: number,
): MessageShape<D> => {
  try {
    if (countFields(bytes, message, maxFields) <= maxFields) return fromBinary(message, bytes);
  } catch (cause) {
    throw unreadable(message, cause);
  }
  throw new NotaryError(
    'PAYLOAD_TOO_LARGE',
    `The message is too large: it has more than ${maxFields} fields and items.`,
    {
      errors: [{ path: '', keyword: 'maxValues', message: `must have at most ${maxFields}` }],
      suggestion: 'Send fewer of them, in several calls.',
    },
  );
};

const unreadable = ({ typeName }: DescMessage, cause: unknown): NotaryError =>
  new NotaryError(
    'VALIDATION_ERROR',
    `The message cannot be read as ${typeName}: it breaks the wire format of protobuf, or a text in it is not UTF-8.`,
    {
      errors: [{ path: '', keyword: 'protobuf', message: `is no ${typeName}` }],
      suggestion:
        'Send what a client makes that was generated from the .proto files of this service.',
    },
    { cause },
  );
