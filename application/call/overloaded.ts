import { NotaryError } from '../../domain/kernel/errors.ts';

/** Nothing was done for the call, so to send it again is safe. */
export const overloaded = (retryAfter: number): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    `The service has more to do than it can answer in time. The request was not begun. Send it again in ${retryAfter} s.`,
    { retryAfter },
  );
