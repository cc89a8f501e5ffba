import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * The time at which a new record expires, ISO 8601 with milliseconds; null if it never does.
 *
 * @throws VALIDATION_ERROR where both members are given, UNPROCESSABLE where the time is not in the future.
 */
export const expiryOf = (
  input: { readonly expiresAt?: string | null; readonly ttlSeconds?: number },
  defaultTtlSeconds: number | null,
  at: string,
): string | null => {
  // Null, as answers show it, is the same as nothing.
  const given = input.expiresAt ?? undefined;
  if (given !== undefined && input.ttlSeconds !== undefined) {
    const message = 'give expiresAt or ttlSeconds, not both';
    throw new NotaryError(
      'VALIDATION_ERROR',
      `Both expiresAt and ttlSeconds are given; ${message}.`,
      { errors: [{ path: '/ttlSeconds', keyword: 'not', message }] },
    );
  }
  if (given !== undefined) {
    const deadline = new Date(given).toISOString();
    if (deadline <= at)
      throw new NotaryError('UNPROCESSABLE', `expiresAt must lie in the future; it is ${at} now.`, {
        errors: [{ path: '/expiresAt', keyword: 'minimum', message: 'is not in the future' }],
      });
    return deadline;
  }
  const seconds = input.ttlSeconds ?? defaultTtlSeconds;
  return seconds === null ? null : new Date(Date.parse(at) + seconds * 1000).toISOString();
};
