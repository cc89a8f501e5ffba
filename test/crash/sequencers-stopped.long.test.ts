import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { EventLoad } from '../support/databases/deliveries.ts';
import { until } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, readStored } from '../support/databases/stored-chains.ts';
import { Client, createWorld, type World } from '../support/service/world.ts';

/** What it is about to do when it is stopped; then the statement right before that. */
const MOMENTS = [
  ['before it writes numbers', 'UPDATE outbox SET sequence'],
  ['before it moves the counter', 'UPDATE event_counter'],
  ['before it commits', 'COMMIT\nUPDATE event_counter'],
] as const;
/** Longer than whoever waits for the counter waits for it, ms. */
const STOPPED_MS = 7_000;

const kinds = databases().filter(({ name }) => name === 'mysql');

describe.each(kinds)('on $name, a sequencer that holds the counter and is stopped', (kind) => {
  let database: TestDatabase;
  let stopped: ServiceProcess;
  let other: ServiceProcess;
  let world: World;
  let stopFile: string;

  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    const env = { DATABASE_URL: database.url, ...freshSecrets() };
    other = new ServiceProcess({ ...env, ROLE: 'api' });
    stopFile = join(other.directory, 'stop');
    stopped = new ServiceProcess(
      {
        ...env,
        ROLE: 'api',
        STOP_FILE: stopFile,
        NODE_OPTIONS: `--import=${resolve('test/support/attackers/stop-at-statement.mjs')}`,
      },
      other.directory,
    );
    const { apiKey } = await other.bootstrap();
    await other.start();
    world = await createWorld(other.url, apiKey);
    await stopped.start();
  });
  afterAll(async () => {
    await stopped?.stop('SIGKILL');
    await other?.stop('SIGKILL');
    await database?.drop();
    rmSync(other.directory, { recursive: true, force: true });
  });

  const numbers = async (): Promise<{ numbered: number[]; waiting: number }> => {
    const rows = await database.raw('SELECT sequence FROM outbox ORDER BY sequence');
    const numbered = rows.flatMap(({ sequence }) => (sequence === null ? [] : [Number(sequence)]));
    return { numbered, waiting: rows.length - numbered.length };
  };

  const load = (service: ServiceProcess): EventLoad =>
    new EventLoad(() => new Client(service.url, world.principal.client.key), 2, 50);

  /** Stops it at this moment, lets the other one write meanwhile, and lets it go on. */
  const stopAt = async (moment: string, meanwhile: () => Promise<unknown>): Promise<void> => {
    const loads = [load(stopped), load(other)] as const;
    try {
      writeFileSync(`${stopFile}.new`, moment);
      renameSync(`${stopFile}.new`, stopFile);
      await until(() => existsSync(`${stopFile}.stopped`));
      expect(readFileSync(`${stopFile}.stopped`, 'utf8')).toContain(moment.split('\n')[0]);
      rmSync(`${stopFile}.stopped`);
      const before = loads[1].told.length;
      await meanwhile();
      await until(() => loads[1].told.length > before + 50);
    } finally {
      process.kill(stopped.pid, 'SIGCONT');
      await Promise.all(loads.map((one) => one.end()));
    }
    await until(async () => (await numbers()).waiting === 0);
    const { numbered } = await numbers();
    expect(numbered).toEqual(numbered.map((_, index) => index + 1));
    expect((await readStored(database)).faults).toEqual([]);
    const told = [...stopped.logged, ...other.logged].filter(({ fault }) => fault !== undefined);
    expect(told).toEqual([]);
  };

  it.each(MOMENTS)(
    '%s, and goes on later, leaves no number out and gives none twice',
    (_, moment) => stopAt(moment, () => sleep(STOPPED_MS)),
  );

  it('and loses its connection meanwhile stands in nobody’s way, and gives no number twice when it goes on', async () => {
    await stopAt('UPDATE event_counter', async () => {
      const before = (await numbers()).numbered.length;
      await sleep(1_000);
      expect((await numbers()).numbered).toHaveLength(before);
      const held = await database.raw(
        "SELECT t.trx_mysql_thread_id AS id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE() AND p.command = 'Sleep'",
      );
      expect(held.length).toBeGreaterThan(0);
      for (const { id } of held) await database.raw(`KILL ${Number(id)}`);
      await until(async () => (await numbers()).numbered.length > before + 20);
    });
  });
});
