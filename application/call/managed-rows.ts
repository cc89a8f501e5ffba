import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

export type ManagedBy = 'provisioning' | null;

/** What a row says of who made it, from its first version on. */
export const managedByOf = (caller: Pick<Caller, 'isProvisioning'>): ManagedBy =>
  caller.isProvisioning ? 'provisioning' : null;

/** @throws PROVISIONING_MANAGED where files manage the row and another than these would change it. */
export const assertUnmanaged = (
  caller: Pick<Caller, 'isProvisioning'>,
  { managedBy }: { readonly managedBy: ManagedBy },
  what: 'org' | 'agent' | 'key' | 'issuer' | 'webhook' | 'record type',
): void => {
  if (managedBy === null || caller.isProvisioning) return;
  throw new NotaryError(
    'PROVISIONING_MANAGED',
    `The ${what} is managed by provisioning files.${what === 'webhook' ? ' It may be paused and resumed here.' : ''}`,
  );
};
