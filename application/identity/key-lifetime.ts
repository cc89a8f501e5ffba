import { NotaryError } from '../../domain/kernel/errors.ts';

export interface KeyLifetimes {
  /** Null: keys do not expire unless the mint asks. */
  readonly defaultSeconds: number | null;
  readonly maxSeconds: number | null;
}

/**
 * When a new key expires, ISO 8601; null: never.
 *
 * @throws VALIDATION_ERROR where both members are given, UNPROCESSABLE past the operator's maximum
 *   or in the past.
 */
export const expiryOf = (
  input: { readonly expiresAt?: string; readonly expiresInSeconds?: number },
  lifetimes: KeyLifetimes,
  now: Date,
): string | null => {
  if (input.expiresAt !== undefined && input.expiresInSeconds !== undefined) {
    const message = 'give expiresAt or expiresInSeconds, not both';
    throw new NotaryError('VALIDATION_ERROR', `${message[0]?.toUpperCase()}${message.slice(1)}.`, {
      errors: [{ path: '/expiresInSeconds', keyword: 'not', message }],
    });
  }
  const seconds =
    input.expiresAt === undefined
      ? (input.expiresInSeconds ?? lifetimes.defaultSeconds ?? lifetimes.maxSeconds)
      : (Date.parse(input.expiresAt) - now.getTime()) / 1000;
  if (seconds === null) return null;
  if (seconds <= 0)
    throw new NotaryError('UNPROCESSABLE', 'expiresAt must lie in the future.', {
      errors: [{ path: '/expiresAt', keyword: 'minimum', message: 'is not in the future' }],
    });
  if (lifetimes.maxSeconds !== null && seconds > lifetimes.maxSeconds) {
    throw new NotaryError(
      'UNPROCESSABLE',
      `A key lives at most ${lifetimes.maxSeconds} seconds here.`,
      {
        errors: [
          {
            path: input.expiresAt === undefined ? '/expiresInSeconds' : '/expiresAt',
            keyword: 'maximum',
            message: `at most ${lifetimes.maxSeconds} seconds from now`,
          },
        ],
      },
    );
  }
  return new Date(now.getTime() + seconds * 1000).toISOString();
};
