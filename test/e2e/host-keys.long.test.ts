import { closeSync, openSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, readStored, type StoredEntry } from '../support/databases/stored-chains.ts';
import { Client, ok, type Body } from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';

const opened: { service: ServiceProcess; database: TestDatabase }[] = [];
afterEach(async () => {
  for (const { service, database } of opened.splice(0)) {
    await service.stop();
    await database.drop();
    rmSync(service.directory, { recursive: true, force: true });
  }
});

/** What the command says itself. */
const withoutLog = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');

describe.each(databases())('notary keys on $name', (kind) => {
  const make = async (): Promise<{ service: ServiceProcess; database: TestDatabase }> => {
    const database = await kind.open({ migrated: false });
    const made = {
      database,
      service: new ServiceProcess({ DATABASE_URL: database.url, ...freshSecrets() }),
    };
    opened.push(made);
    return made;
  };

  const run = async (service: ServiceProcess, ...args: string[]): Promise<Body> => {
    const { code, stdout, stderr } = await service.run('keys', ...args, '--json');
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(/svc_plt_/);
    return JSON.parse(stdout) as Body;
  };

  const whoami = async (service: ServiceProcess, key: string): Promise<number> =>
    (await new Client(service.url, key).get('/v1/auth/me')).status;

  const eventually = async (status: number, of: () => Promise<number>): Promise<void> => {
    await expect.poll(of, { timeout: 15_000, interval: 50 }).toBe(status);
  };

  const sealedLast = async (database: TestDatabase): Promise<StoredEntry | undefined> => {
    const { chains, faults } = await readStored(database);
    expect(faults).toEqual([]);
    return chains.get('00000000-0000-0000-0000-000000000000')?.at(-1);
  };

  it('gives a platform that lost its only key another one, while the service runs and while it does not', async () => {
    const { service, database } = await make();
    const first = await service.bootstrap();
    await service.start();
    expect(await whoami(service, first.apiKey)).toBe(200);

    const revoked = await run(service, 'revoke', first.keyId, '--reason', 'leaked');
    expect(revoked).toMatchObject({
      keyId: first.keyId,
      role: 'platform',
      isActive: false,
      wasActive: true,
      isPlatformGoverned: false,
    });
    await eventually(401, () => whoami(service, first.apiKey));
    expect((await sealedLast(database))?.predicate).toMatchObject({
      entryType: 'API_KEY_REVOKED',
      actor: { kind: 'system' },
      apiKeyId: first.keyId,
      reason: 'leaked',
    });

    const running = await run(service, 'mint', '--role', 'platform', '--label', 'way back');
    expect(running).toMatchObject({
      role: 'platform',
      label: 'way back',
      expiresAt: null,
      signingKeyFingerprint: first.signingKeyFingerprint,
    });
    expect((await sealedLast(database))?.predicate).toMatchObject({
      entryType: 'API_KEY_MINTED',
      actor: { kind: 'system' },
      apiKeyId: running['keyId'],
    });
    const platform = new Client(service.url, String(running['apiKey']));
    await eventually(200, () => whoami(service, String(running['apiKey'])));
    // It is a whole platform key: it goes on sealing where the command left off.
    await ok(platform.post('/v1/admin/orgs', { name: 'After' }));
    await service.stop();

    const stopped = await run(
      service,
      'mint',
      '--expires-in',
      '3600',
      '--allowed-ips',
      '127.0.0.0/8, ::1',
    );
    expect(stopped).toMatchObject({ allowedIps: ['127.0.0.0/8', '::1'] });
    expect(Date.parse(String(stopped['expiresAt'])) - Date.now()).toBeGreaterThan(3_000_000);
    const listed = (await run(service, 'list')) as unknown as readonly Body[];
    expect(listed.map(({ keyId, isActive }) => [keyId, isActive])).toEqual([
      [stopped['keyId'], true],
      [running['keyId'], true],
      [first.keyId, false],
    ]);
    expect(JSON.stringify(listed)).not.toContain('svc_');
    await service.start();
    expect(await whoami(service, String(stopped['apiKey']))).toBe(200);

    const told = await database.raw(
      "SELECT data FROM outbox WHERE type IN ('key.minted', 'key.revoked') ORDER BY created_at",
    );
    const events = told.map(dataIn);
    expect(events.map(({ apiKeyId }) => apiKeyId)).toEqual([
      first.keyId,
      first.keyId,
      running['keyId'],
      stopped['keyId'],
    ]);
    expect(events.every((event) => event['actor'].kind === 'system')).toBe(true);
  });

  it('makes a new operator where none is active', async () => {
    const { service, database } = await make();
    await service.bootstrap();
    await database.raw("UPDATE agents SET deactivated_at = 1 WHERE name = 'operator'");
    const minted = await run(service, 'mint');
    await service.start();
    expect(await whoami(service, String(minted['apiKey']))).toBe(200);
    const agents = await database.raw("SELECT id FROM agents WHERE name = 'operator'");
    expect(agents).toHaveLength(2);
    const { chains } = await readStored(database);
    const types = chains.get('00000000-0000-0000-0000-000000000000')?.map((one) => one.entryType);
    expect(types?.slice(-2)).toEqual(['AGENT_CREATED', 'API_KEY_MINTED']);
  });

  it('a key that cannot be shown is revoked again, and the command says so and fails', async () => {
    const { service } = await make();
    const full = openSync('/dev/full', 'w');
    try {
      const told = (keyId: unknown): string =>
        `notary: The key ${String(keyId)} could not be shown, because standard output cannot be written (ENOSPC: no space left on device, write). It was revoked again. Mint another one where the output can be read: notary keys mint\n`;
      const first = await service.runInto(full, 'bootstrap');
      const minted = await service.runInto(full, 'keys', 'mint');
      const asJson = await service.runInto(full, 'keys', 'mint', '--json');
      const listed = (await run(service, 'list')) as unknown as readonly Body[];
      expect(listed.map(({ isActive }) => isActive)).toEqual([false, false, false]);
      expect([asJson, minted, first].map(({ code, stderr }) => [code, withoutLog(stderr)])).toEqual(
        listed.map(({ keyId }) => [1, told(keyId)]),
      );
      expect(String(listed[0]?.['revokedAt'])).toMatch(/^\d{4}-/);
      const other = await service.runInto(full, 'keys', 'list');
      expect([other.code, withoutLog(other.stderr)]).toEqual([
        1,
        'notary: standard output cannot be written: ENOSPC: no space left on device, write\n',
      ]);
    } finally {
      closeSync(full);
    }
    const shown = await run(service, 'mint');
    await service.start();
    expect(await whoami(service, String(shown['apiKey']))).toBe(200);
  });

  it('says what is wrong: no notary yet, no such key, a revoked one, another secret, a wrong option', async () => {
    const { service, database } = await make();
    const none = await service.run('keys', 'mint');
    expect([none.code, none.stdout]).toEqual([1, '']);
    expect(none.stderr).toMatch(/The database is empty|There is no database at/);
    expect(await database.adapter.secretChecks.isInUse()).toBe(false);

    const { keyId } = await service.bootstrap();
    const missing = await service.run('keys', 'revoke', '01a20105-ed68-728c-8bf2-74036a408f66');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no such API key')]);
    await run(service, 'revoke', keyId);
    expect(await run(service, 'revoke', keyId.toUpperCase())).toMatchObject({ wasActive: false });

    const turned = await service.run('keys', 'mint', '--label', 'a\u202eb');
    expect([turned.code, turned.stderr]).toEqual([
      2,
      expect.stringContaining('It must not hold U+202E RIGHT-TO-LEFT OVERRIDE (character 2)'),
    ]);

    const wrong = new ServiceProcess({ DATABASE_URL: database.url, ...freshSecrets() });
    const stranger = await wrong.run('keys', 'mint', '--json');
    expect([stranger.code, stranger.stdout]).toEqual([1, '']);
    expect(stranger.stderr).toContain('API_KEY_PEPPER holds another secret');
    rmSync(wrong.directory, { recursive: true, force: true });

    for (const args of [
      ['mint', '--role', 'admin'],
      ['mint', '--expires-in', 'soon'],
      ['revoke', 'svc_plt_x'],
      ['revoke'],
      ['list', '--role', 'x'],
    ])
      expect((await service.run('keys', ...args)).code, args.join(' ')).toBe(2);
    const range = await service.run('keys', 'mint', '--allowed-ips', 'everywhere');
    expect([range.code, range.stderr]).toEqual([1, expect.stringContaining('everywhere is not')]);
  });

  it('prints for a person: the key once, and that none is left', async () => {
    const { service } = await make();
    const { keyId } = await service.bootstrap();
    const said = await service.run('keys', 'revoke', keyId);
    expect(said.stdout).toMatch(/^Revoked [^]*No usable platform key is left\. Mint one with/);
    const minted = await service.run('keys', 'mint');
    expect(minted.stdout.match(/svc_plt_[0-9A-Za-z]{49}/g)).toHaveLength(1);
    expect((await service.run('keys', 'list')).stdout).toMatch(/active .*\n.*revoked/);
  });
});
