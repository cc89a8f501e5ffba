import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { receiverTls, until } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { createWorld, ok, type Body, type Client } from '../support/service/world.ts';

const EVENTS = 2_000;
const AT_ONCE = 50;
const { ca, identity } = await receiverTls();
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** A collector on a port that refuses until it is opened. */
class Collector {
  readonly lines: string[] = [];
  private server: Server | null = null;
  private constructor(readonly port: number) {}

  static async reserve(): Promise<Collector> {
    const server = createServer(identity);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return new Collector(port);
  }

  async open(): Promise<void> {
    this.server = createServer(identity, (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.lines.push(...Buffer.concat(parts).toString().trimEnd().split('\n'));
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(null)));
  }
}

const pulled = async ({ url, key }: Client): Promise<readonly string[]> => {
  const all: string[] = [];
  for (let query = 'format=raw&limit=1000'; ;) {
    const page = await fetch(`${url}/v1/siem/stream?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await page.text();
    if (text === '') return all;
    all.push(...text.trimEnd().split('\n'));
    query = `format=raw&limit=1000&cursor=${page.headers.get('x-service-stream-cursor')}`;
  }
};

describe.each(databases())('on $name, a collector that refuses', (kind) => {
  it('while thousands of events happen loses none of them, and slows no write', async () => {
    const collector = await Collector.reserve();
    ends.push(() => collector.close());
    const started = async (env: Readonly<Record<string, string>>): Promise<ServiceProcess> => {
      const database = await kind.open({ migrated: false });
      const service = new ServiceProcess({ DATABASE_URL: database.url, ...env, ...freshSecrets() });
      ends.push(async () => {
        await service.stop('SIGKILL');
        await database.drop();
        rmSync(service.directory, { recursive: true, force: true });
      });
      return service;
    };
    const withSink = await started({
      EGRESS_CA: ca,
      EGRESS_ALLOW_CIDRS_SINK: '127.0.0.0/8,::1/128',
      SIEM_HTTP_URL: `https://localhost:${collector.port}/in`,
      SIEM_PUSH_FORMAT: 'raw',
      SIEM_PUSH_BATCH_SIZE: '500',
      SIEM_PUSH_FLUSH_MS: '1000',
    });
    const plain = await started({});
    const worlds = [];
    for (const service of [withSink, plain]) {
      const { apiKey } = await service.bootstrap();
      await service.start();
      worlds.push(await createWorld(service.url, apiKey));
    }
    const [away, without] = worlds as [(typeof worlds)[0], (typeof worlds)[0]];
    const notes = Array.from({ length: AT_ONCE }, (_, item): Body => ({
      type: 'note',
      criteria: { item },
    }));
    const took: [number[], number[]] = [[], []];
    const write = async ({ principal }: typeof away, which: 0 | 1): Promise<void> => {
      const began = performance.now();
      await ok(principal.client.post('/v1/records/bulk', notes));
      took[which].push(performance.now() - began);
    };
    // In turns, so that a machine that slows down slows both.
    for (let made = 0; made < EVENTS; made += AT_ONCE) {
      await write(away, 0);
      await write(without, 1);
    }
    const told = (): readonly number[] =>
      withSink.logged
        .filter(
          ({ msg }) => msg === 'a SIEM sink takes nothing: events wait for it in the database',
        )
        .map(({ time }) => Date.parse(String(time)));
    await until(() => told().length > 0);
    const tellings = told();
    await collector.open();
    const events = await pulled(away.platform);
    const withheld = new Set(['provisioning.reconciled', 'agent.reference_added']);
    const isPushed = (line: string): boolean =>
      !withheld.has(String((JSON.parse(line) as Body)['type']));
    const expected = events.filter(isPushed);
    expect(expected.length).toBeGreaterThan(EVENTS);
    // It asks again within a minute and a half at the latest; how long it waits grows with the outage.
    await until(() => collector.lines.length >= expected.length, 180_000);
    expect(collector.lines.slice(0, expected.length)).toEqual(expected);
    expect(median(took[0]) / median(took[1])).toBeLessThan(1.5);
    // Of an outage at its beginning, and then once a minute, however long this machine makes it.
    const gaps = tellings.slice(1).map((at, index) => at - tellings[index]!);
    expect(gaps.filter((ms) => !(ms > 55_000))).toEqual([]);
  }, 400_000);
});

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
