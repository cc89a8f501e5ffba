import { NotaryError } from '../../domain/kernel/errors.ts';

/** The error of every signer whose key cannot be reached or does not sign. */
export const cannotSign = (cause: unknown): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The service cannot sign at the moment; nothing was written.',
    { retryAfter: 5 },
    { cause },
  );
