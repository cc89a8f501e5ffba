import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { openService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { TOKENS } from '../../config/tokens.ts';

const root = mkdtempSync(join(tmpdir(), 'notary-container-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CHOICES = Object.keys(CRYPTO_PROVIDERS).flatMap((SIGNER_CRYPTO) =>
  ['Ed25519', 'ES256'].flatMap((VAULT_ALGORITHM) =>
    ['jcs', 'cde'].map((VAULT_CANONICALIZATION) => ({
      SIGNER_CRYPTO,
      VAULT_ALGORITHM,
      VAULT_CANONICALIZATION,
    })),
  ),
);

describe('the container', () => {
  it.each(CHOICES)(
    'resolves every token with $SIGNER_CRYPTO, $VAULT_ALGORITHM, $VAULT_CANONICALIZATION',
    async (choice) => {
      const directory = join(root, Object.values(choice).join('-'));
      const { settings } = loadSettings(
        {
          NODE_ENV: 'test',
          PORT: '0',
          DATA_DIR: join(directory, 'data'),
          KEYS_DIR: join(directory, 'keys'),
          ...choice,
        },
        { cwd: root },
      );
      const service = await openService(
        settings,
        new PinoLog('silent', { write: () => undefined }),
      );
      try {
        for (const [name, token] of Object.entries(TOKENS))
          expect(service.container.get(token as never), name).toBeDefined();
        expect(service.container.get(TOKENS.vault).seal).toMatchObject({
          canonicalization: choice.VAULT_CANONICALIZATION,
          signer: { algorithm: choice.VAULT_ALGORITHM },
        });
      } finally {
        await service.close();
      }
    },
  );

  it('gives one and the same thing for one token', async () => {
    const directory = join(root, 'once');
    const { settings } = loadSettings(
      {
        NODE_ENV: 'test',
        PORT: '0',
        DATA_DIR: join(directory, 'data'),
        KEYS_DIR: join(directory, 'keys'),
      },
      { cwd: root },
    );
    const service = await openService(settings, new PinoLog('silent', { write: () => undefined }));
    expect(service.container.get(TOKENS.vault)).toBe(service.container.get(TOKENS.vault));
    expect(service.container.get(TOKENS.changeNotice)).toBe(
      service.container.get(TOKENS.changeNotices),
    );
    await service.close();
  });
});
