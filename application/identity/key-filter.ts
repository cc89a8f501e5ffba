import type { ApiKeyFilter } from '../../domain/identity/identity-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/** @throws VALIDATION_ERROR where unused keys are asked for without an age. */
export const assertBounded = (filter: ApiKeyFilter): void => {
  if (filter.neverUsed === undefined || filter.createdBefore !== undefined) return;
  throw new NotaryError(
    'VALIDATION_ERROR',
    'neverUsed needs createdBefore: a key minted a moment ago was never used either.',
    {
      errors: [
        { path: '/createdBefore', keyword: 'required', message: 'is needed with neverUsed' },
      ],
    },
  );
};
