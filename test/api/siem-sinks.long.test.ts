import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import type { RunningService } from '../../config/service.ts';
import { databases } from '../support/databases/databases.ts';
import { until } from '../support/peers/receiver.ts';
import { TlsAuthority } from '../support/peers/tls-authority.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, proposeJob, sleep, type Client } from '../support/service/world.ts';

const FAST = { SIEM_PUSH_FLUSH_MS: '1', SIEM_PUSH_BATCH_SIZE: '7' };

interface Batch {
  readonly lines: readonly string[];
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** A collector that takes nothing while it is told to refuse. */
class Collector {
  readonly batches: Batch[] = [];
  refusals = 0;
  isRefusing = false;
  private constructor(
    private readonly server: Server,
    readonly url: string,
    readonly ca: string,
  ) {}

  static async start(): Promise<Collector> {
    const authority = await TlsAuthority.create();
    const server = createServer(await authority.issue({ addresses: [[127, 0, 0, 1]] }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const collector = new Collector(server, `https://127.0.0.1:${port}/in`, authority.pem);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (collector.isRefusing) {
          collector.refusals++;
          return response.writeHead(503, { 'retry-after': '1' }).end();
        }
        const body = Buffer.concat(parts).toString();
        collector.batches.push({ body, headers: request.headers, lines: linesOf(body) });
        return response.writeHead(204).end();
      });
    });
    return collector;
  }

  get lines(): readonly string[] {
    return this.batches.flatMap(({ lines }) => lines);
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.slice(0, -1).split('\n');

const pulled = async (client: Client, format: string): Promise<readonly string[]> => {
  const all: string[] = [];
  for (let query = `format=${format}&limit=1000`; ;) {
    const response = await fetch(`${client.url}/v1/siem/stream?${query}`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    const text = await response.text();
    expect(response.status).toBe(200);
    if (text === '') return all;
    all.push(...linesOf(text));
    query = `format=${format}&limit=1000&cursor=${response.headers.get('x-service-stream-cursor')}`;
  }
};

const isWithheld = (line: string): boolean => line.includes('agent.reference_added');

/** These lines first, in this order; pulling them caused events of its own. */
const holds = async (written: () => readonly string[], all: readonly string[]): Promise<void> => {
  await until(() => written().length >= all.length);
  expect(written().slice(0, all.length)).toEqual(all);
};

describe.each(databases())('sinks on $name', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'sinks-'));
  const rig = new VaultRig(kind);
  let collector: Collector;
  beforeAll(async () => {
    collector = await Collector.start();
    await rig.prepare();
  });
  afterAll(async () => {
    await rig.end();
    await collector.end();
    rmSync(folder, { recursive: true });
  });

  const job = async (service: RunningService): Promise<void> => {
    const { principal } = rig.world;
    const client = rig.at(service, principal.client);
    const world = { ...rig.world, url: String(service.url), principal: { ...principal, client } };
    await proposeJob(world);
  };
  const fileOf = (name: string): readonly string[] => {
    const path = join(folder, name);
    return existsSync(path) ? linesOf(readFileSync(path, 'utf8')) : [];
  };
  const expected = async (service: RunningService, format: string): Promise<readonly string[]> =>
    (await pulled(rig.at(service, rig.world.platform), format)).filter((one) => !isWithheld(one));

  it('a file gets the lines that are pulled, byte for byte, but for the withheld kinds; a restart goes on', async () => {
    rig.env = { ...FAST, SIEM_FILE_PATH: join(folder, 'a'), SIEM_PUSH_FORMAT: 'ocsf' };
    await rig.run(async (service) => {
      const { principal, admin } = rig.world;
      const reference = { kind: 'url', uri: 'https://example.com/agent' };
      await ok(rig.at(service, admin).post(`/v1/agents/${principal.id}/references`, reference));
      await job(service);
      const all = await pulled(rig.at(service, rig.world.platform), 'ocsf');
      expect(all.some(isWithheld)).toBe(true);
      await holds(() => fileOf('a'), await expected(service, 'ocsf'));
    });
    await rig.run(async (service) => {
      await job(service);
      await holds(() => fileOf('a'), await expected(service, 'ocsf'));
    });
  });

  it('of two nodes one writes at a time, and every event once', async () => {
    rig.env = { ...FAST, SIEM_FILE_PATH: join(folder, 'b1') };
    await rig.run(async (one) => {
      await job(one);
      rig.env = { ...FAST, SIEM_FILE_PATH: join(folder, 'b2') };
      await rig.run(async (other) => {
        for (let made = 0; made < 5; made++) await job(other);
        const all = await expected(one, 'ocsf');
        const of = () => [...fileOf('a'), ...fileOf('b1'), ...fileOf('b2')];
        await until(() => all.every((line) => of().includes(line)));
        expect(new Set(of()).size).toBe(of().length);
      });
    });
  });

  it('a collector that is away loses nothing and blocks nobody; batches are signed and carry the token', async () => {
    collector.isRefusing = true;
    const [refusals, taken] = [collector.refusals, collector.lines.length];
    rig.env = {
      ...FAST,
      SIEM_PUSH_FORMAT: 'raw',
      SIEM_HTTP_URL: collector.url,
      SIEM_HTTP_TOKEN: 'a-token',
      SIEM_HTTP_SECRET: 'a-secret',
      EGRESS_CA: collector.ca,
      EGRESS_ALLOW_CIDRS_SINK: '127.0.0.1',
    };
    await rig.run(async (service) => {
      await until(() => collector.refusals > refusals);
      // A create that waited for the collector would never be answered here.
      for (let made = 0; made < 5; made++) await job(service);
      expect(collector.lines).toHaveLength(taken);
      collector.isRefusing = false;
      await holds(() => collector.lines, await expected(service, 'raw'));
      for (const { lines, headers, body } of collector.batches) {
        expect(lines.length).toBeLessThanOrEqual(7);
        expect(headers['content-type']).toBe('application/x-ndjson');
        expect(headers['authorization']).toBe('Bearer a-token');
        const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
          String(headers['x-service-signature']),
        )!;
        expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(300);
        expect(createHmac('sha256', 'a-secret').update(`${time}.${body}`).digest('hex')).toBe(mac);
      }
    });
  });

  it('goes on from the time where the database was restored, and stands still where its position was edited', async () => {
    await rig.run(async (service) => {
      const { sinkPositions, events } = service.container.get(TOKENS.sql);
      await until(
        async () => (await sinkPositions.find('http'))?.sequence === (await events.newest()),
      );
      const last = await events.newest();
      await rig.database.raw(`DELETE FROM outbox WHERE sequence = ${last}`);
      const before = collector.lines.length;
      await job(service);
      await until(() =>
        collector.lines.slice(before).some((line) => line.includes('record.proposed')),
      );
      await until(
        async () => (await sinkPositions.find('http'))?.sequence === (await events.newest()),
      );
      await rig.database.raw("UPDATE siem_sinks SET sequence = sequence + 1 WHERE name = 'http'");
      const known = collector.lines.length;
      try {
        await expect(sinkPositions.find('http')).rejects.toMatchObject({ code: 'CONFLICT' });
        await job(service);
        await sleep(1_500);
        expect(collector.lines.length).toBe(known);
      } finally {
        await rig.database.raw("UPDATE siem_sinks SET sequence = sequence - 1 WHERE name = 'http'");
      }
      await until(() => collector.lines.length > known);
    });
  });
});
