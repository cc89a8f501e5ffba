import { dirname } from 'node:path';
import { expect } from 'vitest';
import { PinoLog } from '../../../adapters/system/pino-log.ts';
import { startService, type RunningService } from '../../../config/service.ts';
import type { Settings } from '../../../config/settings-table.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { seeFolder } from '../runner/secret-places.ts';
import { privateKeysOf } from '../runner/secret-sources.ts';
import { secretWatch, type SecretWatch } from '../runner/secret-watch.ts';
import { endsGenuine, expectGenuineVault } from './genuine-vault.ts';

/**
 * The service in this process. Every log line, and at its end the database, is looked through for its secrets. In suites of
 * protocols, delivery and federation its vault is scanned, dumped and verified before it stops.
 */
export const startWatched = async (
  settings: Settings,
  watch: SecretWatch = secretWatch,
): Promise<RunningService> => {
  const service = await startService(settings, new PinoLog('debug', watch.log()));
  const { container } = service;
  const { pepper, secretsKey, signerKek } = container.get(TOKENS.secrets);
  for (const key of pepper) watch.learn('API_KEY_PEPPER', key);
  for (const key of secretsKey) watch.learn('SECRETS_KEY', key);
  watch.learn('SIGNER_KEK', signerKek);
  return {
    ...service,
    stop: async () => {
      if (endsGenuine(expect.getState().testPath)) await expectGenuineVault(service);
      const sealed = await container.get(TOKENS.sealedKeys).load();
      await service.stop();
      for (const key of privateKeysOf(sealed, signerKek)) watch.learn('a private signing key', key);
      const path = /^sqlite:\/\/(.+)$/.exec(service.settings.DATABASE_URL)?.[1];
      if (path !== undefined && path !== ':memory:') await seeFolder(watch, dirname(path));
    },
  };
};
