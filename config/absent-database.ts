import { join } from 'node:path';
import { databaseExists, orphanedFiles } from '../adapters/sql/database/database-exists.ts';
import { sqliteFileOf } from '../adapters/sql/database/sqlite-file.ts';
import { earlierVault } from './earlier-vault.ts';
import type { Settings } from './settings-table.ts';
import { shellEnvironment } from './shell-environment.ts';
import { StartError } from './start-error.ts';

/**
 * Refuses to go on if the settings name a database file that does not exist: to open it would make an empty one, and a
 * command would then report on the wrong notary.
 */
export const assertDatabaseExists = async (settings: Settings): Promise<void> => {
  assertNoOrphanedFiles(settings);
  if (absentDatabase(settings) === null) return;
  throw new StartError(`${await missingVault(settings)} Nothing was made.`);
};

/** Why a database holds no vault: its file or its data is missing. Null if it is new as far as anything shows. */
export const missingVault = async (settings: Settings): Promise<string | null> => {
  const isOrphaned = orphanedFiles(settings.DATABASE_URL) !== null;
  return (isOrphaned ? null : await earlierVault(settings)) ?? absentDatabase(settings);
};

/** Refuses to go on if opening the database would delete what is left of it. */
export const assertNoOrphanedFiles = ({ DATABASE_URL, DATA_DIR }: Settings): void => {
  const sentence = orphanedFiles(DATABASE_URL);
  if (sentence === null) return;
  const setting = DATABASE_URL.startsWith(`sqlite://${DATA_DIR}/`) ? 'DATA_DIR' : 'DATABASE_URL';
  throw new StartError(`${setting}: ${sentence}.`);
};

/** Why there is no database to use, and what to do; null if there is one. */
export const absentDatabase = (
  { DATABASE_URL }: Pick<Settings, 'DATABASE_URL'>,
  env: NodeJS.ProcessEnv = process.env,
): string | null => {
  const orphaned = orphanedFiles(DATABASE_URL);
  if (orphaned !== null) return `${orphaned}.`;
  if (databaseExists(DATABASE_URL)) return null;
  const file = sqliteFileOf(DATABASE_URL)!;
  const directory = serviceOfInit(env, file);
  const ofInit =
    directory === null
      ? ''
      : ` The service of notary init keeps its database in ${directory}: for that one, run the command there.`;
  return `There is no database at ${file}.${ofInit} Run the command in the folder of the service, or set DATA_DIR or DATABASE_URL as the service has them. To begin a new notary: notary bootstrap, then notary serve.`;
};

/** The folder of the service that `notary init` starts, if its database exists and is another one. */
const serviceOfInit = (env: NodeJS.ProcessEnv, file: string): string | null => {
  try {
    const { dataDirectory } = shellEnvironment(env);
    const database = join(dataDirectory, 'data', 'notary.sqlite');
    return database !== file && databaseExists(`sqlite://${database}`) ? dataDirectory : null;
  } catch {
    // This user has no home directory, so no service of `init` either.
    return null;
  }
};
