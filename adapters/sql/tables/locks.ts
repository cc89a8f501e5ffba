import type { UnitContext } from './unit-context.ts';

/** Rows that exist only to be locked. `schema/upkeep.ts` inserts them. */
export const LOCKS = {
  /** Held while leaves are added to the log of checkpoints. */
  checkpointLog: 'checkpoint-log',
  /** Held while it is decided whether a platform key exists. */
  platformKeys: 'platform-keys',
  /** Held while admin access to an org is revoked, so that two calls do not revoke the last two at once. */
  adminAccess: 'admin-doors',
} as const;

/**
 * Locks the row until the end of the unit of work. It is written, since Galera knows the locks of other nodes by what they
 * write, and by nothing else: of two units that hold the same lock on two nodes one runs again.
 */
export const takeLock = async (
  unit: UnitContext,
  name: (typeof LOCKS)[keyof typeof LOCKS],
): Promise<void> => {
  const found = await unit.run('UPDATE locks SET value = value + 1 WHERE name = ?', [name]);
  if (found !== 1) throw new Error(`the lock ${name} is missing from the database`);
};
