import { mysqlTarget } from '../adapters/sql/mysql-url.ts';
import { backUpSqlite } from '../adapters/sql/sqlite-backup.ts';
import type { Settings } from './settings-table.ts';
import { onDatabase, StartError } from './start-error.ts';

/** Copies the embedded database into a new file. @returns its bytes. */
export const backUp = (settings: Settings, target: string): Promise<number> =>
  onDatabase(settings, async () => {
    const url = settings.DATABASE_URL;
    if (url.startsWith('sqlite://')) return backUpSqlite(url.slice('sqlite://'.length), target);
    const { host, port, user, database } = mysqlTarget(url);
    throw new StartError(
      `DATABASE_URL: MySQL is backed up by its own tools, such as: mysqldump --single-transaction --no-tablespaces --set-gtid-purged=OFF --hex-blob -h ${host} -P ${port} -u ${user} -p ${database} > ${target}`,
    );
  });
