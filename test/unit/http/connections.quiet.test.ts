import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { H3 } from 'h3';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpExchange } from '../../../adapters/http/http-exchange.ts';
import { httpRequestOf } from '../../../adapters/http/http-request.ts';
import { refuse } from '../../../adapters/http/refuse.ts';
import { HttpServer, type ServerSettings } from '../../../adapters/http/server.ts';

let server: HttpServer | undefined;
let port = 0;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.stop();
});

/** 64 MiB: more than the kernel takes off the service's hands. */
const LARGE = 'x'.repeat(64 * 1024 * 1024);

const quiet = (): void => undefined;
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const start = async (settings: Partial<ServerSettings> = {}): Promise<HttpServer> => {
  const app = new H3({ silent: true });
  app.get('/', () => 'well');
  app.get('/large', () => LARGE);
  app.post('/', async (event) => {
    const request = httpRequestOf(event);
    const exchange = new HttpExchange(request, '/', {});
    try {
      return `${(await request.readBody(1_000_000)).length}`;
    } catch (error) {
      refuse(SILENT)(exchange, error);
      return new Response(String(exchange.answered?.body), { status: exchange.answered!.status });
    }
  });
  server = new HttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    connectionTimeoutMs: 600,
    keepAliveTimeoutMs: 700,
    drainMs: 200,
    maxConnections: 100,
    maxConnectionsPerAddress: 0,
    trustedProxies: [],
    ...settings,
  });
  ({ port } = await server.start());
  return server;
};

interface Peer {
  readonly socket: Socket;
  readonly said: () => string;
}

/** A peer that never closes its side by itself, and keeps what it was told. */
const peer = async (text: string, reads = true): Promise<Peer> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  let said = '';
  if (reads) socket.on('data', (part: Buffer) => (said += part.toString()));
  else socket.pause();
  await once(socket, 'connect');
  socket.write(text);
  return { socket, said: () => said };
};

const freed = (within: number): Promise<void> =>
  expect.poll(() => server?.openConnections, { timeout: within, interval: 20 }).toBe(0);

const isHolding = (running: HttpServer, count: number): Promise<void> =>
  expect.poll(() => running.openConnections, { timeout: 2_000, interval: 5 }).toBe(count);

const isServed = async (): Promise<void> => {
  const began = performance.now();
  const { socket, said } = await peer('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'end');
  expect(said()).toMatch(/^HTTP\/1\.1 200 [^]*well$/);
  expect(performance.now() - began).toBeLessThan(1_000);
  socket.end();
};

/** Sends a byte now and then, as long as it may. */
const trickle = (socket: Socket, byte: string): void => {
  const timer = setInterval(() => socket.write(byte), 50);
  socket.once('close', () => clearInterval(timer));
};

describe('a connection that holds the service up is freed, and others are served meanwhile:', () => {
  it.each<[string, string, string]>([
    ['one that says nothing', '', ''],
    ['one that never ends its header', 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n'],
    [
      'one that never ends its body',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n',
      'a',
    ],
    [
      'one that sends half of a chunk',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n',
      'a',
    ],
  ])('%s', async (_what, first, then) => {
    const running = await start();
    const peers = await Promise.all(Array.from({ length: 20 }, () => peer(first)));
    if (then !== '') for (const { socket } of peers) trickle(socket, then);
    await isHolding(running, 20);
    await isServed();
    // In time, an answer, and a second for the peer to close.
    await freed(600 + 200 + 1_000 + 700);
    if (first !== '')
      for (const { said } of peers) expect(said()).toMatch(/^HTTP\/1\.1 408 [^]*did not arrive/);
  });

  it('one that never reads the answer', async () => {
    await start();
    await peer('GET /large HTTP/1.1\r\nHost: x\r\n\r\n', false);
    await sleep(200);
    await isServed();
    await freed(3_000);
  });

  it('one that is kept alive and says no more', async () => {
    await start();
    const { said } = await peer('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await freed(3_000);
    expect(said()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('one that sends what is no request, and stays', async () => {
    await start();
    const { said } = await peer('what is this\r\n\r\n');
    await freed(2_500);
    expect(said()).toMatch(/^HTTP\/1\.1 400 [^]*not a whole HTTP\/1\.1 request/);
  });

  it('an answer that takes longer than the time-out, and moves, is not cut off', async () => {
    await start();
    const { socket, said } = await peer(
      'GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      false,
    );
    let size = 0;
    socket.on('data', (part: Buffer) => {
      size += part.length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    const began = performance.now();
    socket.resume();
    await once(socket, 'end');
    expect(said()).toBe('');
    expect(size).toBeGreaterThan(LARGE.length);
    expect(performance.now() - began).toBeGreaterThan(600);
  });
});

describe('the number of connections', () => {
  const refusalOf = async (): Promise<string> => {
    const { socket, said } = await peer('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'end');
    return said();
  };

  it('has a maximum: the next one is answered with 503, Retry-After and a problem, and closed', async () => {
    const running = await start({ maxConnections: 16, connectionTimeoutMs: 10_000 });
    const held = await Promise.all(Array.from({ length: 16 }, () => peer('GET / HT')));
    await isHolding(running, 16);
    const said = await refusalOf();
    expect(said).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n[^]*\r\nRetry-After: 5\r\n/);
    expect(JSON.parse(said.slice(said.indexOf('{')))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      suggestion: expect.any(String),
    });
    expect(running.openConnections).toBe(16);
    held[0]?.socket.destroy();
    await isHolding(running, 15);
    await isServed();
  });

  it('of one address has a maximum of its own, which is 429; a trusted proxy has none', async () => {
    const limits = { maxConnectionsPerAddress: 4, connectionTimeoutMs: 10_000 };
    const first = await start(limits);
    await Promise.all(Array.from({ length: 4 }, () => peer('GET / HT')));
    await isHolding(first, 4);
    expect(await refusalOf()).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n[^]*Retry-After: 5/);
    for (const socket of sockets.splice(0)) socket.destroy();
    await server?.stop();

    const running = await start({ ...limits, trustedProxies: ['127.0.0.0/8'] });
    await Promise.all(Array.from({ length: 8 }, () => peer('GET / HT')));
    await isHolding(running, 8);
    await isServed();
  });

  it('is counted right through a storm that is turned away', async () => {
    const running = await start({ maxConnections: 16, connectionTimeoutMs: 400 });
    await Promise.all(Array.from({ length: 400 }, () => peer('GET / HT')));
    await isHolding(running, 16);
    await freed(4_000);
    await isServed();
  });
});
