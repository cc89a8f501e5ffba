import type { Caller } from '../../domain/identity/caller.ts';
import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordFilter } from '../../domain/record/record-store.port.ts';

/** The org filter of a listing. To an admin another org looks exactly like a missing one. */
export const ownOrg = (caller: Caller, requested: Uuid | undefined): { readonly orgId?: Uuid } => {
  if (caller.role === 'platform') return requested === undefined ? {} : { orgId: requested };
  if (caller.orgId === null || (requested !== undefined && requested !== caller.orgId))
    throw notFound('org');
  return { orgId: caller.orgId };
};

/**
 * The org that a registration is for. For an admin it is its own; a platform operator must name
 * one.
 */
export const governedOrg = (caller: Caller, requested: Uuid | undefined): Uuid => {
  if (caller.role === 'platform') {
    if (requested === undefined)
      throw new NotaryError(
        'ORG_REQUIRED',
        'Record types belong to an org; a platform key must name it with the query parameter orgId.',
      );
    return requested;
  }
  if (caller.orgId === null || (requested !== undefined && requested !== caller.orgId))
    throw notFound('org');
  return caller.orgId;
};

/**
 * The same for a listing that a platform operator may narrow to one org: what an admin of that org would list.
 *
 * @throws FORBIDDEN where another caller names another org. It says nothing of whether there is one.
 */
export const readerIn = (caller: Caller, orgId: Uuid | undefined): RecordFilter['reader'] => {
  if (orgId === undefined || orgId === caller.orgId) return readerOf(caller);
  if (caller.role === 'platform') return { orgId };
  throw new NotaryError(
    'FORBIDDEN',
    'Only a platform key lists another org; this one lists what it may read itself.',
    {
      allowedActors: ['platform'],
      suggestion: `Leave orgId out${caller.orgId === null ? '' : `, or send ${caller.orgId}`}.`,
    },
  );
};

/** Whose records a caller may read: those of its agent, those of its org, or all (null). */
export const readerOf = (caller: Caller): RecordFilter['reader'] => {
  if (caller.role === 'platform') return null;
  if (caller.role === 'admin' && caller.orgId) return { orgId: caller.orgId };
  if (caller.agentId) return { agentId: caller.agentId };
  throw new NotaryError(
    'FORBIDDEN',
    'The credential belongs to no agent and no org, so there are no records to list.',
  );
};
