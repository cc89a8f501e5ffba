import { firstOf } from './session.ts';
import type { UnitContext } from './unit.ts';

/** Rows that exist only to be locked. The migration that creates the table inserts them. */
export const LOCKS = {
  /** Held while leaves are added to the log of checkpoints. */
  checkpointLog: 'checkpoint-log',
  /** Held while it is decided whether a platform key exists. */
  platformKeys: 'platform-keys',
  /** Held while admin access to an org is revoked, so that two calls do not revoke the last two at once. */
  adminAccess: 'admin-doors',
} as const;

/** Locks the row until the end of the unit of work and returns its value. */
export const takeLock = async (
  unit: UnitContext,
  name: (typeof LOCKS)[keyof typeof LOCKS],
): Promise<number> => {
  const row = firstOf(
    await unit.all<{ readonly value: number }>(
      `SELECT value FROM locks WHERE name = ?${unit.dialect.forUpdate}`,
      [name],
    ),
  );
  if (!row) throw new Error(`the lock ${name} is missing from the database`);
  return row.value;
};
