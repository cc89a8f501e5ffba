import { NotaryError } from '../../domain/kernel/errors.ts';

/** The log of an org was changed behind the service. Nothing is signed over it. */
export const orgLogBroken = (what: string): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored log of the org is not the one that was signed: ${what}.`,
    {
      reason: 'log_broken',
      suggestion:
        'Tell the operator: the database was changed behind the service, or an older copy of it was restored.',
    },
  );
