import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../support/clients/grpc-streams.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, readStored } from '../support/databases/stored-chains.ts';
import { Client, createWorld, type World } from '../support/service/world.ts';

const run = promisify(execFile);
const MAX_QUEUE_MS = 500;

interface Outcome {
  readonly statuses: Readonly<Record<string, number>>;
  /** Records a second. */
  readonly perSecond: number;
  readonly offered: number;
  readonly broken: number;
  readonly unanswered: number;
  readonly withoutRetryAfter: number;
  /** Of those that were taken, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly refusedP99: number;
}

interface Asked {
  readonly connections: number;
  readonly seconds: number;
  readonly perSecond?: number;
}

const load = async (
  given: Asked & { readonly url: string; readonly key: unknown },
): Promise<Outcome> => {
  const { stdout } = await run(
    process.execPath,
    ['test/support/clients/load-client.mjs', JSON.stringify(given)],
    { maxBuffer: 1 << 28 },
  );
  return JSON.parse(stdout) as Outcome;
};

/** How many requests a second a server that does nothing else refuses here, with the same client. */
const refusalsOfPlainServer = async (): Promise<number> => {
  const server = spawn(process.execPath, ['test/support/peers/plain-refusals.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${Number(port.toString())}`;
    return (await load({ url, key: 'none', connections: 64, seconds: 3 })).offered;
  } finally {
    server.kill();
  }
};

/** A service with a database of its own, and what loads it. */
class LoadedService {
  readonly outcomes: Outcome[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly service: ServiceProcess,
    readonly world: World,
  ) {}

  static async start(): Promise<LoadedService> {
    const database = await databases()[0]!.open({ migrated: false });
    const service = new ServiceProcess({
      DATABASE_URL: database.url,
      MAX_QUEUE_MS: String(MAX_QUEUE_MS),
      GRPC_PORT: '0',
      MAX_CONNECTIONS_PER_ADDRESS: '0',
      ...freshSecrets(),
    });
    const { apiKey } = await service.bootstrap();
    await service.start();
    const loaded = new LoadedService(database, service, await createWorld(service.url, apiKey));
    await loaded.load({ connections: 64, seconds: 2 });
    return loaded;
  }

  async load(asked: Asked): Promise<Outcome> {
    const { key } = this.world.principal.client;
    const outcome = await load({ url: this.service.url, key, ...asked });
    this.outcomes.push(outcome);
    return outcome;
  }

  /** What it does with as many callers as it takes easily, in records a second. */
  async capacity(): Promise<number> {
    return (await this.load({ connections: 64, seconds: 4 })).perSecond;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.database.drop();
    rmSync(this.service.directory, { recursive: true, force: true });
  }
}

describe('a service that is asked for four times what it can do', () => {
  let flooded: LoadedService;
  /** The machine may become slower or faster meanwhile; this one sees no flood. */
  let spared: LoadedService;
  let grpc: GrpcClient;
  let receipts = 0;

  beforeAll(async () => {
    flooded = await LoadedService.start();
    spared = await LoadedService.start();
    grpc = new GrpcClient(
      String(flooded.service.logged.find(({ msg }) => msg === 'ready')?.['grpc']),
    );
  });
  afterAll(async () => {
    grpc?.close();
    await flooded?.stop();
    await spared?.stop();
  });

  /** Its capacity now, and that of a service without a flood: the first of three pairs that is good, else the last. */
  const recovered = async (): Promise<{ readonly after: number; readonly usual: number }> => {
    for (let tries = 1; ; tries++) {
      const usual = await spared.capacity();
      const after = await flooded.capacity();
      if (after > 0.6 * usual || tries === 3) return { after, usual };
    }
  };

  const probesWhile = async (work: Promise<unknown>): Promise<readonly number[]> => {
    const isOver = settled(work);
    const statuses: number[] = [];
    const health = new Client(flooded.service.url, null);
    while (!isOver())
      for (const path of ['/livez', '/readyz', '/health'])
        statuses.push((await health.get(path)).status);
    return statuses;
  };

  /** One flood, and how much of the machine went into calls and into refusals. */
  const endure = async () => {
    const before = await flooded.capacity();
    const flooding = flooded.load({ connections: 1500, seconds: 8, perSecond: 4 * before });
    const probes = await probesWhile(flooding);
    const flood = await flooding;
    const { after, usual } = await recovered();
    // A refusal costs the same however cheap a call is, so of a faster service four times its load takes a larger share.
    // What refusals would cost a plain server is theirs; of the rest, calls get what the noise of two cores leaves.
    const goodput = flood.perSecond / Math.min(before, after, usual);
    const refused = (flood.offered - flood.perSecond) / (await refusalsOfPlainServer());
    return { before, probes, flood, after, usual, goodput, refused };
  };

  /** The first of three floods that is good, otherwise the last: the shares are of two cores that three processes use. */
  const endured = async () => {
    for (let tries = 1; ; tries++) {
      const found = await endure();
      if (found.goodput + found.refused > 0.75 || tries === 3) return found;
    }
  };

  it('goes on with what it can, keeps its time for that, refuses the rest at once, and is well again by itself', async () => {
    const { before, probes, flood, after, usual, goodput, refused } = await endured();
    expect(goodput).toBeGreaterThan(0.5);
    expect(goodput + refused).toBeGreaterThan(0.75);
    expect(flood.p99).toBeLessThan(4 * MAX_QUEUE_MS);
    expect(flood.statuses['503']).toBeGreaterThan(before);
    expect(Object.keys(flood.statuses).sort()).toEqual(['201', '503']);
    expect(flood).toMatchObject({ broken: 0, unanswered: 0, withoutRetryAfter: 0 });
    // A refusal waits for nothing but its turn.
    expect(flood.refusedP99).toBeLessThan(2 * MAX_QUEUE_MS);
    expect(probes.length).toBeGreaterThan(5);
    expect(new Set(probes)).toEqual(new Set([200]));
    expect(after).toBeGreaterThan(0.6 * usual);
    expect(flooded.outcomes.at(-1)!.statuses['503']).toBeUndefined();
  });

  it('goes on with a gRPC stream in the flood, which waits for its turns and keeps nobody else out', async () => {
    const before = await flooded.capacity();
    const flooding = flooded.load({ connections: 1500, seconds: 8, perSecond: 4 * before });
    const isOver = settled(flooding);
    const stream = new NotarizeStream(grpc, {
      authorization: `Bearer ${flooded.world.principal.client.key}`,
    }).read();
    let sent = 0;
    while (!isOver()) {
      // The client of grpc-js keeps a megabyte for itself before it feels that the service takes no more.
      if (sent - stream.receipts.length < 1_000)
        stream.write(statementBytes(String(sent++), { platformRef: 'stream' }));
      else await sleep(5);
      if (sent % 50 === 0) await setImmediate();
    }
    const flood = await flooding;
    // Whatever did not come through in the flood comes through now.
    expect((await stream.end()).code).toBe(status.OK);
    expect(stream.receipts.map(({ messageId }) => Number(messageId))).toEqual([
      ...Array(sent).keys(),
    ]);
    const refused = stream.receipts.flatMap(({ outcome }) =>
      outcome.case === 'error' ? [outcome.value] : [],
    );
    receipts += sent - refused.length;
    for (const { code, retryable } of refused)
      expect([code, retryable]).toEqual(['SERVICE_UNAVAILABLE', true]);
    expect(receipts).toBeGreaterThan(before);
    // Nor does the stream keep others out, or make them wait.
    expect(flood.statuses['201']).toBeGreaterThan(before);
    expect(Object.keys(flood.statuses).sort()).toEqual(['201', '503']);
    // Three busy processes share the cores here, so the slowest calls say more about the machine.
    expect(flood.p50).toBeLessThan(4 * MAX_QUEUE_MS);
    expect(flood).toMatchObject({ broken: 0, unanswered: 0, withoutRetryAfter: 0 });
  });

  it('has stored each record that it acknowledged, and none that it refused', async () => {
    const stored = await readStored(flooded.database);
    expect(stored.faults).toEqual([]);
    const acknowledged = flooded.outcomes.reduce(
      (sum, { statuses }) => sum + (statuses['201'] ?? 0),
      0,
    );
    expect(stored.records.size).toBe(acknowledged + receipts);
  });
});

/** Whether it has ended by now. */
const settled = (work: Promise<unknown>): (() => boolean) => {
  let isOver = false;
  void work.finally(() => (isOver = true));
  return () => isOver;
};
