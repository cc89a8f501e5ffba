import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { settingsIn } from './settings-in.ts';
import { startWatched } from './watched-service.ts';
import { createWorld, type World } from './world.ts';

export interface Api {
  readonly world: World;
  readonly service: RunningService;
  /** SHA-256 of the signing key's SPKI, hex. */
  readonly fingerprint: string;
}

/** The real container with the real HTTP server, in this process, on an empty embedded database; stopped after the file. */
export const useApi = (env: Readonly<Record<string, string>> = {}): Api => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-api-'));
  const api: { world?: World; service?: RunningService } = {};
  beforeAll(async () => {
    api.service = await startWatched(settingsIn(directory, env));
    const { apiKey } = await api.service.container.get(BootstrapPlatform).execute();
    api.world = await createWorld(String(api.service.url), apiKey);
  });
  afterAll(async () => {
    await api.service?.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    get world() {
      if (!api.world) throw new Error('the world is made in beforeAll');
      return api.world;
    },
    get service() {
      if (!api.service) throw new Error('the service is started in beforeAll');
      return api.service;
    },
    get fingerprint() {
      return this.service.vault.fingerprint;
    },
  };
};
