import { NotaryError } from '../../domain/kernel/errors.ts';
import { DuplicateError } from '../ports/unit-of-work.port.ts';

/** The refusal does not tell whose key it is, nor whether it is still in use. */
export const keyTaken = (cause?: unknown): NotaryError =>
  new NotaryError(
    'CONFLICT',
    'A key with this thumbprint was registered with this service before. A key is registered once, for one agent and one purpose, and a key that was revoked or replaced does not come back.',
    { suggestion: 'Make a new key pair and register that.' },
    { cause },
  );

/** Where two calls register the same key at once, the later commit gets the same refusal. */
export const unlessTaken = async <T>(registration: Promise<T>): Promise<T> => {
  try {
    return await registration;
  } catch (error) {
    throw error instanceof DuplicateError && error.constraint.includes('agent_keys')
      ? keyTaken(error)
      : error;
  }
};
