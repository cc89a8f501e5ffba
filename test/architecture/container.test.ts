import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bind,
  Container,
  ContainerModule,
  type ContainerModuleLoadOptions,
  type ServiceIdentifier,
} from 'inversify';
import { afterAll, describe, expect, it } from 'vitest';
import { ChangeNotices } from '../../adapters/cache/change-notices.ts';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { FindType } from '../../application/record-type/find-type.ts';
import { VerifiedTypes } from '../../application/record-type/verified-types.ts';
import { GetRecord } from '../../application/record/get-record.ts';
import { ReadRecord } from '../../application/record/read-record.ts';
import { CreateRecord } from '../../application/record/create-record.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { MODULES } from '../../config/container.ts';
import { provide } from '../../config/provide.ts';
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

/** What the modules bind, as they tell it themselves: a class or a port that is added later is found. */
const boundByModules = (): readonly ServiceIdentifier[] => {
  const bound: ServiceIdentifier[] = [];
  const collector = new ContainerModule((options) => {
    const bind: Bind = (identifier) => {
      bound.push(identifier);
      return options.bind(identifier);
    };
    for (const module of MODULES) void module.load({ ...options, bind });
  });
  new Container().load(collector);
  return bound;
};

const BOUND = boundByModules();

describe('the container', () => {
  it('binds classes under themselves and every port once', () => {
    expect(BOUND).toContain(CreateRecord);
    expect(BOUND).toContain(TOKENS.unitOfWork);
    expect(new Set(BOUND).size).toBe(BOUND.length);
  });

  it.each(CHOICES)(
    'resolves every token and every class with $SIGNER_CRYPTO, $VAULT_ALGORITHM, $VAULT_CANONICALIZATION',
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
        for (const identifier of BOUND) {
          const made = service.container.get(identifier);
          if (typeof identifier === 'function') expect(made).toBeInstanceOf(identifier);
          else expect(made, String(identifier)).toBeDefined();
        }
        for (const [name, token] of Object.entries(TOKENS))
          expect(service.container.get(token as never), name).toBeDefined();
        expect(service.container.get(Vault).seal).toMatchObject({
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
    expect(service.container.get(Vault)).toBe(service.container.get(Vault));
    expect(service.container.get(TOKENS.changeNotice)).toBe(service.container.get(ChangeNotices));
    await service.close();
  });
});

describe('provide', () => {
  // The type check of `npm run check` is what fails here: an expected error that does not come is one.
  it('takes no other list of parameters than the constructor', () => {
    const bindings = (options: ContainerModuleLoadOptions): void => {
      provide(options, FindType, [TOKENS.recordTypeReads, TOKENS.recordReads, VerifiedTypes]);
      // @ts-expect-error: the ports in the wrong order
      provide(options, FindType, [TOKENS.recordReads, TOKENS.recordTypeReads, VerifiedTypes]);
      // @ts-expect-error: a port is missing
      provide(options, FindType, [TOKENS.recordTypeReads, TOKENS.recordReads]);
      // @ts-expect-error: one port too many
      provide(options, FindType, [
        TOKENS.recordTypeReads,
        TOKENS.recordReads,
        VerifiedTypes,
        TOKENS.clock,
      ]);
      provide(options, GetRecord, [ReadRecord]);
      // @ts-expect-error: another class
      provide(options, GetRecord, [CreateRecord]);
    };
    expect(bindings).toBeTypeOf('function');
  });
});
