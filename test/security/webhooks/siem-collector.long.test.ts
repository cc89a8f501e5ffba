import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { AnsweringServer } from '../../support/peers/answering-server.ts';
import { databases } from '../../support/databases/databases.ts';
import { receiverTls, until } from '../../support/peers/receiver.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { ok, proposeJob, type Client } from '../../support/service/world.ts';

// Whoever owns the collector answers as he likes: nothing is lost, and nothing stands in the way for ever.

interface Batch {
  readonly lines: readonly string[];
  readonly bytes: number;
}

class Collector extends AnsweringServer {
  /** Those that it took. */
  readonly taken: string[] = [];
  /** When it was asked, of performance.now(). */
  readonly askedAt: number[] = [];
  /** The status of the answer; null: none ever comes. */
  status: (batch: Batch) => number | null = () => 204;
  headers: Readonly<Record<string, string>> = {};

  get asked(): number {
    return this.askedAt.length;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const lines = text === '' ? [] : text.slice(0, -1).split('\n');
    this.askedAt.push(performance.now());
    const status = this.status({ lines, bytes: Buffer.byteLength(text) });
    if (status === null) return;
    if (status >= 200 && status < 300) this.taken.push(...lines);
    response.writeHead(status, this.headers).end();
  }

  static open(identity: Awaited<ReturnType<typeof receiverTls>>['identity']): Promise<Collector> {
    return new Collector().start(identity);
  }
}

const { ca, identity } = await receiverTls();

describe.each(databases())('a collector that misbehaves, on $name', (kind) => {
  const rig = new VaultRig(kind);
  let collector: Collector;
  beforeAll(async () => {
    collector = await Collector.open(identity);
    await rig.prepare();
    rig.env = {
      SIEM_PUSH_FLUSH_MS: '1',
      SIEM_PUSH_FORMAT: 'raw',
      SIEM_HTTP_URL: collector.url,
      EGRESS_CA: ca,
      EGRESS_ALLOW_CIDRS_SINK: '127.0.0.0/8,::1/128',
    };
  });
  afterAll(async () => {
    await collector.stop();
    await rig.end();
  });

  const job = async (service: RunningService): Promise<string> => {
    const { principal } = rig.world;
    const client = rig.at(service, principal.client);
    const world = { ...rig.world, url: String(service.url), principal: { ...principal, client } };
    return String((await proposeJob(world))['id']);
  };
  const idsOf = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => String((JSON.parse(line) as { id: string }).id));
  const expected = async (client: Client): Promise<readonly string[]> => {
    const response = await fetch(`${client.url}/v1/siem/stream?format=raw&limit=1000`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    const text = await response.text();
    return idsOf(text.trimEnd().split('\n'));
  };
  const isThere = async (service: RunningService): Promise<void> => {
    const { sinkPositions, events } = service.container.get(TOKENS.sql);
    await until(
      async () => (await sinkPositions.find('http'))?.sequence === (await events.newest()),
    );
  };

  it('that takes no more than a few lines at once gets all of them, each once', () =>
    rig.run(async (service) => {
      collector.taken.length = 0;
      await isThere(service);
      collector.status = ({ bytes }) => (bytes > 2_500 ? 413 : 204);
      for (let made = 0; made < 12; made++) await job(service);
      const platform = rig.at(service, rig.world.platform);
      const wanted = (await expected(platform)).slice(-12);
      await until(() => wanted.every((id) => idsOf(collector.taken).includes(id)));
      const ids = idsOf(collector.taken);
      expect(new Set(ids).size).toBe(ids.length);
    }));

  it('that refuses one line alone is asked again with pauses, and the others wait behind it', () =>
    rig.run(async (service) => {
      await isThere(service);
      collector.status = () => 413;
      const before = collector.asked;
      const record = await job(service);
      await job(service);
      await until(() => collector.asked >= before + 4);
      // Fewer lines each time without a pause, down to one, and then a second, two seconds and so on, less a fifth.
      expect(collector.askedAt[before + 3]! - collector.askedAt[before + 2]!).toBeGreaterThan(700);
      expect(collector.taken.some((line) => line.includes(record))).toBe(false);
      collector.status = () => 204;
      await until(() => collector.taken.some((line) => line.includes(record)));
    }));

  it('that redirects, refuses or breaks gets the same lines again when it takes them', () =>
    rig.run(async (service) => {
      await isThere(service);
      for (const status of [302, 400, 500]) {
        collector.headers = status < 400 ? { location: 'https://127.0.0.1:1/elsewhere' } : {};
        collector.status = () => status;
        const before = collector.asked;
        const record = await job(service);
        await until(() => collector.asked > before);
        collector.status = () => 204;
        collector.headers = {};
        await until(() => collector.taken.some((line) => line.includes(record)));
      }
    }));

  it('that asks for patience gets it, but no longer than five minutes', () =>
    rig.run(async (service) => {
      await isThere(service);
      collector.headers = { 'retry-after': '2' };
      collector.status = () => 429;
      const before = collector.asked;
      const record = await job(service);
      await until(() => collector.asked > before);
      collector.status = () => 204;
      collector.headers = {};
      await until(() => collector.taken.some((line) => line.includes(record)));
      expect(collector.askedAt[before + 1]! - collector.askedAt[before]!).toBeGreaterThan(1_500);
    }));

  it('that never answers does not keep the service from stopping', async () => {
    let stopping = 0;
    await rig.run(async (service) => {
      await isThere(service);
      collector.status = () => null;
      const before = collector.asked;
      await job(service);
      await until(() => collector.asked > before);
      stopping = performance.now();
    });
    // Whoever waits for an answer waits 30 s.
    expect(performance.now() - stopping).toBeLessThan(25_000);
    collector.status = () => 204;
    await rig.run(async (service) => {
      await ok(rig.at(service, rig.world.admin).get('/v1/events?limit=1'));
      await isThere(service);
    });
  });
});
