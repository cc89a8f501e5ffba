import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpsPost } from '../../adapters/egress/https-post.ts';
import { PeerClient } from '../../adapters/federation/peer-client.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { EgressFailed, EgressRefused } from '../../application/ports/egress-post.port.ts';
import type { PeerTransport } from '../../application/federation/peer-transport.port.ts';
import { Receiver, receiverTls } from '../support/peers/receiver.ts';

// Contract of application/federation/peer-transport.port.ts

const HUB_ID = '019c1f00-0000-7000-8000-000000000001';
const pair = generateKeyPairSync('ed25519');
const asked: string[] = [];
const keys = {
  of: async (thumbprint: string) => {
    asked.push(thumbprint);
    return {
      id: HUB_ID,
      thumbprint,
      publicKey: { curve: 'Ed25519', raw: new Uint8Array(32) } as const,
      createdAt: '',
      sign: (bytes: Uint8Array) => Uint8Array.from(sign(null, bytes, pair.privateKey)),
    };
  },
};

let receiver: Receiver;
let transport: PeerTransport;
let guarded: PeerTransport;
beforeAll(async () => {
  const { ca, identity } = await receiverTls();
  receiver = await Receiver.open(identity);
  const client = (PEER: readonly string[]): PeerTransport =>
    new PeerClient(
      new HttpsPost({ allowed: { PEER }, ca }),
      keys,
      { hubId: HUB_ID },
      new SystemClock(),
      200_000,
    );
  transport = client(['127.0.0.0/8', '::1/128']);
  guarded = client([]);
});
afterAll(() => receiver.stop());

const peer = () => ({ hubId: HUB_ID, baseUrl: receiver.url, ownKeyThumbprint: 'ab'.repeat(32) });
const BODY = Buffer.from('{"messageId":"1","text":"ü"}');

it('signs each request anew by the key that the peer knows, as interface 5.4 says', async () => {
  const path = '/federation/v1/state-transitions';
  await transport.post(peer(), path, BODY);
  await transport.post(peer(), path, BODY);
  expect(asked.slice(-2)).toEqual(['ab'.repeat(32), 'ab'.repeat(32)]);
  const [first, second] = receiver.received.slice(-2);
  for (const { headers, raw } of [first!, second!]) {
    expect(headers['x-service-peer-hub-id']).toBe(HUB_ID);
    const timestamp = String(headers['x-service-timestamp']);
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
    const nonce = String(headers['x-service-nonce']);
    expect(nonce).toMatch(/^[A-Za-z0-9_-]{22,64}$/);
    const hash = createHash('sha256').update(raw).digest('hex');
    const input = `service.federation.v1:POST:${path}:${hash}:${timestamp}:${nonce}`;
    const signature = Buffer.from(String(headers['x-service-signature']), 'base64');
    expect(signature.toString('base64')).toBe(headers['x-service-signature']);
    const key = createPublicKey(pair.privateKey);
    expect(verify(null, Buffer.from(input), key, signature)).toBe(true);
    expect(raw).toBe(BODY.toString());
  }
  expect(first!.headers['x-service-nonce']).not.toBe(second!.headers['x-service-nonce']);
});

it('gives any answer as it is, with the wait that it asks for, also of a private address', async () => {
  const long = JSON.stringify({ a: 'x'.repeat(150_000) });
  receiver.behave = (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end(long);
  const answer = await transport.post(peer(), '/federation/v1/signals', BODY);
  expect(answer).toMatchObject({ status: 429, retryAfterSeconds: 7 });
  expect(Buffer.from(answer.body).toString()).toBe(long);
  receiver.behave = (_, response) => void response.end('{}');
});

it('sends nothing to an address that is not allowed', async () => {
  const before = receiver.received.length;
  await expect(guarded.post(peer(), '/federation/v1/peer', BODY)).rejects.toThrow(EgressRefused);
  expect(receiver.received).toHaveLength(before);
});

it('fails where no whole answer comes in time', async () => {
  receiver.behave = () => undefined;
  await expect(
    transport.post(peer(), '/federation/v1/peer', BODY, { totalMs: 200 }),
  ).rejects.toThrow(EgressFailed);
  const left = new AbortController();
  setTimeout(() => left.abort(), 50);
  await expect(
    transport.post(peer(), '/federation/v1/peer', BODY, { signal: left.signal }),
  ).rejects.toThrow(EgressFailed);
});

it('gives up an answer of which a byte comes now and then, however long that goes on', async () => {
  receiver.behave = (_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(drip));
  };
  const began = performance.now();
  await expect(
    transport.post(peer(), '/federation/v1/signals', BODY, { totalMs: 600 }),
  ).rejects.toThrow(EgressFailed);
  expect(performance.now() - began).toBeLessThan(30_000);
});

it('reads no more of an answer without end than an answer may have', async () => {
  let given = 0;
  const ended = new Promise<void>((resolve) => {
    receiver.behave = (_, response) => {
      response.writeHead(200);
      const part = 'x'.repeat(16_384);
      const pour = (): void => {
        while (!response.destroyed && (given += part.length) && response.write(part));
      };
      response.on('drain', pour).on('close', resolve);
      pour();
    };
  });
  const began = performance.now();
  const outcome = await transport
    .post(peer(), '/federation/v1/signals', BODY, { totalMs: 60_000 })
    .then(({ body }) => body.length)
    .catch((error: unknown) => error);
  if (typeof outcome === 'number') expect(outcome).toBeLessThanOrEqual(200_000);
  else expect(outcome).toBeInstanceOf(EgressFailed);
  await ended;
  expect(performance.now() - began).toBeLessThan(30_000);
  // What lies in the buffers of both sockets comes on top.
  expect(given).toBeLessThan(20_000_000);
});

it('takes an answer that breaks off for none', async () => {
  receiver.behave = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"messageId":');
    setTimeout(() => response.destroy(), 50);
  };
  await expect(transport.post(peer(), '/federation/v1/signals', BODY)).rejects.toThrow(
    EgressFailed,
  );
  receiver.behave = (_, response) => void response.end('{}');
});
