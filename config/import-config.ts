import { AjvInputCheck } from '../adapters/json-schema/ajv-input-check.ts';
import { AjvSchemaValidator } from '../adapters/json-schema/ajv-schema-validator.ts';
import { GuardedSchemaValidator } from '../adapters/json-schema/guarded-schema-validator.ts';
import { SchemaLanes } from '../adapters/json-schema/schema-lanes.ts';
import { LazyGateEvaluator } from '../adapters/cel/lazy-gate-evaluator.ts';
import type { ImportInput, ImportOutcome } from '../adapters/cli/import-config.ts';
import { rowKeysOf } from '../adapters/keys/row-keys.ts';
import { SourceError, withConfigSource } from '../adapters/sql/scan/config-source.ts';
import { databaseExists } from '../adapters/sql/database/database-exists.ts';
import { databaseFault } from '../adapters/sql/database/database-fault.ts';
import type { CarriedConfig } from '../application/config-import/carried-config.ts';
import type { ConfigSource } from '../application/config-import/config-source.port.ts';
import { ImportConfig, sameHub } from '../application/config-import/import-config.ts';
import { ReadConfig } from '../application/config-import/read-config.ts';
import { ReadTypes } from '../application/config-import/read-types.ts';
import { UsableInput } from '../application/config-import/usable-input.ts';
import type { Log } from '../application/ports/log.port.ts';
import { VaultRowError } from '../application/sealing/prove-succession.ts';
import { isDrift } from '../domain/kernel/row-drift.ts';
import { publicSigningKey } from './public-signing-key.ts';
import { secretsKeyIfThere } from './secrets.ts';
import { openService, withStorage } from './service.ts';
import { databaseUrl, parseSecretKeys } from './setting-types.ts';
import type { Settings } from './settings-table.ts';
import { StartError } from './start-error.ts';

type OnProgress = (done: number, of: number) => void;

/** Carries orgs, agents and record types of another database over into that of the settings. */
export const importConfig = async (
  settings: Settings,
  log: Log,
  input: ImportInput,
  onProgress: OnProgress,
): Promise<ImportOutcome> => {
  const url = urlOf(input.from);
  if (!databaseExists(url)) throw new StartError('--from: there is no database. Nothing was made.');
  const rowKeys = rowKeysOf(await sourceSecretsKey(settings, input.secretsKey));
  let ofTarget: unknown;
  try {
    return await withConfigSource(url, rowKeys, async (source) => {
      const config = await proven(source);
      assertPinned(config, input.fingerprint);
      return intoTarget(settings, log, input, { source, config, onProgress }).catch((cause) => {
        ofTarget = cause;
        throw cause;
      });
    });
  } catch (cause) {
    throw cause === ofTarget ? cause : inWords(url, cause);
  }
};

const intoTarget = async (
  settings: Settings,
  log: Log,
  input: ImportInput,
  {
    source,
    config,
    onProgress,
  }: {
    readonly source: ConfigSource;
    readonly config: CarriedConfig;
    readonly onProgress: OnProgress;
  },
): Promise<ImportOutcome> => {
  const { isDryRun } = input;
  const own = await publicSigningKey(settings, log);
  if (own?.hubId === config.source.hub.hubId) throw sameHub();
  if (own === null && isDryRun) return outcomeOf(config, input, allOf(config), null);
  if (isDryRun) await assertUpToDate(settings, log);
  const service = await openService(settings, log);
  try {
    const imported = await service.container
      .get(ImportConfig)
      .execute(source, config, { isDryRun, onProgress });
    return outcomeOf(config, input, imported, service.vault.fingerprint);
  } finally {
    await service.close();
  }
};

/** What the source says, before anything of this configuration is opened or made. */
const proven = async (source: ConfigSource): Promise<CarriedConfig> => {
  const lanes = new SchemaLanes();
  try {
    const usable = new UsableInput(new AjvInputCheck());
    const validators = new GuardedSchemaValidator(new AjvSchemaValidator(), lanes);
    const types = new ReadTypes(usable, validators, new LazyGateEvaluator());
    return await new ReadConfig(usable, types).read(source);
  } catch (cause) {
    if (!(cause instanceof VaultRowError) && !isDrift(cause)) throw cause;
    throw new StartError(
      `--from: the platform chain of the source does not hold, so nothing is carried over. Take a copy from before it was changed; notary scan and notary verify on the source say where. ${(cause as Error).message}`,
      { cause },
    );
  } finally {
    await lanes.stop();
  }
};

const assertPinned = ({ source }: CarriedConfig, fingerprint: string | undefined): void => {
  if (fingerprint === undefined || fingerprint === source.signingKeyFingerprint) return;
  throw new StartError(
    `--fingerprint: the newest signing key of the source is sha256:${source.signingKeyFingerprint}, so it is another notary, or its key was rotated since. Nothing was written.`,
  );
};

/** A dry run migrates nothing. */
const assertUpToDate = (settings: Settings, log: Log): Promise<void> =>
  withStorage(settings, log, async (sql) => {
    await sql.assertKnownSchema();
    const { pending } = await sql.migrationState();
    if (pending.length > 0)
      throw new StartError(
        'DATABASE_URL: the database is older than this program, and a dry run changes nothing. Run notary migrate first.',
      );
  });

const urlOf = (from: string): string => {
  const parsed = databaseUrl({ default: '', description: '' }).parse(from, process.cwd());
  if (parsed.ok) return parsed.value;
  throw new StartError(`--from: ${parsed.message}.`);
};

const sourceSecretsKey = async (
  settings: Settings,
  text: string | undefined,
): Promise<readonly Uint8Array[]> => {
  if (text === undefined) return secretsKeyIfThere(settings);
  const keys = parseSecretKeys(text.trim().replaceAll(/\s+/g, ','));
  if (keys) return keys;
  throw new StartError(
    '--source-secrets-key: the file holds no key of at least 32 bytes as base64, base64url or hex.',
  );
};

/** An error of the source. */
const inWords = (url: string, cause: unknown): unknown => {
  if (cause instanceof SourceError) return new StartError(`--from: ${cause.message}.`, { cause });
  if (cause instanceof StartError) return cause;
  const fault = databaseFault(url, cause);
  return fault === null ? cause : new StartError(`--from: ${fault}.`, { cause });
};

type Counted = Pick<ImportOutcome, 'orgs' | 'agents' | 'recordTypes'>;

const allOf = ({ orgs, agents, recordTypes }: CarriedConfig): Counted => ({
  orgs: { created: orgs.length, present: 0 },
  agents: { created: agents.length, present: 0 },
  recordTypes: { created: recordTypes.length, present: 0 },
});

const outcomeOf = (
  { source, findings, operators }: CarriedConfig,
  { isDryRun }: ImportInput,
  counted: Counted,
  signingKeyFingerprint: string | null,
): ImportOutcome => ({
  dryRun: isDryRun,
  source: {
    hubId: source.hub.hubId,
    signingKeyFingerprint: source.signingKeyFingerprint,
    platformEntries: source.platformEntries,
    newestEntryAt: source.newestEntryAt,
  },
  ...counted,
  findings,
  operatorsLeftOut: operators,
  signingKeyFingerprint,
});
