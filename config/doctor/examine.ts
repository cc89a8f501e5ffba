import type { Log } from '../../application/ports/log.port.ts';
import type { SqlAdapter } from '../../adapters/sql/sql-adapter.ts';
import { orphanedFiles } from '../../adapters/sql/database/database-exists.ts';
import { absentDatabase } from '../absent-database.ts';
import { createContainer } from '../container.ts';
import { earlierVault } from '../earlier-vault.ts';
import { withStorage } from '../service.ts';
import { loadSettings, mergedEnvironment } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { grpcInTheClear } from '../settings-rules.ts';
import type { Environment } from '../settings-sources.ts';
import type { Settings } from '../settings-table.ts';
import { StartError } from '../start-error.ts';
import { anchorPlace, databaseChecks } from './database-checks.ts';
import { finding, lookAtAll, type Examination, type Finding } from './finding.ts';
import { hostChecks } from './host-checks.ts';
import { networkChecks } from './network-checks.ts';
import { madeByItself, openSecrets } from './secret-checks.ts';
import { vaultChecks } from './vault-checks.ts';

/** Looks at everything that a start would find wrong, and at what it would not. It makes and writes nothing. */
export const examine = async (env: Environment, cwd: string, log: Log): Promise<Examination> => {
  const now = new Date();
  const { settings, findings } = configuration(env, cwd);
  if (settings === null) return { findings, skipped: REST };
  const machine = await lookAtAll([
    ...hostChecks(settings, mergedEnvironment(env, cwd), cwd),
    ...networkChecks(settings, now),
    { name: 'secrets', look: () => Promise.resolve(madeByItself(settings)) },
    { name: 'anchors', look: () => anchorPlace(settings) },
  ]);
  return joined({ findings, skipped: [] }, machine, await database(settings, env, now, log));
};

const REST: Examination['skipped'] = [
  {
    check: 'machine, network, database and vault',
    reason: 'the settings are not valid: correct them, and ask again',
  },
];

const configuration = (
  env: Environment,
  cwd: string,
): { readonly settings: Settings | null; readonly findings: readonly Finding[] } => {
  try {
    const { settings, warnings } = loadSettings(env, { cwd });
    const clear = grpcInTheClear(settings);
    const findings = warnings.map((warning) =>
      warning === clear
        ? finding('grpc-in-the-clear', 'GRPC_PORT', warning)
        : finding('setting-doubtful', nameIn(warning), warning),
    );
    return { settings, findings };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return {
      settings: null,
      findings: error.problems.map(({ name, message }) =>
        finding('setting-invalid', name, `${name} ${message}.`),
      ),
    };
  }
};

/** A warning begins with the setting that it is about. */
const nameIn = (warning: string): string => /^[A-Z0-9_]+/.exec(warning)?.[0] ?? 'settings';

const database = async (
  settings: Settings,
  env: Environment,
  now: Date,
  log: Log,
): Promise<Examination> => {
  const orphaned = orphanedFiles(settings.DATABASE_URL);
  if (orphaned !== null)
    return {
      findings: [finding('database-unusable', 'DATABASE_URL', `${orphaned}.`)],
      skipped: [{ check: 'database and vault', reason: 'the database cannot be used' }],
    };
  const absent = absentDatabase(settings, env);
  if (absent !== null) return withoutVault(settings, absent);
  try {
    return await withStorage(settings, log, async (sql) => {
      await sql.ping();
      if (await isEmpty(sql)) return withoutVault(settings, EMPTY);
      const plain = await lookAtAll(databaseChecks(settings, sql, now));
      const isOther = (await sql.migrationState()).refusal?.kind === 'foreign';
      const isOlder = isOther || plain.findings.some(({ code }) => OTHER_SCHEMA.has(code));
      return isOlder ? plain : joined(plain, await inUse(settings, sql, now, log));
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return {
      findings: [finding('database-unusable', 'DATABASE_URL', error.message)],
      skipped: [{ check: 'database and vault', reason: 'the database cannot be used' }],
    };
  }
};

const EMPTY = 'The database is empty. The first start makes the signing key: notary bootstrap.';

/** Whether the tables are still to be made. A schema that this program does not know is not looked into. */
const isEmpty = async (sql: SqlAdapter): Promise<boolean> => {
  const { pending, refusal } = await sql.migrationState();
  return refusal === null && pending.length > 0 && !(await sql.secretChecks.isInUse());
};

const withoutVault = async (settings: Settings, why: string): Promise<Examination> => {
  const missing = await earlierVault(settings);
  return {
    findings: [
      missing === null
        ? finding(
            'database-absent',
            settings.DATABASE_URL.startsWith('sqlite://') ? settings.DATABASE_URL : 'DATABASE_URL',
            why,
          )
        : finding('vault-missing', 'DATABASE_URL', missing),
    ],
    skipped: [],
  };
};

const OTHER_SCHEMA: ReadonlySet<string> = new Set(['database-newer', 'database-older']);

const inUse = async (
  settings: Settings,
  sql: SqlAdapter,
  now: Date,
  log: Log,
): Promise<Examination> => {
  if ((await sql.reads.vaultKeys.hub()) === null) return withoutVault(settings, EMPTY);
  const { secrets, findings } = await openSecrets(settings, sql);
  if (secrets === null)
    return { findings, skipped: [{ check: 'vault and keys', reason: 'a secret is wrong' }] };
  const container = createContainer({ settings, secrets, sql, log });
  return joined({ findings, skipped: [] }, await lookAtAll(vaultChecks(container, now)));
};

const joined = (...parts: readonly Examination[]): Examination => ({
  findings: parts.flatMap(({ findings }) => findings),
  skipped: parts.flatMap(({ skipped }) => skipped),
});
