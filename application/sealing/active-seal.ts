import type { Seal } from '../../domain/vault/chain.ts';
import { RetiredKeyError, type Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from './vault.ts';

/**
 * The seal by which a unit of work signs what is on no chain, where the database would not refuse a retired key. A rotation
 * waits until the unit has ended, or the unit runs again with the new key.
 */
export const activeSeal = async (
  { vaultKeys }: Pick<Stores, 'vaultKeys'>,
  { seal }: Pick<Vault, 'seal'>,
): Promise<Seal> => {
  if (!(await vaultKeys.holdActive(seal.signer.keyId))) throw new RetiredKeyError();
  return seal;
};
