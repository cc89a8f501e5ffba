import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { Collector, NotTaken } from '../../adapters/telemetry/collector.ts';
import { CollectorExporter } from '../../adapters/telemetry/collector-exporter.ts';
import { Collector as Server } from '../support/peers/collector.ts';
import { receiverTls, until } from '../support/peers/receiver.ts';

const BODY = new TextEncoder().encode('{"resourceSpans":[]}');
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const connect = async ({
  tls,
  ca = null,
}: { tls?: { key: string; cert: string }; ca?: string | null } = {}) => {
  const server = await new Server().start(tls);
  ends.push(() => server.stop());
  const headers = { authorization: 'a token', 'Content-Type': 'text/plain' };
  const collector = new Collector({ endpoint: server.url, headers, ca });
  ends.push(() => collector.close());
  return { server, collector };
};
const once = (server: Server, behave: (response: ServerResponse) => void): void => {
  const usual = server.behave;
  server.behave = (response) => {
    server.behave = usual;
    behave(response);
  };
};

const log = () => {
  const lines: unknown[] = [];
  const line = (...said: unknown[]) => void lines.push(said);
  return { lines, log: { debug: line, info: line, warn: line, error: line } };
};

describe('CollectorExporter', () => {
  it('says once that nothing is taken, and once that it is again', async () => {
    const { lines, log: told } = log();
    let isAway = true;
    const exporter = new CollectorExporter(
      {
        send: () =>
          isAway ? Promise.reject(new NotTaken('ECONNREFUSED', true)) : Promise.resolve(),
      },
      told,
    );
    const source = new NodeTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    }).getTracer('test');
    const tell = async (): Promise<void> => {
      source.startSpan('one').end();
      await exporter.forceFlush();
    };
    for (let n = 0; n < 3; n++) await tell();
    isAway = false;
    for (let n = 0; n < 3; n++) await tell();
    expect(lines).toEqual([
      [{ reason: 'ECONNREFUSED' }, expect.stringContaining('traces cannot be sent')],
      [{ spansLost: 3 }, 'the collector takes traces again'],
    ]);
  });

  it('waits at its end for what is on the way', async () => {
    const { log: told } = log();
    let arrive = (): void => undefined;
    const exporter = new CollectorExporter(
      { send: () => new Promise<void>((resolve) => (arrive = resolve)) },
      told,
    );
    const results: unknown[] = [];
    exporter.export([], (result) => results.push(result));
    let isOver = false;
    const ended = exporter.shutdown().then(() => (isOver = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isOver).toBe(false);
    arrive();
    await ended;
    expect(results).toEqual([{ code: 0 }]);
  });
});

describe('Collector', () => {
  it('gets JSON under the headers that were set', async () => {
    const { server, collector } = await connect();
    await collector.send(BODY);
    expect(server.headers).toMatchObject([
      { authorization: 'a token', 'content-type': 'application/json' },
    ]);
  });

  it.each([
    [
      '503',
      (response: ServerResponse) => void response.writeHead(503, { 'retry-after': '0' }).end(),
    ],
    ['no answer', (response: ServerResponse) => void response.destroy()],
  ])('is asked again after %s', async (_, behave) => {
    const { server, collector } = await connect();
    once(server, behave);
    await collector.send(BODY);
    expect(server.headers).toHaveLength(2);
  });

  it.each([
    [400, {}],
    [307, { location: '/v1/traces' }],
    // Longer than a batch may take.
    [503, { 'retry-after': '3600' }],
  ])('is not asked again after %i, and what it says is told to nobody', async (status, headers) => {
    const { server, collector } = await connect();
    server.behave = (response) => void response.writeHead(status, headers).end('a token');
    const failure = await collector.send(BODY).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotTaken);
    expect(String(failure)).toBe(`NotTaken: the collector answered ${status}`);
    expect(server.headers).toHaveLength(1);
  });

  it.each([
    ['hangs', (): void => undefined],
    [
      'asks for a pause',
      (response: ServerResponse) => void response.writeHead(503, { 'retry-after': '9' }).end(),
    ],
  ])('that %s is waited for no longer once it is closed', async (_, behave) => {
    const { server, collector } = await connect();
    server.behave = behave;
    const sending = collector.send(BODY).catch((error: unknown) => error);
    await until(() => server.headers.length === 1);
    const begun = performance.now();
    collector.close();
    expect(String(await sending)).toContain('has stopped');
    // The pause, and the time that an answer may take, are longer.
    expect(performance.now() - begun).toBeLessThan(8_500);
    expect(await collector.send(BODY).catch(String)).toContain('has stopped');
    expect(server.headers).toHaveLength(1);
  });

  it('is trusted by the authorities of the settings, and by no other', async () => {
    const { identity, ca } = await receiverTls();
    const { server, collector } = await connect({ tls: identity, ca });
    await collector.send(BODY);
    expect(server.headers).toHaveLength(1);
    const stranger = new Collector({ endpoint: server.url, headers: {}, ca: null });
    ends.push(() => stranger.close());
    expect(await stranger.send(BODY).catch(String)).toMatch(/^NotTaken: (?:UNABLE|SELF|DEPTH)_/);
    expect(server.headers).toHaveLength(1);
  });
});
