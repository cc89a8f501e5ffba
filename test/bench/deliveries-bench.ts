import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { receiverTls } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { createWorld, NOTE_TYPE, ok, type World } from '../support/service/world.ts';
import { benchDatabase } from './bench-database.ts';
import { CONNECTIONS, type Load } from './load.ts';
import { notarize } from './notarize.ts';
import type { Row } from './table.ts';

const EVENTS = 10_000;
const AT_ONCE = 100;
const RECEIVERS = 10;
/** Deliveries a second that a burst is to drain at. */
const ASKED = 500;
const TYPE = 'burst';

/**
 * A burst of 10,000 events to each of ten receivers: how fast a worker drains it, and what a load of notarize in another
 * process notices of that. The receivers and the client of the load take their share of the same cores.
 */
export const measureDeliveries = async (
  name: string,
  seconds: number,
  mysqlUrl?: string,
): Promise<readonly Row[]> => {
  const tls = await receiverTls();
  const receivers = await Receivers.open(tls.identity);
  const database = mysqlUrl ? await benchDatabase(mysqlUrl) : null;
  const env = {
    ...freshSecrets(),
    ...database?.env,
    EGRESS_CA: tls.ca,
    EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
    WEBHOOK_RATE_PER_HOST: '100000',
  };
  const api = new ServiceProcess({ ...env, ROLE: 'api' });
  const worker = new ServiceProcess({ ...env, ROLE: 'worker' }, api.directory);
  try {
    const { apiKey } = await api.bootstrap();
    await api.start();
    const world = await createWorld(api.url, apiKey);
    await burst(world, receivers.urls);
    const load = (): Promise<Load> => notarize(world.principal.client, seconds);
    await load();
    const alone = await load();
    await worker.start();
    const drained = await receivers.during(() => sleep(seconds * 3_000));
    let beside!: Load;
    const besideDrained = await receivers.during(async () => void (beside = await load()));
    const left = EVENTS * RECEIVERS - (await receivers.count());
    const cores = `${availableParallelism()} cores for all`;
    return [
      {
        what: `${name}: deliveries of a burst of ${EVENTS.toLocaleString('en')} events to ${RECEIVERS} receivers`,
        perSecond: drained,
        ratio: drained / ASKED,
        of: `${ASKED} a second; at least 1`,
      },
      row(`${name}: notarize, ${CONNECTIONS} connections, no deliveries`, alone),
      {
        ...row(`${name}: notarize beside ${Math.round(besideDrained)} deliveries a second`, beside),
        ratio: beside.perSecond / alone.perSecond,
        of: `the same alone; ${cores}${left <= 0 ? '; the burst ended meanwhile' : ''}`,
      },
    ];
  } finally {
    await worker.stop('SIGKILL');
    await api.stop('SIGKILL');
    receivers.close();
    rmSync(api.directory, { recursive: true, force: true });
    await database?.drop();
  }
};

/** What the load makes later is of another type: it is read by the webhooks, and not delivered. */
const burst = async ({ admin, principal }: World, urls: readonly string[]): Promise<void> => {
  await ok(admin.post('/v1/schemas', { ...NOTE_TYPE, type: TYPE }));
  for (const url of urls)
    await ok(
      admin.post('/v1/webhooks', { url, eventTypes: ['record.recorded'], recordTypes: [TYPE] }),
    );
  const notes = Array.from({ length: AT_ONCE }, (_, n) => ({ type: TYPE, criteria: { n } }));
  for (let made = 0; made < EVENTS; made += AT_ONCE)
    await ok(principal.client.post('/v1/records/bulk', notes));
};

const row = (what: string, { perSecond, p50, p99, failures }: Load): Row => ({
  what,
  perSecond,
  p50,
  p99,
  ...(failures > 0 ? { note: `${failures} FAILED` } : {}),
});

class Receivers {
  private constructor(
    readonly urls: readonly string[],
    private readonly ask: () => Promise<string>,
    readonly close: () => void,
  ) {}

  static async open(identity: { readonly key: string; readonly cert: string }): Promise<Receivers> {
    const child = spawn(process.execPath, ['test/bench/receivers.mjs', String(RECEIVERS)], {
      env: { PATH: process.env['PATH'], TLS_KEY: identity.key, TLS_CERT: identity.cert },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const line = (): Promise<string> => new Promise((resolve) => lines.once('line', resolve));
    const ports = JSON.parse(await line()) as number[];
    return new Receivers(
      ports.map((port) => `https://localhost:${port}`),
      () => {
        const told = line();
        child.stdin.write('\n');
        return told;
      },
      () => void child.kill(),
    );
  }

  async count(): Promise<number> {
    return Number(await this.ask());
  }

  /** Requests a second while this is done. */
  async during(work: () => Promise<unknown>): Promise<number> {
    const [before, began] = [await this.count(), performance.now()];
    await work();
    return ((await this.count()) - before) / ((performance.now() - began) / 1_000);
  }
}
