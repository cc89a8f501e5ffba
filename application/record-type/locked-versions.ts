import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { ofOnePublisher, type NamedType } from './find-type.ts';
import type { VerifiedTypes } from './verified-types.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { assertUnmanaged } from '../call/managed-rows.ts';

export interface LockedVersions {
  /** Newest first, never empty; each is proven to be what was registered, with the status that the chain says. */
  readonly rows: readonly RecordType[];
  readonly head: ChainHead | null;
}

/**
 * The versions to which a request refers. The schema chain of the org is locked, so other writers of its record types
 * come before or after.
 *
 * @throws NOT_FOUND, AMBIGUOUS_PUBLISHER, CONFLICT with reason payload_drift
 */
export const lockVersions = async (
  stores: Stores,
  verifiedTypes: VerifiedTypes,
  orgId: Uuid,
  name: Pick<NamedType, 'type' | 'publisher' | 'version'>,
): Promise<LockedVersions> => {
  const head = await stores.chains.lockHead(schemaChain(orgId));
  const rows = ofOnePublisher(await stores.recordTypes.ofName(orgId, name.type), name);
  if (rows.length === 0) throw notFound('record type');
  // Nothing is signed about an edited row: it must be what was registered.
  return { rows: await verifiedTypes.within(stores, orgId, rows), head };
};

/**
 * @returns the ids of those that files manage.
 * @throws PROVISIONING_MANAGED where they manage one of the versions and another would change it.
 */
export const managedVersions = async (
  stores: Stores,
  caller: Caller,
  rows: readonly RecordType[],
): Promise<ReadonlySet<Uuid>> => {
  const managed = await stores.provisionedRows.among(rows.map(({ id }) => id));
  if (managed.size > 0) assertUnmanaged(caller, { managedBy: 'provisioning' }, 'record type');
  return managed;
};
