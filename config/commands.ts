import type { HostKey } from '../adapters/cli/keys.ts';
import type { ExportCommands } from '../adapters/cli/export.ts';
import type { Commands } from '../adapters/cli/program.ts';
import type { Io } from '../adapters/cli/io.ts';
import { CalmLog } from '../adapters/system/calm-log.ts';
import { logDestination, PinoLog } from '../adapters/system/pino-log.ts';
import type { Log } from '../application/ports/log.port.ts';
import { BootstrapPlatform } from '../application/operations/bootstrap-platform.ts';
import { ListKeysOnHost } from '../application/operations/list-keys-on-host.ts';
import { MintPlatformKey } from '../application/operations/mint-platform-key.ts';
import { RevokeKeyOnHost } from '../application/operations/revoke-key-on-host.ts';
import { ScanOnHost } from '../application/vault/scan/scan-on-host.ts';
import { VerifyAnchorsOnHost } from '../application/vault/verify-anchors-on-host.ts';
import { TakeDump } from '../application/vault/take-dump.ts';
import { Rfc3161Checker } from '../adapters/tsa/rfc3161-checker.ts';
import type { ApiKey } from '../domain/identity/api-key.ts';
import { onDamage } from './start-error.ts';
import { missingVault } from './absent-database.ts';
import { migrateDatabase, openService, startService, type OpenService } from './service.ts';
import { backUp, restore } from './backup.ts';
import { publicSigningKey } from './public-signing-key.ts';
import { secretFiles } from './secrets.ts';
import { loadSettings } from './settings.ts';
import type { Settings } from './settings-table.ts';
import { describeSettings, maskedSettings } from './settings-view.ts';
import { applyFiles } from './provisioning-runs.ts';

/** The commands that need the service itself. The others are complete in `adapters/cli`. */
export const commands: Omit<
  Commands,
  keyof ExportCommands | 'dumpLanes' | 'toolEnvironment' | 'shell'
> = {
  serve: async (io, kept = null) => {
    const { settings, log } = await configure(io, 'stdout');
    const demo =
      kept === null ? null : (await import('./demo-attacks.ts')).demoAttacks(settings, log, kept);
    const service = await startService(settings, log, demo?.routes);
    // Heard from before anybody is told that the service is ready: whoever waits for that may end it at once.
    const terminated = terminationSignal();
    if (settings.PROVISIONING_PATH !== '')
      process.on('SIGHUP', () => void applyFiles(service.container, log, 'signal'));
    log.info(
      {
        role: settings.ROLE,
        url: service.url,
        ...(service.grpc === null ? {} : { grpc: service.grpc }),
        hubId: service.vault.hubId,
        signingKeyId: service.vault.keyId,
        signingKeyFingerprint: service.vault.fingerprint,
      },
      'ready',
    );
    if (service.vault.created) io.stderr(fingerprintNote(service.vault.fingerprint));
    await offerFirstKey(service.container.get(BootstrapPlatform), io, log);
    if (io.isTTY && settings.ROLE !== 'worker') io.stderr(nextNote(service.url));
    await terminated;
    log.info({}, 'stopping');
    await service.stop();
    demo?.close();
    return 0;
  },

  bootstrap: async (io) => {
    const { settings, log } = await configure(io, 'stderr');
    const service = await openService(settings, log);
    try {
      const { apiKey, key } = await service.container.get(BootstrapPlatform).execute();
      return { apiKey, keyId: key.id, signingKeyFingerprint: service.vault.fingerprint };
    } finally {
      await service.close();
    }
  },

  mintKey: (io, input) =>
    onHost(io, async ({ container, vault }) => {
      const { apiKey, key } = await container.get(MintPlatformKey).execute(input);
      return { apiKey, ...shownKey(key), signingKeyFingerprint: vault.fingerprint };
    }),

  revokeKey: (io, input) =>
    onHost(io, async ({ container }) => {
      const { key, ...outcome } = await container.get(RevokeKeyOnHost).execute(input);
      return { ...shownKey(key), ...outcome };
    }),

  listKeys: (io, role) =>
    onHost(io, async ({ container }) => {
      const keys = [];
      for await (const key of container.get(ListKeysOnHost).execute(role)) keys.push(shownKey(key));
      return keys;
    }),

  migrate: async (io) => {
    const { settings, log } = await configure(io, 'stderr');
    return migrateDatabase(settings, log);
  },

  config: async (io) => {
    const { settings, log } = await configure(io, 'stderr');
    const values = maskedSettings(settings);
    const rows = describeSettings().map(({ name }) => ({ name, value: values[name] }));
    const shown = { settings: rows, secretFiles: await secretFiles(settings) };
    try {
      const signingKey = await publicSigningKey(settings, log);
      const signingKeyUnknown = signingKey
        ? null
        : ((await missingVault(settings)) ?? 'no service was started on this database yet');
      return { ...shown, signingKey, signingKeyUnknown };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ...shown, signingKey: null, signingKeyUnknown: reason };
    }
  },

  backup: async (io, file) => backUp((await configure(io, 'stderr')).settings, file),

  // Its log would report the lost revocations a second time.
  restore: async (io, file) =>
    restore(
      (await configure(io, 'stderr')).settings,
      new PinoLog('silent', await logDestination('stderr')),
      file,
    ),

  // Its log would tell once more what the findings tell.
  doctor: async () =>
    (await import('./doctor/examine.ts')).examine(
      process.env,
      process.cwd(),
      new PinoLog('silent', await logDestination('stderr')),
    ),

  importConfig: async (io, input, onProgress) => {
    const { settings, log } = await configure(io, 'stderr');
    return (await import('./import-config.ts')).importConfig(settings, log, input, onProgress);
  },

  dump: (io, input) =>
    onHost(io, async ({ container, vault }) => ({
      ...(await container.get(TakeDump).execute(input)),
      signingKeyFingerprint: vault.fingerprint,
    })),

  verifyAnchors: (io, input) =>
    onHost(io, ({ container }) => container.get(VerifyAnchorsOnHost).execute(input)),

  scan: (io, onProgress) =>
    onHost(io, ({ container }) => container.get(ScanOnHost).execute(onProgress)),

  gateEvaluator: async () => {
    const { CelGateEvaluator } = await import('../adapters/cel/cel-gate-evaluator.ts');
    return new CelGateEvaluator();
  },

  timestampChecker: (pem) => Rfc3161Checker.under(pem),
};

/** On the notary that is there, which may be running at the same time. */
const onHost = async <T>(io: Io, act: (service: OpenService) => Promise<T>): Promise<T> => {
  const { settings, log } = await configure(io, 'stderr');
  const service = await openService(settings, log, { onlyInUse: true });
  try {
    return await onDamage(settings, () => act(service));
  } finally {
    await service.close();
  }
};

const shownKey = (key: ApiKey): HostKey => ({
  keyId: key.id,
  role: key.role,
  ownerId: key.ownerId,
  orgId: key.orgId,
  label: key.label,
  allowedIps: key.allowedIps,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  lastUsedAt: key.lastUsedAt,
  isActive: key.isActive,
  revokedAt: key.revokedAt,
});

interface FirstKey {
  isDone(): Promise<boolean>;
  executeIfEmpty(): Promise<{ readonly apiKey: string } | null>;
}

/**
 * Nobody can use an empty service without a key, but a key must not end up in a log file. So the
 * first one is minted here only where somebody is at the terminal to read it.
 */
const offerFirstKey = async (bootstrap: FirstKey, io: Io, log: Log): Promise<void> => {
  if (!io.isTTY) {
    if (!(await bootstrap.isDone()))
      log.warn({}, 'no platform key exists yet: mint the first one with: notary bootstrap');
    return;
  }
  const issued = await bootstrap.executeIfEmpty();
  if (issued)
    io.stderr(
      `\nThe first platform key. It is shown this once and stored nowhere; keep it safe:\n\n  ${issued.apiKey}\n\n`,
    );
};

const fingerprintNote = (fingerprint: string): string =>
  `\nThe signing key of this service was made. Record its fingerprint elsewhere; auditors pin it:\n\n  sha256:${fingerprint}\n\n`;

const nextNote = (url: string): string =>
  `\nNext, in another terminal: ${url}/ says where to go, ${url}/docs/openapi.json lists every call,\nand "An admin's shortest way" in README.md needs the platform key alone. Ctrl-C stops the service.\n\n`;

const configure = async (
  io: Io,
  logTo: 'stdout' | 'stderr',
): Promise<{ readonly settings: Settings; readonly log: Log }> => {
  const { settings, warnings } = loadSettings(process.env);
  for (const warning of warnings) io.stderr(`notary: ${warning}\n`);
  const log = new PinoLog(settings.LOG_LEVEL, await logDestination(logTo));
  return { settings, log: new CalmLog(log) };
};

const terminationSignal = (): Promise<void> =>
  new Promise((resolve) => {
    // A worker has no open socket, and a signal handler alone does not keep a process alive.
    const alive = setInterval(() => undefined, 2 ** 30);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  });
