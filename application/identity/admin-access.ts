import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { KeySelection } from '../../domain/identity/identity-store.port.ts';
import type { Stores } from '../unit-of-work.port.ts';

/**
 * Refuses to close the last way in: an org that nobody can administer is opened again by the platform alone, and a
 * platform without a key by nobody.
 *
 * @param closing keys that are revoked now.
 * @param swept all keys that are being revoked, of which `closing` are a part; none of them counts as another way.
 * @throws FORBIDDEN where no other way would be left.
 */
export const assertDoorRemains = async (
  stores: Stores,
  closing: KeySelection,
  now: Date,
  swept: KeySelection = closing,
): Promise<void> => {
  for (const orgId of await stores.apiKeys.governedBy(closing, now)) {
    if (!(await remains(stores, orgId, swept, now))) throw lastDoor(orgId);
  }
};

/** Every kind of way into an org (null: the platform); a further kind is a further line. */
const DOORS: readonly ((
  stores: Stores,
  orgId: Uuid | null,
  swept: KeySelection,
  now: Date,
) => Promise<boolean>)[] = [
  (stores, orgId, swept, now) => stores.apiKeys.isGovernedBeside(orgId, swept, now),
  async (stores, orgId) => orgId !== null && stores.trustedIssuers.hasAdminDoor(orgId),
];

const remains = async (
  stores: Stores,
  orgId: Uuid | null,
  swept: KeySelection,
  now: Date,
): Promise<boolean> => {
  for (const isOpen of DOORS) if (await isOpen(stores, orgId, swept, now)) return true;
  return false;
};

const lastDoor = (orgId: Uuid | null): NotaryError =>
  orgId === null
    ? new NotaryError(
        'FORBIDDEN',
        'This would leave the platform without an active key that mints others.',
        { suggestion: 'Mint another platform key for another operator first.' },
      )
    : new NotaryError(
        'FORBIDDEN',
        `This would leave the org ${orgId} without an active admin key that mints others and without an enabled trusted issuer of admins: nobody of it could administer it.`,
        { suggestion: 'Mint an admin key for another agent of the org first.' },
      );
