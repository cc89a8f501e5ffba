import type { Container } from 'inversify';
import { Draining } from '../adapters/http/draining.ts';
import type { HttpRoute } from '../adapters/http/http-route.ts';
import { HttpServer } from '../adapters/http/server.ts';
import type { RunningJob } from '../adapters/jobs/repeat.ts';
import { HkdfSecretMac } from '../adapters/keys/hkdf-secret-mac.ts';
import { rowKeysOf } from '../adapters/keys/row-keys.ts';
import { SchemaLanes } from '../adapters/json-schema/schema-lanes.ts';
import { JsonThread } from '../adapters/json-work/json-thread.ts';
import { databaseExists } from '../adapters/sql/database/database-exists.ts';
import { databaseFault } from '../adapters/sql/database/database-fault.ts';
import { openSqlAdapter, type SqlAdapter } from '../adapters/sql/sql-adapter.ts';
import { SystemClock } from '../adapters/system/system-clock.ts';
import { EventAlarms } from '../application/event/event-alarms.ts';
import type { Log } from '../application/ports/log.port.ts';
import { KnownSecrets, type SecretFault } from '../application/operations/known-secrets.ts';
import { RecentFaults } from '../application/operations/recent-faults.ts';
import { PlatformLedger } from '../application/sealing/platform-ledger.ts';
import { RewindWatch } from '../application/vault/rewind-watch.ts';
import { RotateSigningKey } from '../application/vault/rotate-signing-key.ts';
import { systemOrigin } from '../application/sealing/origin.ts';
import { CheckReadsLogs, CUT_READS_LOG } from '../application/transparency/check-reads-logs.ts';
import { Vault, type VaultOpening } from '../application/sealing/vault.ts';
import { assertDatabaseExists, assertNoOrphanedFiles } from './absent-database.ts';
import { followRewinds, sayIfAnchorsAreBeside } from './anchor-jobs.ts';
import { createContainer, type RootDependencies } from './container.ts';
import { firstBeat, startJobs, tellBeats } from './jobs.ts';
import { startSinks } from './siem-sinks.ts';
import { onAnyPort, withFixedPort } from './any-port.ts';
import { assertNoEarlierVault } from './earlier-vault.ts';
import { onDatabase, onGrpcPort, onPort } from './start-error.ts';
import { loadSecrets, secretFiles, wrongSecrets, type Secrets } from './secrets.ts';
import type { Settings } from './settings-table.ts';
import { TOKENS } from './tokens.ts';
import { withTraces } from './traces.ts';
import { applyFiles } from './provisioning-runs.ts';
import { ReconcileFiles } from '../application/provisioning/reconcile-files.ts';

/** The open core: everything but the front-ends and the jobs. */
export interface OpenService {
  readonly container: Container;
  readonly settings: Settings;
  readonly vault: VaultOpening;
  close(): Promise<void>;
}

/** What some ways to start bring besides. */
type CoreParts = Pick<RootDependencies, 'tracer' | 'demoRoutes'>;

/** Only migrates the database. It needs no secret and creates no key. @returns what was still to be run. */
export const migrateDatabase = async (settings: Settings, log: Log): Promise<readonly string[]> => {
  assertNoOrphanedFiles(settings);
  await assertNoEarlierVault(settings, isAbsent(settings));
  return withStorage(settings, log, async (sql) => {
    await sql.assertKnownSchema();
    await assertNoEarlierVault(settings, isUnused(sql));
    const { pending } = await sql.migrationState();
    await sql.migrate();
    return pending;
  });
};

/** Whether opening the database would make its file. */
const isAbsent =
  ({ DATABASE_URL }: Settings) =>
  (): Promise<boolean> =>
    Promise.resolve(!databaseExists(DATABASE_URL));

const isUnused = (sql: SqlAdapter) => async (): Promise<boolean> =>
  !(await sql.secretChecks.isInUse());

/** The storage alone; closed when `use` is done. */
export const withStorage = <T>(
  settings: Settings,
  log: Log,
  use: (sql: SqlAdapter) => Promise<T>,
): Promise<T> =>
  onDatabase(settings, async () => {
    const sql = openStorage(settings, log);
    try {
      return await use(sql);
    } finally {
      await sql.close();
    }
  });

/**
 * Opens and migrates the database, and opens the vault.
 *
 * @param onlyInUse refuses an empty database, where a command would make a new notary by mistake.
 */
export const openService = async (
  given: Settings,
  log: Log,
  parts: CoreParts & { readonly onlyInUse?: boolean } = {},
): Promise<OpenService> => {
  assertNoOrphanedFiles(given);
  const settings = await withFixedPort(given);
  if (parts.onlyInUse) await assertDatabaseExists(settings);
  else await assertNoEarlierVault(settings, isAbsent(settings));
  return onDatabase(settings, () => openCore(settings, log, parts));
};

const openCore = async (
  settings: Settings,
  log: Log,
  { onlyInUse = false, ...parts }: CoreParts & { readonly onlyInUse?: boolean },
): Promise<OpenService> => {
  let onAlarm = (): void => undefined;
  const sql = openStorage(settings, log, () => onAlarm());
  try {
    await sql.assertKnownSchema();
    await assertNoEarlierVault(settings, isUnused(sql));
    if (onlyInUse) await assertInUse(sql);
    const given = Object.values(await secretFiles(settings));
    const secrets = await openSecrets(sql, settings, log);
    const container = createContainer({ settings, secrets, sql, log, ...parts });
    const faults = container.get(RecentFaults);
    const alarms = container.get(EventAlarms);
    onAlarm = () => faults.note('row_tampered');
    sql.tellEventFaults((fault) => {
      faults.note(fault.fault === 'row' ? 'row_tampered' : 'event_hole');
      alarms.tell(fault);
    });
    const opening = await container.get(Vault).open();
    for (const warning of opening.warnings) log.warn({}, warning);
    if (opening.created) warnOfReused(given, log);
    await followRows(container, log);
    for (const cut of await container.get(CheckReadsLogs).execute()) {
      faults.note('row_tampered');
      log.error({ ...cut }, CUT_READS_LOG);
    }
    await container.get(RewindWatch).open();
    await settleKeys(container, log);
    const vault = { ...opening, ...container.get(Vault).identity };
    return { container, settings, vault, close: () => closeAll(container) };
  } catch (error) {
    await sql.close();
    throw error;
  }
};

/** Secrets that are older than their vault may be those of a vault whose database is missing. */
const warnOfReused = (files: readonly string[], log: Log): void => {
  if (files.length > 0)
    log.warn(
      { files },
      'a new vault began with secrets that were there before it. If a vault was here before, its database is missing: stop the service, move the new database away, and restore a backup with notary restore',
    );
};

const assertInUse = async (sql: SqlAdapter): Promise<void> => {
  if (await sql.secretChecks.isInUse()) return;
  throw new Error(
    'The database is empty: no notary has been started on it. Set DATABASE_URL or DATA_DIR to the one that is meant, or begin with: notary bootstrap',
  );
};

/** Loads the secrets and brings the database up to date. With wrong secrets nothing is written. */
const openSecrets = async (sql: SqlAdapter, settings: Settings, log: Log): Promise<Secrets> => {
  const secrets = await loadSecrets(settings, await sql.secretChecks.isInUse());
  for (const warning of secrets.warnings) log.warn({}, warning);
  const known = new KnownSecrets(sql.secretChecks, new HkdfSecretMac(), new SystemClock());
  const values = {
    API_KEY_PEPPER: secrets.pepper,
    SECRETS_KEY: secrets.secretsKey,
    SIGNER_KEK: [secrets.signerKek],
  };
  const assertRight = (faults: readonly SecretFault[]): void => {
    if (faults.length > 0) throw wrongSecrets(faults, settings);
  };
  assertRight(await known.faults(values));
  await sql.migrate();
  assertRight(await known.remember(values));
  sql.useRowKeys(rowKeysOf(secrets.secretsKey));
  if (await sql.needsOtherRowKeys())
    throw wrongSecrets([{ name: 'SECRETS_KEY', fault: 'needed' }], settings);
  return secrets;
};

/** Removes what a rotation left that a crash undid, and changes the key where its signer or its algorithm was configured anew. */
const settleKeys = async (container: Container, log: Log): Promise<void> => {
  const rotation = container.get(RotateSigningKey);
  await rotation.tidy();
  const rotated = await rotation.reconcile(systemOrigin(container.get(TOKENS.ids).next()));
  if (!rotated) return;
  log.warn(
    { ...rotated },
    'the signing key was rotated, because the settings name another signer or algorithm: auditors pin the new fingerprint besides the old ones',
  );
  const { SIGNER_PREVIOUS } = container.get(TOKENS.settings);
  if (!['', 'software'].includes(SIGNER_PREVIOUS))
    log.warn(
      { keyId: rotated.previousKeyId, signer: SIGNER_PREVIOUS },
      'the retired private key is where the service cannot erase it: erase or disable it there, and remove SIGNER_PREVIOUS',
    );
};

/** From here on a row is believed only where the platform chain sealed its version last. */
const followRows = async (container: Container, log: Log): Promise<void> => {
  const ledger = container.get(PlatformLedger);
  const begun = performance.now();
  const found = await ledger.open();
  container.get(TOKENS.sql).followVersions(ledger);
  log.info({ ...found, ms: Math.round(performance.now() - begun) }, 'the platform chain was read');
};

const closeAll = async (container: Container): Promise<void> => {
  await container.get(ReconcileFiles).idle();
  await container.get(SchemaLanes).stop();
  await container.get(JsonThread).stop();
  container.get(TOKENS.sharedLimits)?.stop();
  await container.get(TOKENS.refusals).flush();
  await container.get(TOKENS.refusedMessages).flush();
  await container.get(TOKENS.keyUses).flush();
  await container.get(TOKENS.sql).close();
};

export interface RunningService extends OpenService {
  /** Where it listens; a worker answers probes there, and nothing else. */
  readonly url: string;
  /** Where gRPC is called, as host:port; null where it is not. */
  readonly grpc: string | null;
  /** Refuses new requests, finishes the running ones, and closes everything, within 25 s. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service: the core, plus front-ends and jobs, depending on the role of the
 * process.
 */
export const startService = (
  given: Settings,
  log: Log,
  demoRoutes: readonly HttpRoute[] = [],
): Promise<RunningService> =>
  onAnyPort(given, () =>
    withTraces(given, log, (tracer) => startWith(given, log, { tracer, demoRoutes })),
  );

const startWith = async (given: Settings, log: Log, parts: CoreParts): Promise<RunningService> => {
  const service = await openService(given, log, parts);
  const { container, settings } = service;
  sayIfShared(container.get(TOKENS.sql), log);
  await sayIfAnchorsAreBeside(settings, log);
  await container.get(TOKENS.sharedLimits)?.start();
  container.get(TOKENS.sql).startNumbering();
  const jobs = [
    followRewinds(container, log),
    ...(settings.ROLE === 'api'
      ? []
      : [...startJobs(container, log), ...startSinks(container, log), tellBeats(container, log)]),
  ];
  if (settings.ROLE !== 'api') await firstBeat(container, log);
  await applyFiles(container, log, 'start');
  const server = container.get(HttpServer);
  let grpc: RunningGrpc | null = null;
  try {
    await onPort(settings, () => server.start());
    grpc = await startGrpc(container, settings);
  } catch (error) {
    await server.stop();
    await stopAll(jobs);
    await service.close();
    throw error;
  }
  const stop = async (): Promise<void> => {
    container.get(Draining).begin();
    await Promise.all([server.stop(), grpc?.stop()]);
    await stopAll(jobs);
    await service.close();
  };
  return {
    ...service,
    url: `http://${settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST}:${settings.PORT}`,
    grpc: grpc?.address ?? null,
    stop,
  };
};

interface RunningGrpc {
  readonly address: string;
  stop(): Promise<void>;
}

/** Null where this process takes no calls by gRPC. */
const startGrpc = async (container: Container, settings: Settings): Promise<RunningGrpc | null> => {
  const { GRPC_PORT: wanted, ROLE } = settings;
  if (typeof wanted !== 'number' || ROLE === 'worker') return null;
  const { grpcServerOf } = await import('./modules/grpc-module.ts');
  return onGrpcPort(settings, async () => {
    const server = grpcServerOf(container, wanted);
    const { host, port } = await server.start();
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return { address, stop: () => server.stop() };
  });
};

/** Two services on one file are an oversight more often than not. */
const sayIfShared = (sql: SqlAdapter, log: Log): void => {
  const others = sql.join();
  if (others.length > 0)
    log.warn(
      { pids: others },
      'another service runs on this database file. Both work, one write at a time, and each counts rate limits for itself. If it is not meant, end one of them or give it another DATA_DIR',
    );
};

const stopAll = async (jobs: readonly RunningJob[]): Promise<void> => {
  await Promise.all(jobs.map((job) => job.stop()));
};

const openStorage = (
  settings: Settings,
  log: Log,
  onAlarm: () => void = () => undefined,
): SqlAdapter =>
  openSqlAdapter({
    onAlarm: (fields) => {
      log.error(fields, 'a stored row was changed behind the service');
      onAlarm();
    },
    // Its error would make it one of the lines of an outage, which are counted and not repeated.
    // An error of this kind in the fields would make the line part of an outage, of which only the first is logged.
    onDamage: (error) =>
      log.error({}, `the database is damaged: ${databaseFault(settings.DATABASE_URL, error)}`),
    url: settings.DATABASE_URL,
    poolSize: settings.DATABASE_POOL_SIZE,
    onError: (error) => log.error({ err: error }, 'a background write failed'),
  });
