import { randomHex } from '../../client/digest.ts';
import { isUnavailable } from '../../client/notary-problem.ts';
import type { CallOptions } from '../../client/transport.ts';
import { Unanswered } from './shell-error.ts';

/**
 * Creates something under an idempotency key, which is told where no answer came: under the same key a repetition of the
 * command creates nothing twice.
 *
 * @param given by the caller, for a repetition
 */
export const createOnce = async <T>(
  given: string | undefined,
  create: (options: CallOptions) => Promise<T>,
): Promise<T> => {
  const idempotencyKey = given ?? randomHex();
  try {
    return await create({ idempotencyKey });
  } catch (error) {
    throw isUnavailable(error) ? new Unanswered(error, idempotencyKey) : error;
  }
};
