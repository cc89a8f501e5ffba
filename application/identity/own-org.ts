import type { Caller } from '../../domain/identity/caller.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** The org filter that a listing runs under. Another org's answers to an admin as a missing one does. */
export const ownOrg = (caller: Caller, requested: Uuid | undefined): { readonly orgId?: Uuid } => {
  if (caller.role === 'platform') return requested === undefined ? {} : { orgId: requested };
  if (caller.orgId === null || (requested !== undefined && requested !== caller.orgId)) throw notFound('org');
  return { orgId: caller.orgId };
};
