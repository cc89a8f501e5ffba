import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** The org whose log a call is about: that of the caller. @throws ORG_REQUIRED for whoever belongs to none. */
export const ownLog = ({ role, orgId }: Caller): Uuid => {
  if (orgId !== null && role !== 'platform') return orgId;
  throw new NotaryError(
    'ORG_REQUIRED',
    'A transparency log is that of one org; use it with a key of that org.',
    { suggestion: 'Use a key of an agent or an admin of the org.' },
  );
};
