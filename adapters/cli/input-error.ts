/** Nothing was verified, because an input could not be obtained or read. The message says what to do. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

export const reasonOf = (cause: unknown): string =>
  cause instanceof Error
    ? cause.cause instanceof Error
      ? `${cause.message} (${cause.cause.message})`
      : cause.message
    : String(cause);
