import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsPost } from '../../../adapters/egress/https-post.ts';
import { NameResolver } from '../../../adapters/egress/name-resolver.ts';
import { EgressRefused } from '../../../application/ports/egress-post.port.ts';
import { serveNames, type NameServer } from '../../support/peers/name-server.ts';
import { serveTls, tlsFiles, type TlsServer } from '../../support/peers/oidc.ts';

let names: NameServer;
/** Answers of one name, in turn. */
const rebinding: string[] = [];

beforeAll(async () => {
  names = await serveNames((name) => {
    if (name.endsWith('.dead.example')) return undefined;
    if (name === 'rebinding.example') return rebinding.shift();
    return name === 'known.example' ? '198.51.100.7' : null;
  });
});
afterAll(() => names.close());

describe('a name', () => {
  it('is asked of the name servers', async () => {
    const { resolve } = new NameResolver([names.server]);
    expect(await resolve('known.example')).toEqual([{ address: '198.51.100.7', family: 4 }]);
  });

  it('that they do not know is asked of the system, which knows those of this machine', async () => {
    const { resolve } = new NameResolver([names.server]);
    const before = names.asked.length;
    const found = await resolve('localhost');
    expect(found.map(({ address }) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)]),
    );
    expect(names.asked.length).toBe(before);
    await expect(resolve('unknown.invalid')).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ENOTFOUND|EAI_)/) as string,
    });
  });

  it('is asked once for a burst of requests, and anew a moment later', async () => {
    const { resolve } = new NameResolver([names.server], 150);
    const asked = () => names.asked.filter((name) => name === 'known.example').length;
    const before = asked();
    for (let n = 0; n < 5; n++) await resolve('known.example');
    const burst = asked() - before;
    await new Promise((goOn) => setTimeout(goOn, 200));
    await resolve('known.example');
    expect([burst, asked() - before]).toEqual([1, 2]);
  });

  it('that nobody answers for delays no other', async () => {
    const { resolve } = new NameResolver([names.server]);
    const dead = Array.from({ length: 20 }, (_, n) =>
      resolve(`n${n}.dead.example`).catch((error: unknown) => error),
    );
    const began = performance.now();
    expect(await resolve('known.example')).toHaveLength(1);
    const first = performance.now() - began;
    const ended = await Promise.all(dead);
    expect(ended.every((error) => error instanceof Error)).toBe(true);
    expect(first).toBeLessThan((performance.now() - began) / 2);
  });
});

describe('a name server that answers otherwise the second time', () => {
  let server: TlsServer;
  beforeAll(async () => {
    server = await serveTls((_incoming, outgoing) => void outgoing.end());
  });
  afterAll(() => server.close());

  it('leads nowhere', async () => {
    const post = new HttpsPost({
      allowed: { WEBHOOK: ['127.0.0.1/32'], SINK: [] },
      ca: tlsFiles.ca.toString(),
      resolve: new NameResolver([names.server], 0).resolve,
    });
    const ask = () =>
      post.post('WEBHOOK', `https://rebinding.example:${new URL(server.url).port}/`, {
        headers: {},
        body: new Uint8Array(),
        connectMs: 2_000,
        totalMs: 3_000,
        keepBytes: 0,
      });
    rebinding.push('127.0.0.1', '127.0.0.1', '169.254.169.254', '169.254.169.254');
    // The certificate is another's, so a handshake shows where it went, and nothing is sent.
    await expect(ask()).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
    await expect(ask()).rejects.toBeInstanceOf(EgressRefused);
    expect(names.asked.filter((name) => name === 'rebinding.example')).toHaveLength(2);
    expect(server.asked).toEqual([]);
    post.close();
  });
});
