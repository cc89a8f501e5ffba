import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** The log of an org's reads was changed behind the service. Nothing is signed over it. */
export const readsBroken = (orgId: Uuid, what: string): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored log of reads of the org ${orgId} is not the one that was signed: ${what}.`,
    {
      reason: 'log_broken',
      suggestion:
        'Tell the operator: the database was changed behind the service, or an older copy of it was restored.',
    },
  );

export const isReadsBroken = (error: unknown): error is NotaryError =>
  error instanceof NotaryError && error.members['reason'] === 'log_broken';
