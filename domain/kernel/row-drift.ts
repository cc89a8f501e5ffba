import { NotaryError } from './errors.ts';

/** A stored row is not what the service wrote last: somebody edited the database, or put an earlier row back. */
export const rowDrift = (table: string, id: string | null): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored row${id === null ? '' : ` ${id}`} of ${table} is not what the service wrote last; nothing is decided on it.`,
    {
      reason: 'payload_drift',
      suggestion:
        'Tell the operator: the database was changed behind the service. The log names the row, and the platform chain holds what was signed.',
    },
  );

/** Whether a refusal says that a row does not agree with what was sealed. */
export const isDrift = (error: unknown): boolean =>
  error instanceof NotaryError && error.members.reason === 'payload_drift';

/** What was read; null where a row of it is not what the service wrote. */
export const unlessDrifted = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (isDrift(error)) return null;
    throw error;
  }
};
