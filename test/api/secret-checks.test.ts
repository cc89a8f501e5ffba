import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { openService, type OpenService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { TOKENS } from '../../config/tokens.ts';
import { quickDatabases, type TestDatabase } from '../support/databases/databases.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';

type Secrets = ReturnType<typeof freshSecrets>;

const root = mkdtempSync(join(tmpdir(), 'notary-secret-checks-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open = (
  env: Readonly<Record<string, string>>,
  directory = join(root, 'none'),
): Promise<OpenService> => {
  const { settings } = loadSettings(
    {
      NODE_ENV: 'test',
      PORT: '1',
      DATA_DIR: join(directory, 'data'),
      KEYS_DIR: join(directory, 'keys'),
      ...env,
    },
    { cwd: root },
  );
  return openService(settings, new PinoLog('silent', { write: () => undefined }));
};

const closed = async (service: Promise<OpenService>): Promise<void> => (await service).close();

/** Of every row of every table. */
const digest = async (database: TestDatabase): Promise<string> => {
  const names = await database.raw(
    database.kind === 'mysql'
      ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()'
      : "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  const tables = await Promise.all(
    names.map(async ({ name }) => [name, await database.raw(`SELECT * FROM ${String(name)}`)]),
  );
  return createHash('sha256')
    .update(
      tables
        .map((table) => JSON.stringify(table))
        .sort()
        .join(),
    )
    .digest('hex');
};

const another = (): string => randomBytes(32).toString('base64');

describe.each(quickDatabases())('secrets beside a database in use, on $name', (kind) => {
  const used = async (): Promise<{
    database: TestDatabase;
    start: (secrets: Partial<Secrets>) => Promise<void>;
    secrets: Secrets;
  }> => {
    const database = await kind.open({ migrated: false });
    const secrets = freshSecrets();
    const start = (other: Partial<Secrets>): Promise<void> =>
      closed(open({ DATABASE_URL: database.url, ...secrets, ...other }));
    const service = await open({ DATABASE_URL: database.url, ...secrets });
    await service.container.get(BootstrapPlatform).execute();
    await service.close();
    return { database, start, secrets };
  };

  it.each(['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'] as const)(
    'another %s stops the start, which names it and writes nothing',
    async (name) => {
      const { database, start } = await used();
      const before = await digest(database);
      await expect(start({ [name]: another() })).rejects.toThrow(
        new RegExp(`${name}: ${name} holds another secret .* Nothing was written`),
      );
      expect(await digest(database)).toBe(before);
      await start({});
      await database.drop();
    },
  );

  it('all that are wrong are named at once', async () => {
    const { database, start } = await used();
    await expect(start(freshSecrets())).rejects.toThrow(
      /API_KEY_PEPPER: [^]*SECRETS_KEY: [^]*SIGNER_KEK: /,
    );
    await database.drop();
  });

  it('a new one before the old one is a rotation; then the new one is enough, and the old one is not', async () => {
    const { database, start, secrets } = await used();
    const newer = another();
    await start({ API_KEY_PEPPER: `${newer},${secrets.API_KEY_PEPPER}` });
    await start({ API_KEY_PEPPER: newer });
    await expect(start({})).rejects.toThrow(/API_KEY_PEPPER holds another secret/);
    expect(
      await database.raw('SELECT generation FROM secret_checks ORDER BY generation'),
    ).toHaveLength(4);
    await database.drop();
  });

  it('the order of a list decides what is used to write: going back is another generation', async () => {
    const { database, start, secrets } = await used();
    const newer = another();
    await start({ SECRETS_KEY: `${newer},${secrets.SECRETS_KEY}` });
    await start({ SECRETS_KEY: `${secrets.SECRETS_KEY},${newer}` });
    await expect(start({ SECRETS_KEY: newer })).rejects.toThrow(/SECRETS_KEY holds another/);
    await start({});
    await database.drop();
  });

  it('two first starts with other secrets: one of them is refused', async () => {
    const database = await kind.open();
    const results = await Promise.allSettled(
      [1, 2].map(() => closed(open({ DATABASE_URL: database.url, ...freshSecrets() }))),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await database.drop();
  });

  it('check values that are gone stop the start, and they cannot be removed by a plain DELETE', async () => {
    const { database, start } = await used();
    await expect(database.raw('DELETE FROM secret_checks')).rejects.toThrow(/append-only/);
    await expect(database.raw("UPDATE secret_checks SET secret = 'x'")).rejects.toThrow(
      /append-only/,
    );
    await database.raw('DROP TRIGGER secret_checks_no_delete');
    await database.raw('DELETE FROM secret_checks');
    await expect(start({})).rejects.toThrow(/does not say which secret it is used with/);
    await database.drop();
  });

  it('two databases with one secret do not show it', async () => {
    const [a, b] = [await kind.open({ migrated: false }), await kind.open({ migrated: false })];
    const secrets = freshSecrets();
    const values = async (database: TestDatabase): Promise<readonly unknown[]> =>
      (await database.raw('SELECT check_value FROM secret_checks')).map(({ check_value }) =>
        Buffer.from(check_value as Uint8Array).toString('hex'),
      );
    for (const { url } of [a, b]) await closed(open({ DATABASE_URL: url, ...secrets }));
    const all = [...(await values(a)), ...(await values(b))];
    expect(new Set(all).size).toBe(6);
    for (const each of [a, b]) await each.drop();
  });
});

describe('the keys folder beside a database in use', () => {
  const used = async (name: string): Promise<string> => {
    const directory = join(root, name);
    await closed(open({}, directory));
    return directory;
  };

  it('lost: the start is refused, names the files, and makes neither them nor the folder', async () => {
    const directory = await used('lost');
    renameSync(join(directory, 'keys'), join(directory, 'elsewhere'));
    await expect(open({}, directory)).rejects.toThrow(
      /API_KEY_PEPPER: \S*keys\/api-key-pepper is missing[^]*SECRETS_KEY: \S*keys\/secrets-key is missing[^]*SIGNER_KEK: \S*keys\/signer-kek is missing/,
    );
    expect(existsSync(join(directory, 'keys'))).toBe(false);
    renameSync(join(directory, 'elsewhere'), join(directory, 'keys'));
    await closed(open({}, directory));
  });

  it('with one file lost: that file is named and not made', async () => {
    const directory = await used('one');
    rmSync(join(directory, 'keys', 'secrets-key'));
    await expect(open({}, directory)).rejects.toThrow(/^[^]*secrets-key is missing(?![^]*pepper)/);
    expect(readdirSync(join(directory, 'keys')).sort()).toEqual(['api-key-pepper', 'signer-kek']);
  });

  it('of another hub: the files are named', async () => {
    const [directory, other] = [await used('mine'), await used('theirs')];
    rmSync(join(directory, 'keys'), { recursive: true });
    cpSync(join(other, 'keys'), join(directory, 'keys'), { recursive: true });
    await expect(open({}, directory)).rejects.toThrow(
      /keys\/api-key-pepper holds another secret[^]*keys\/signer-kek holds another secret/,
    );
  });

  it('made by a start that died before its database was: the next start goes on with it', async () => {
    const directory = join(root, 'died');
    await closed(open({}, directory));
    rmSync(join(directory, 'data'), { recursive: true });
    const service = await open({}, directory);
    expect(service.container.get(TOKENS.secrets).created).toEqual([]);
    await service.close();
  });
});
