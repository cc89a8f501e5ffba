import { NotaryError } from '../../domain/kernel/errors.ts';
import { StrictJsonError, TooManyValuesError } from '../../domain/kernel/strict-json.ts';

/** What a body that cannot be read is answered with, and any other error itself. */
export const bodyRefusal = (cause: unknown): unknown => {
  if (!(cause instanceof StrictJsonError)) return cause;
  const { message, pointer } = cause;
  const errors = (keyword: string) => [{ path: pointer, keyword, message }];
  if (cause instanceof TooManyValuesError)
    return new NotaryError(
      'PAYLOAD_TOO_LARGE',
      `The body is too large: ${message}`,
      {
        errors: errors('maxValues'),
        suggestion:
          'Send fewer members and items: keep the content elsewhere and send its hash, or divide it.',
      },
      { cause },
    );
  return new NotaryError(
    'VALIDATION_ERROR',
    `The body is not acceptable JSON: ${message}`,
    { errors: errors('json') },
    { cause },
  );
};
