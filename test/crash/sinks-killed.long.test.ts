import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { until } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok, sleep, type Body, type World } from '../support/service/world.ts';

const ROUNDS = 5;
/** Records of a round that are answered before its kill. */
const ANSWERED = 12;
/** Events of one write. */
const BATCH = 5;
const EVER = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

describe.each(databases())('on $name, a node that is killed by SIGKILL', (kind) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let world: World;
  let path: string;

  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    const directory = mkdtempSync(join(tmpdir(), 'notary-test-'));
    path = join(directory, 'events.ndjson');
    const env = {
      DATABASE_URL: database.url,
      SIEM_PUSH_FORMAT: 'raw',
      SIEM_PUSH_BATCH_SIZE: String(BATCH),
      SIEM_PUSH_FLUSH_MS: '1000',
      SIEM_FILE_PATH: path,
      ...freshSecrets(),
    };
    service = new ServiceProcess(env, directory);
    const first = await service.bootstrap();
    await service.start();
    world = await createWorld(service.url, first.apiKey);
  });
  afterAll(async () => {
    await service?.stop('SIGKILL');
    await database?.drop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  const at = (client: Client): Client => new Client(service.url, client.key);
  let kills = 0;
  const again = async (): Promise<void> => {
    kills++;
    await service.stop('SIGKILL');
    // The leases of a process that died end by themselves, later.
    await database.raw('UPDATE jobs SET holder = NULL, lease_until = 0');
    await service.start();
  };
  const lines = (): readonly string[] =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [''];

  it('loses no event of a file, leaves no half line, and writes no other line under an id', async () => {
    const told: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      let isDead = false;
      const load = (async () => {
        while (!isDead)
          await ok(
            at(world.principal.client).post('/v1/records', { type: 'note', criteria: { round } }),
          ).then(
            ({ id }) => told.push(String(id)),
            () => sleep(5),
          );
      })();
      const before = told.length;
      await until(() => told.length >= before + ANSWERED).catch((error: unknown) => {
        isDead = true;
        throw error;
      });
      // Its writes to the file are at most a second apart.
      await sleep(Math.random() * 1_000);
      const killed = again();
      await sleep(50);
      isDead = true;
      await Promise.all([killed, load]);
    }
    const response = async (): Promise<readonly string[]> => {
      const all: string[] = [];
      for (let query = 'format=raw&limit=1000'; ;) {
        const page = await fetch(`${service.url}/v1/siem/stream?${query}`, {
          headers: { authorization: `Bearer ${world.platform.key}` },
        });
        const text = await page.text();
        if (text === '') return all;
        all.push(...text.trimEnd().split('\n'));
        query = `format=raw&limit=1000&cursor=${page.headers.get('x-service-stream-cursor')}`;
      }
    };
    let events: readonly string[] = [];
    const recordIn = (line: string): unknown => (JSON.parse(line) as Body)['payload'].recordId;
    // The last ones get their number after the start.
    await until(async () => {
      events = await response();
      const records = new Set(events.map(recordIn));
      return told.every((id) => records.has(id));
    });
    for (let tries = 0; new Set(lines()).size - 1 < events.length; tries++) {
      expect(tries).toBeLessThan(600);
      await sleep(100);
    }
    const [last, ...written] = lines().toReversed();
    expect(last).toBe('');
    const byId = new Map(written.map((line) => [(JSON.parse(line) as Body)['id'], line]));
    for (const line of written) expect(byId.get((JSON.parse(line) as Body)['id'])).toBe(line);
    expect(events.filter((line) => byId.get((JSON.parse(line) as Body)['id']) !== line)).toEqual(
      [],
    );
    // Doubles are of the batches that were under way.
    expect(written.length - byId.size).toBeLessThanOrEqual(BATCH * kills);
  }, 300_000);

  it('leaves a compliance export that another start makes, whole', async () => {
    const taken = async (): Promise<number> => {
      const [{ n } = { n: 0 }] = (await database.raw(
        "SELECT COUNT(*) AS n FROM chain_entries WHERE entry_type = 'EXPORT_TAKEN'",
      )) as { n: number }[];
      return Number(n);
    };
    const before = await taken();
    const { id } = await ok(at(world.admin).post('/v1/compliance/exports', EVER));
    for (let round = 0; round < 2; round++) {
      await sleep(900);
      await again();
    }
    const one = `/v1/compliance/exports/${String(id)}`;
    let made: Body = {};
    for (let tries = 0; made['state'] !== 'completed'; tries++) {
      expect(tries).toBeLessThan(600);
      await sleep(100);
      made = await ok(at(world.admin).get(one));
    }
    const file = await fetch(`${service.url}${one}/download`, {
      headers: { authorization: `Bearer ${world.admin.key}` },
    });
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(made['sha256']);
    expect(bytes.toString().trimEnd().split('\n')).toHaveLength(Number(made['exported_records']));
    expect(await taken()).toBe(before + 1);
  });
});
