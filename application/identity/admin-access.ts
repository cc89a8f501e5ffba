import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { KeySelection } from '../../domain/identity/identity-store.port.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/**
 * Refuses to revoke the last admin access. Only the platform can give an org access again that
 * nobody can administer, and nobody can give it to a platform without a key.
 *
 * @param closing keys that are revoked now.
 * @param swept all keys that are being revoked, `closing` among them; none of them counts as
 *   remaining access.
 * @throws FORBIDDEN where none would remain.
 */
export const assertAdminAccessRemains = async (
  stores: Stores,
  closing: KeySelection,
  now: Date,
  swept: KeySelection = closing,
): Promise<void> => {
  for (const orgId of await stores.apiKeys.governedBy(closing, now)) {
    if (!(await remains(stores, orgId, swept, now))) throw lastAccess(orgId);
  }
};

/** The kinds of admin access to an org (null: the platform). Another kind is another line. */
const ADMIN_ACCESS: readonly ((
  stores: Stores,
  orgId: Uuid | null,
  swept: KeySelection,
  now: Date,
) => Promise<boolean>)[] = [
  (stores, orgId, swept, now) => stores.apiKeys.isGovernedBeside(orgId, swept, now),
  async (stores, orgId) => orgId !== null && stores.trustedIssuers.hasAdminAccess(orgId),
];

const remains = async (
  stores: Stores,
  orgId: Uuid | null,
  swept: KeySelection,
  now: Date,
): Promise<boolean> => {
  for (const gives of ADMIN_ACCESS) if (await gives(stores, orgId, swept, now)) return true;
  return false;
};

const lastAccess = (orgId: Uuid | null): NotaryError =>
  orgId === null
    ? new NotaryError(
        'FORBIDDEN',
        'This would leave the platform without an active key that mints others.',
        { suggestion: 'Mint another platform key for another operator first.' },
      )
    : new NotaryError(
        'FORBIDDEN',
        `This would leave the org ${orgId} without an active admin key that mints others and without an enabled trusted issuer of admins. Then nobody in the org could administer it.`,
        { suggestion: 'Mint an admin key for another agent of the org first.' },
      );
