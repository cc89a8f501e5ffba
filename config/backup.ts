import { namesIn } from '../adapters/system/places.ts';
import { mysqlTarget } from '../adapters/sql/mysql/mysql-url.ts';
import { backUpSqlite, type TakenBackup } from '../adapters/sql/sqlite/sqlite-backup.ts';
import type { CopySummary } from '../adapters/sql/sqlite/sqlite-copy.ts';
import { sqliteFileOf } from '../adapters/sql/database/sqlite-file.ts';
import { restoreSqlite } from '../adapters/sql/sqlite/sqlite-restore.ts';
import type { Log } from '../application/ports/log.port.ts';
import { revocationsAfterRestore, type RestoredRevocations } from './restored-revocations.ts';
import { assertDatabaseExists } from './absent-database.ts';
import type { Settings } from './settings-table.ts';
import { onDatabase, StartError } from './start-error.ts';

/** Copies the embedded database into a new file. */
export const backUp = (settings: Settings, target: string): Promise<TakenBackup> =>
  onDatabase(settings, async () => {
    const file = sqliteFile(settings);
    await assertDatabaseExists(settings);
    if (file !== null) return backUpSqlite(file, target);
    const { host, port, user, database } = mysqlTarget(settings.DATABASE_URL);
    throw new StartError(
      `DATABASE_URL: MySQL is backed up by its own tools, such as: mysqldump --single-transaction --no-tablespaces --set-gtid-purged=OFF --hex-blob -h ${host} -P ${port} -u ${user} -p ${database} > ${target}`,
    );
  });

export interface Restored extends CopySummary {
  readonly database: string;
  /** What has to be revoked again; null if nothing could say it. */
  readonly lostRevocations: RestoredRevocations | null;
  /** Sentences for the operator. */
  readonly warnings: readonly string[];
}

/** Puts a backup of the embedded database where the settings want the database. */
export const restore = (settings: Settings, log: Log, source: string): Promise<Restored> =>
  onDatabase(settings, async () => {
    const file = sqliteFile(settings);
    if (file !== null) {
      const warnings = await anchorWarnings(settings);
      const restored = { database: file, ...restoreSqlite(source, file) };
      if (settings.ANCHOR === 'none') return { ...restored, lostRevocations: null, warnings };
      try {
        const lostRevocations = await revocationsAfterRestore(settings, log);
        return { ...restored, lostRevocations, warnings };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const unread = `What was revoked after this backup cannot be listed: ${why} Repair it, then run: notary doctor`;
        return { ...restored, lostRevocations: null, warnings: [...warnings, unread] };
      }
    }
    const { host, port, user, database } = mysqlTarget(settings.DATABASE_URL);
    throw new StartError(
      `DATABASE_URL: MySQL is restored by its own tools, into an empty database, such as: mysql -h ${host} -P ${port} -u ${user} -p ${database} < ${source}`,
    );
  });

/** Without the anchors nothing shows that the copy is older than what was sealed last. */
const anchorWarnings = async (settings: Settings): Promise<readonly string[]> => {
  const { ANCHOR, ANCHOR_PATH } = settings;
  if (ANCHOR === 's3') return [];
  if (ANCHOR === 'none')
    return ['ANCHOR=none: nothing tells the service that entries were sealed after this backup.'];
  const found = await namesIn(ANCHOR_PATH);
  return found.length > 0
    ? []
    : [
        `There are no anchors at ${ANCHOR_PATH}, so nothing tells the service that entries were sealed after this backup. Where there are anchors elsewhere, put them there before the start.`,
      ];
};

/** Null: the database is a server. */
export const sqliteFile = ({ DATABASE_URL }: Settings): string | null => sqliteFileOf(DATABASE_URL);
