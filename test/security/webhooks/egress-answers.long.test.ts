import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsPost } from '../../../adapters/egress/https-post.ts';
import { NameResolver } from '../../../adapters/egress/name-resolver.ts';
import {
  EgressFailed,
  EgressRefused,
  type PostAnswer,
} from '../../../application/ports/egress-post.port.ts';
import { busyMs, slowness } from '../../support/service/event-loop-gap.ts';
import { serveNames } from '../../support/peers/name-server.ts';
import { receiverTls, until } from '../../support/peers/receiver.ts';

const { ca, identity } = await receiverTls();
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };

/** A receiver that writes whatever it likes. */
let server: Server;
let play: (socket: Socket) => void = () => undefined;
let taken = 0;
beforeAll(async () => {
  server = createServer(identity, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => play(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

/** Writes as fast as the other end takes it. */
const pour = (bytes: Buffer) => (socket: Socket) => {
  taken = 0;
  const more = (): void => {
    while (!socket.destroyed) {
      taken += bytes.length;
      if (!socket.write(bytes)) return void socket.once('drain', more);
    }
  };
  more();
};

const url = (): string => `https://localhost:${(server.address() as AddressInfo).port}/`;
const REQUEST = {
  headers: {},
  body: Buffer.from('{}'),
  connectMs: 2_000,
  totalMs: 5_000,
  keepBytes: 2_048,
};
const post = async (
  resolve: (host: string) => Promise<readonly LookupAddress[]> = () => Promise.resolve([LOOPBACK]),
  allowed = ['127.0.0.0/8'],
): Promise<PostAnswer> => {
  const client = new HttpsPost({ allowed: { WEBHOOK: allowed, SINK: [] }, ca, resolve });
  try {
    return await client.post('WEBHOOK', url(), REQUEST);
  } finally {
    client.close();
  }
};

describe('a receiver that answers', () => {
  it('with one interim answer after the other is left after a few of them', async () => {
    play = pour(Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000)));
    const began = busyMs();
    await expect(post()).rejects.toBeInstanceOf(EgressFailed);
    expect((busyMs() - began) / slowness()).toBeLessThan(500);
    // What stands in the buffers of both ends, and no more.
    expect(taken).toBeLessThan(16_000_000);
  });

  it('and goes on talking afterwards is hung up on', async () => {
    const after = pour(Buffer.alloc(65_536, 'x'));
    let isClosed = false;
    play = (socket) => {
      socket.on('close', () => (isClosed = true));
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      setTimeout(() => after(socket), 100);
    };
    const client = new HttpsPost({
      allowed: { WEBHOOK: ['127.0.0.0/8'], SINK: [] },
      ca,
      resolve: () => Promise.resolve([LOOPBACK]),
    });
    expect(await client.post('WEBHOOK', url(), REQUEST)).toMatchObject({ status: 200 });
    await until(() => isClosed);
    expect(taken).toBeLessThan(16_000_000);
    client.close();
  });

  it('with a few of them is heard', async () => {
    play = (socket) =>
      void socket.end(
        `${'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`,
      );
    expect(await post()).toMatchObject({ status: 204 });
  });
});

describe('a name', () => {
  const many = (count: number): readonly LookupAddress[] =>
    Array.from({ length: count }, (_, n) => ({
      address: `2a00:1450:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::1`,
      family: 6,
    }));

  it('with thousands of addresses is refused before they are looked at', async () => {
    // A reply of DNS over TCP has room for so many.
    const addresses = [...many(2_300), ...many(2_300)];
    await expect(post(() => Promise.resolve(addresses))).rejects.toBeInstanceOf(EgressRefused);
  });

  it('that nobody answers for does not stand before those of this machine', async () => {
    const names = await serveNames((name) => (name.endsWith('.dead.example') ? undefined : null));
    const { resolve } = new NameResolver([names.server]);
    const dead = Array.from({ length: 64 }, (_, n) =>
      resolve(`n${n}.dead.example`).catch((error: unknown) => error),
    );
    // By then the name server was given up, and they ask the system.
    await new Promise((done) => setTimeout(done, 4_500));
    const began = performance.now();
    const found = await resolve('localhost');
    expect(found.length).toBeGreaterThan(0);
    // Behind the others it would wait for 5 s, and be given up then.
    expect(performance.now() - began).toBeLessThan(4_000);
    names.close();
    await Promise.all(dead);
  });
});
