import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { ownServices } from '../support/service/own-services.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok } from '../support/service/world.ts';

const KEY = /svc_plt_[0-9A-Za-z]{49}/g;

const make = ownServices();

/** What a start that must fail says. */
const refusal = async (service: ServiceProcess): Promise<string> => {
  const error = await service.start().then(
    () => null,
    (cause: Error) => cause,
  );
  expect(error, 'it started').not.toBeNull();
  expect(error!.message).toMatch(/^the service ended with 1: /);
  expect(error!.message, 'a stack trace is no explanation').not.toMatch(/\n\s+at /);
  return error!.message;
};

const filesUnder = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const holding = (directory: string, text: string): readonly string[] =>
  filesUnder(directory).filter((file) => readFileSync(file).includes(text));

describe('notary bootstrap', () => {
  it('gives the first platform key as JSON, once: a second one is refused with exit code 1 and clear words', async () => {
    const service = make();
    const first = await service.run('bootstrap', '--json');
    expect(first.code, first.stderr).toBe(0);
    const { apiKey, keyId, signingKeyFingerprint, ...rest } = JSON.parse(first.stdout) as Record<
      string,
      string
    >;
    expect(rest).toEqual({});
    expect(apiKey).toMatch(new RegExp(`^${KEY.source}$`));
    expect(keyId).toMatch(/^[0-9a-f-]{36}$/);
    expect(signingKeyFingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(first.stderr).not.toContain(apiKey);
    expect(holding(service.directory, apiKey!)).toEqual([]);

    const second = await service.run('bootstrap', '--json');
    expect(second.code).toBe(1);
    expect(second.stdout).toBe('');
    expect(second.stderr).toMatch(/notary: A platform key exists already/);
    expect(second.stderr).not.toMatch(/\n\s+at /);

    await service.start();
    expect((await new Client(service.url, apiKey!).get('/v1/auth/me')).body).toMatchObject({
      role: 'platform',
      apiKeyId: keyId,
    });
  });
});

describe('notary serve', () => {
  it('a worker answers probes and nothing else, stays, does its jobs, and ends with SIGTERM', async () => {
    const api = new ServiceProcess();
    const { apiKey } = await api.bootstrap();
    await api.start();
    const worker = new ServiceProcess({ ROLE: 'worker' }, api.directory);
    try {
      await worker.start();
      for (const [path, status] of [
        ['/livez', 200],
        ['/readyz', 200],
        ['/health', 200],
        ['/status', 404],
        ['/', 404],
        ['/v1/records', 404],
        ['/docs', 404],
        ['/a2a', 404],
        ['/mcp', 404],
      ] as const)
        expect([path, (await fetch(`${worker.url}${path}`)).status]).toEqual([path, status]);
      await api.stop();
      const node = new ServiceProcess({ ROLE: 'api' }, api.directory);
      await node.start();
      const { principal } = await createWorld(node.url, apiKey);
      const { id } = await ok(
        principal.client.post('/v1/records', {
          type: 'job',
          criteria: { goal: 'g' },
          ttlSeconds: 1,
        }),
      );
      const expired = async (): Promise<unknown> =>
        (await ok(principal.client.get('/v1/records?status=EXPIRED')))['data'];
      await expect.poll(expired).toMatchObject([{ id }]);
      await node.stop();
      expect(process.kill(worker.pid, 0)).toBe(true);
    } finally {
      expect(await worker.stop()).toBe(0);
      rmSync(api.directory, { recursive: true, force: true });
    }
  });

  it('says ready with its URL and the fingerprint of its signing key, and mints no key where nobody sits at a terminal', async () => {
    const service = make();
    await service.start();
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await service.stop();
    expect((await service.run('bootstrap', '--json')).code).toBe(0);
  });

  it('on SIGTERM takes no new connection, finishes what runs, lets go of idle connections and exits 0 within 25 s', async () => {
    const service = make();
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const kept = new Agent({ keepAlive: true });
    const idle = await new Promise<Socket>((resolve, reject) => {
      get(`${service.url}/livez`, { agent: kept }, (response) => {
        const { socket } = response;
        response.resume().once('end', () => resolve(socket));
      }).once('error', reject);
    });
    expect(idle.destroyed).toBe(false);

    const body = Buffer.from(
      JSON.stringify(
        Array.from({ length: 100 }, (_, item) => ({
          type: 'note',
          platformRef: 'last',
          criteria: { item },
        })),
      ),
    );
    const late = request(`${service.url}/v1/records/bulk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.principal.client.key}`,
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    const isBegun = once(late, 'continue');
    const answered = new Promise<{ status: number | undefined; text: string }>(
      (resolve, reject) => {
        late.once('error', reject);
        late.once('response', (response) => {
          let text = '';
          response.on('data', (part: Buffer) => (text += part.toString()));
          response.once('end', () => resolve({ status: response.statusCode, text }));
        });
      },
    );
    await isBegun;
    late.write(body.subarray(0, 1000));

    const asked = performance.now();
    const ended = service.stop('SIGTERM');
    const answers = (): Promise<boolean> =>
      fetch(`${service.url}/livez`).then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
    late.end(body.subarray(1000));
    const { status, text } = await answered;
    expect(status).toBe(207);
    expect(JSON.parse(text)).toMatchObject({ total: 100, succeeded: 100 });
    expect(await ended).toBe(0);
    // No request was left to wait for, so it does not use up its time.
    expect(performance.now() - asked).toBeLessThan(18_000);
    kept.destroy();

    await service.start();
    expect(
      await ok(
        new Client(service.url, world.principal.client.key).get(
          '/v1/records?platformRef=last&limit=200',
        ),
      ),
    ).toMatchObject({ total: 100 });
  });

  it('on SIGTERM under load answers with no server error, and keeps what it acknowledged', async () => {
    const service = make();
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const acknowledged: string[] = [];
    const refused: string[] = [];
    const writers = Array.from({ length: 16 }, async () => {
      for (;;) {
        const answer = await world.principal.client
          .post('/v1/records', { type: 'note', criteria: {} })
          .catch(() => null);
        if (!answer) return;
        if (answer.status === 201) acknowledged.push(String(answer.body['id']));
        else refused.push(`${answer.status} ${answer.body['detail']}`);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
    expect(await service.stop('SIGTERM')).toBe(0);
    await Promise.all(writers);
    expect(refused).toEqual([]);
    const database = new DatabaseSync(join(service.directory, 'data', 'notary.sqlite'), {
      readOnly: true,
    });
    const stored = new Set(
      database
        .prepare('SELECT lower(hex(id)) AS id FROM records')
        .all()
        .map((row) => (row as { id: string }).id),
    );
    database.close();
    expect(acknowledged.filter((id) => !stored.has(id.replaceAll('-', '')))).toEqual([]);
  });

  it('where the port is taken ends with exit code 1 and names it', async () => {
    const first = make();
    await first.start();
    const { port } = new URL(first.url);
    const said = await refusal(make({ PORT: port }));
    expect(said).toContain(port);
    expect(said).toMatch(/in use|taken|EADDRINUSE/i);
    expect((await fetch(`${first.url}/livez`)).status).toBe(200);
  });

  it('with bad settings ends with exit code 1 and lists all of them', async () => {
    const bad = {
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      MAX_BODY_BYTES: '12',
      DATABASE_URL: 'postgres://app:pass@db/x',
      HANDLER_TIMEOUT_MS: '0',
      SIGNER_KEK: 'short',
      TRUSTED_PROXIES: 'everyone',
    };
    const service = make(bad);
    const said = await refusal(service);
    for (const name of Object.keys(bad)) expect(said).toContain(`${name}: `);
    expect(said).not.toContain('pass@');
    expect(holding(service.directory, '')).toEqual([]);
  });

  it('with MySQL and no secrets ends with exit code 1 and asks for all three', async () => {
    const said = await refusal(make({ DATABASE_URL: 'mysql://app:hidden@127.0.0.1:1/none' }));
    for (const name of ['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'])
      expect(said).toContain(`${name}: must be set`);
    expect(said).not.toContain('hidden');
  });

  it('with the database away ends with exit code 1 and says so without the password', async () => {
    const said = await refusal(
      make({ DATABASE_URL: 'mysql://app:hidden@127.0.0.1:1/none', ...freshSecrets() }),
    );
    expect(said).toMatch(/database/i);
    expect(said).not.toContain('hidden');
  });

  it('refuses a database that is newer than the program, and changes nothing in it', async () => {
    const service = make();
    await service.bootstrap();
    const database = new DatabaseSync(join(service.directory, 'data', 'notary.sqlite'));
    database.exec(
      "INSERT INTO schema_migrations (name, applied_at) VALUES ('9999-from-the-future', 0)",
    );
    const before = database.prepare('SELECT name FROM schema_migrations').all().length;
    const said = await refusal(service);
    expect(said).toContain('newer than this program');
    expect(said).toContain('9999-from-the-future');
    expect(database.prepare('SELECT name FROM schema_migrations').all()).toHaveLength(before);
    database.close();
  });

  it('with another SIGNER_KEK than the one that sealed the signing key ends with exit code 1 and names the setting', async () => {
    const first = make(freshSecrets());
    await first.bootstrap();
    const said = await refusal(make(freshSecrets(), first.directory));
    expect(said).toContain('SIGNER_KEK');
  });
});

const hasScript =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

describe.skipIf(!hasScript)(
  'notary serve on a terminal (skipped without script of util-linux)',
  () => {
    /** Serves under a terminal until it is ready and quiet, then ends it. */
    const onTerminal = async (service: ServiceProcess): Promise<string> => {
      const env = {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        PORT: '0',
        DATA_DIR: join(service.directory, 'data'),
        KEYS_DIR: join(service.directory, 'keys'),
      };
      const child = spawn(
        'script',
        ['-qec', `echo pid $$; exec ${process.execPath} dist/config/main.js serve`, '/dev/null'],
        { env, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let said = '';
      child.stdout.on('data', (part: Buffer) => (said += part.toString()));
      const ended = once(child, 'close');
      await expect.poll(() => said).toContain('ready');
      await sleep(700);
      process.kill(Number(/pid (\d+)/.exec(said)?.[1]), 'SIGTERM');
      await ended;
      return said;
    };

    it('on an empty database shows the first platform key once, and writes it nowhere else', async () => {
      const service = make();
      const said = await onTerminal(service);
      const keys = said.match(KEY) ?? [];
      expect(keys, said).toHaveLength(1);
      const [key] = keys as [string];
      const lines = said.split('\n').filter((text) => /\bINFO\b/.test(text));
      expect(lines.some((line) => line.includes('ready') && line.includes('"role":"all"'))).toBe(
        true,
      );
      for (const line of lines) expect(line).not.toContain(key);
      expect(said, 'JSON is for collectors').not.toMatch(/^\{"level"/m);
      expect(filesUnder(service.directory).length).toBeGreaterThan(3);
      expect(holding(service.directory, key)).toEqual([]);
      // Not the part of it that is secret either.
      expect(holding(service.directory, key.slice(8, 40))).toEqual([]);
      expect(said).toMatch(/sha256:[0-9a-f]{64}/);
      expect(said).toMatch(/Next, .*http:\/\/127\.0\.0\.1:\d+\/docs\/openapi\.json/);

      expect((await onTerminal(service)).match(KEY)).toBeNull();
      await service.start();
      expect((await new Client(service.url, key).get('/v1/auth/me')).body).toMatchObject({
        role: 'platform',
      });
    });
  },
);
