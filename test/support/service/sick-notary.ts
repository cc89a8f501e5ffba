import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { PinoLog } from '../../../adapters/system/pino-log.ts';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import { MintPlatformKey } from '../../../application/operations/mint-platform-key.ts';
import { RevokeKeyOnHost } from '../../../application/operations/revoke-key-on-host.ts';
import { examine } from '../../../config/doctor/examine.ts';
import type { Finding } from '../../../config/doctor/finding.ts';
import { openService, type OpenService } from '../../../config/service.ts';
import { loadSettings } from '../../../config/settings.ts';
import { secretWatch } from '../runner/secret-watch.ts';
import { freshSecrets } from '../databases/stored-chains.ts';

/** A volume other than that of the temporary directory, if the machine has one. */
const OTHER_VOLUME = ['/dev/shm', '/var/tmp'].find(
  (path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev,
);

export const SILENT = new PinoLog('silent', { write: () => undefined });

/** A notary in a folder of its own that is as it should be, for a test to break. */
export class SickNotary {
  readonly directory = mkdtempSync(join(tmpdir(), 'notary-doctor-'));
  readonly anchors = mkdtempSync(join(OTHER_VOLUME ?? this.directory, 'notary-anchors-'));
  readonly secrets = freshSecrets();
  env: Record<string, string> = {
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: join(this.directory, 'data'),
    KEYS_DIR: join(this.directory, 'keys'),
    ANCHOR_PATH: this.anchors,
    ...this.secrets,
  };

  get file(): string {
    return join(this.directory, 'data', 'notary.sqlite');
  }

  path(...names: readonly string[]): string {
    return join(this.directory, ...names);
  }

  /** Its first start, and a platform key that may be used from one address for an hour. */
  async prepare(): Promise<this> {
    await this.open(async ({ container }) => {
      const first = await container.get(BootstrapPlatform).execute();
      const minted = await container
        .get(MintPlatformKey)
        .execute({ expiresInSeconds: 3_600, allowedIps: ['127.0.0.1'] });
      for (const { apiKey } of [first, minted]) secretWatch.learn('an API key', apiKey);
      await container.get(RevokeKeyOnHost).execute({ keyId: first.key.id });
    });
    return this;
  }

  async open<T>(work: (service: OpenService) => Promise<T>): Promise<T> {
    const { settings } = loadSettings(this.env, { cwd: this.directory });
    const service = await openService(settings, SILENT);
    try {
      return await work(service);
    } finally {
      await service.close();
    }
  }

  /** What the doctor finds, under these settings besides its own; an empty one is unset. */
  async findings(
    env: Readonly<Record<string, string>> = {},
  ): Promise<readonly (Finding & { readonly skipped?: never })[]> {
    return (await this.examined(env)).findings;
  }

  examined(env: Readonly<Record<string, string>> = {}): ReturnType<typeof examine> {
    return examine({ ...this.env, ...env }, this.directory, SILENT);
  }

  /** As somebody with the file would. */
  edit(...statements: readonly string[]): void {
    const database = new DatabaseSync(this.file);
    try {
      for (const sql of statements) database.exec(sql);
    } finally {
      database.close();
    }
  }

  remove(): void {
    for (const path of [this.directory, this.anchors])
      rmSync(path, { recursive: true, force: true });
  }
}
