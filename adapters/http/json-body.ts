import { NotaryError } from '../../domain/kernel/errors.ts';
import { StrictJsonError, TooManyValuesError } from '../../domain/kernel/strict-json.ts';

/** What a body that cannot be read is answered with, and any other error itself. */
export const bodyRefusal = (cause: unknown): unknown => {
  if (!(cause instanceof StrictJsonError)) return cause;
  const { message, pointer, line, column } = cause;
  if (cause instanceof TooManyValuesError)
    return new NotaryError(
      'PAYLOAD_TOO_LARGE',
      `The body is too large: ${message}`,
      {
        errors: [{ path: pointer, keyword: 'maxValues', message }],
        suggestion:
          'Send fewer members and items: keep the content elsewhere and send its hash, or divide it.',
      },
      { cause },
    );
  const place = `line ${line}, column ${column}`;
  return new NotaryError(
    'VALIDATION_ERROR',
    `The body is not acceptable JSON, at ${place}: ${message}`,
    {
      errors: [{ path: pointer, keyword: 'json', message: `At ${place}: ${message}` }],
      suggestion: 'Correct the text at that place and send the request again.',
    },
    { cause },
  );
};
