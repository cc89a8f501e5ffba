import { NotaryError } from '../../domain/kernel/errors.ts';
import { DuplicateError } from '../unit-of-work.port.ts';

/** Whose it is, and whether it still is, is not said. */
export const keyTaken = (cause?: unknown): NotaryError =>
  new NotaryError(
    'CONFLICT',
    'A key with this thumbprint was registered with this service before. A key is registered once, for one agent and one purpose, and a key that was revoked or replaced does not come back.',
    { suggestion: 'Make a new key pair and register that.' },
    { cause },
  );

/** Of two that register the same key at once, the one that commits later is told so. */
export const unlessTaken = async <T>(registration: Promise<T>): Promise<T> => {
  try {
    return await registration;
  } catch (error) {
    throw error instanceof DuplicateError && error.constraint.includes('agent_keys')
      ? keyTaken(error)
      : error;
  }
};
