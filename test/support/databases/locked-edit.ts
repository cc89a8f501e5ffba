import type { DatabaseSync } from '@photostructure/sqlite';
import { until } from '../peers/receiver.ts';

/**
 * Edits a SQLite file in one transaction, beside a service that works in this thread. The service may hold the lock, and
 * would never give it back if this thread blocked, so each attempt that finds the file locked ends at once.
 */
export const lockedEdit = async (
  database: Pick<InstanceType<typeof DatabaseSync>, 'exec'>,
  edit: () => void,
): Promise<void> => {
  await until(() => {
    try {
      database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (String(error).includes('locked')) return false;
      throw error;
    }
  });
  try {
    edit();
  } finally {
    database.exec('COMMIT');
  }
};
