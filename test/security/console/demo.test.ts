import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import { demoAttacks } from '../../../config/demo-attacks.ts';
import { startService, type RunningService } from '../../../config/service.ts';
import { settingsIn } from '../../support/service/settings-in.ts';
import { PinoLog } from '../../../adapters/system/pino-log.ts';
import { Client, createWorld, openDecided, type World } from '../../support/service/world.ts';

const SILENT = new PinoLog('silent', { write: () => undefined });
const TOKEN = 'attack_of_this_test';
const directory = mkdtempSync(join(tmpdir(), 'notary-attacked-'));
const file = join(directory, 'data', 'notary.sqlite');

let service: RunningService;
let demo: ReturnType<typeof demoAttacks>;
let world: World;
let victim: string;
let platformKey: string;

beforeAll(async () => {
  const settings = settingsIn(directory);
  demo = demoAttacks(settings, SILENT, { directory, attackToken: TOKEN });
  service = await startService(settings, SILENT, demo.routes);
  const { apiKey } = await service.container.get(BootstrapPlatform).execute();
  platformKey = apiKey;
  world = await createWorld(String(service.url), apiKey);
  victim = (await openDecided(world, 'accept')).id;
  await call('POST', 'copies');
  await openDecided(world, 'accept');
});
afterAll(async () => {
  await service?.stop();
  demo?.close();
  rmSync(directory, { recursive: true, force: true });
});

const call = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}/demo/${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
  });
  const body = (await response.json()) as Readonly<Record<string, any>>;
  return { status: response.status, body, headers: response.headers };
};
const attack = (name: string, recordId = victim) => call('POST', `attacks/${name}/${recordId}`);
const restore = () => call('POST', 'restorations');

/** Every row of what attacks change. */
const rows = (): string => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return JSON.stringify(
      ['chain_entries', 'chain_heads', 'records', 'vault_signing_keys'].map((table) =>
        database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
      ),
      (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    );
  } finally {
    database.close();
  }
};

describe('the door through which a demo is attacked', () => {
  it('takes its token alone, from whatever name it is called by', async () => {
    for (const authorization of [
      '',
      'Bearer ',
      `Bearer ${platformKey}`,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
    ])
      expect((await call('GET', 'attacks', { authorization })).status, authorization).toBe(401);
    const asked = await call('GET', 'attacks', { origin: 'https://evil.example' });
    expect(asked.status).toBe(200);
    expect([...asked.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
    const preflight = await fetch(`${service.url}/demo/attacks`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    expect((await call('GET', `attacks?token=${TOKEN}`, { authorization: '' })).status).toBe(401);
  });

  it('is not there in a service that is no demo, and its page says nothing of it', async () => {
    const other = mkdtempSync(join(tmpdir(), 'notary-unattacked-'));
    const plain = await startService(
      settingsIn(directory, { DATA_DIR: join(other, 'data'), KEYS_DIR: join(other, 'keys') }),
      SILENT,
    );
    try {
      for (const [method, path] of [
        ['GET', '/demo/attacks'],
        ['POST', '/demo/copies'],
        ['POST', '/demo/restorations'],
        ['POST', `/demo/attacks/entry-edited/${victim}`],
      ] as const) {
        const answer = await fetch(`${plain.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${TOKEN}` },
        });
        expect(answer.status, path).toBe(404);
      }
      expect(await (await fetch(`${plain.url}/console`)).text()).not.toContain('data-attacks');
      expect(await (await fetch(`${service.url}/console`)).text()).toContain('data-attacks');
    } finally {
      await plain.stop();
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('opens on the database of the demo alone, whatever the settings name', () => {
    const named: readonly Readonly<Record<string, string>>[] = [
      { DATABASE_URL: `sqlite://${join(directory, 'operator.sqlite')}` },
      { DATA_DIR: join(directory, 'elsewhere') },
    ];
    for (const env of named)
      expect(() =>
        demoAttacks(settingsIn(directory, env), SILENT, { directory, attackToken: TOKEN }),
      ).toThrow('a demo is on the database of its own');
  });

  it('says that nothing was changed where nothing was', async () => {
    const before = rows();
    const nobody = '00000000-0000-7000-8000-000000000000';
    const { body } = await call('GET', 'attacks');
    for (const { name } of body['data'] as { readonly name: string }[]) {
      if (['key-swapped', 'checkpoint-deleted', 'rolled-back'].includes(name)) continue;
      expect((await attack(name, nobody)).status, name).toBe(409);
    }
    expect((await attack('another')).status).toBe(404);
    expect((await attack('entry-edited', 'no-id')).status).toBe(404);
    expect(rows()).toBe(before);
  });

  it('lets one attack stand at a time, of two at once as well, and puts every row back', async () => {
    const before = rows();
    for (const name of [
      'entry-edited',
      'entry-deleted',
      'chain-cut',
      'entries-swapped',
      'status-changed',
      'time-changed',
      'key-swapped',
    ]) {
      const both = await Promise.all([attack(name), attack(name)]);
      expect(both.map(({ status }) => status).sort(), name).toEqual([200, 409]);
      const standing = both.find(({ status }) => status === 200)!.body['number'];
      expect((await call('GET', 'attacks')).body['standing']).toBe(standing);
      expect(rows(), name).not.toBe(before);
      expect((await restore()).body).toEqual({ restored: true });
      expect((await call('GET', 'attacks')).body['standing']).toBeNull();
      expect(rows(), name).toBe(before);
    }
    expect((await restore()).body).toEqual({ restored: false });
  });

  it('keeps one earlier copy, which nobody puts an attacked one in the place of', async () => {
    expect((await call('POST', 'copies')).status).toBe(409);
  });

  it('takes back the attack, and nothing that somebody wrote while it waited for its turn', async () => {
    const writer = new DatabaseSync(file, { timeout: 5_000 });
    writer.exec('BEGIN IMMEDIATE');
    const waiting = attack('status-changed');
    await sleep(200);
    writer
      .prepare('UPDATE records SET updated_at = updated_at + 1 WHERE id = ?')
      .run(Buffer.from(victim.replaceAll('-', ''), 'hex'));
    writer.exec('COMMIT');
    writer.close();
    const written = rows();
    // The attack may have come before this look; what counts is what is left after it.
    expect((await waiting).status).toBe(200);
    await restore();
    expect(rows()).toBe(written);
  });

  it('takes a token that is no key of the interface', async () => {
    const client = new Client(String(service.url), TOKEN);
    expect((await client.get('/v1/records')).status).toBe(401);
  });
});
