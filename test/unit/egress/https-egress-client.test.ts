import { createServer as createTcp, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isForbiddenAddress } from '../../../adapters/egress/forbidden-address.ts';
import { HttpsEgressClient } from '../../../adapters/egress/https-egress-client.ts';
import { serveTls, tlsFiles, type TlsServer } from '../../support/peers/oidc.ts';

// Contract of application/ports/egress-client.port.ts

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const ca = tlsFiles.ca.toString();
const open = new HttpsEgressClient({ allowed: { JWKS: LOOPBACK }, ca });
const closed = new HttpsEgressClient({ allowed: { JWKS: [] }, ca });
const get = (client: HttpsEgressClient, url: string, timeoutMs = 2_000) =>
  client.get({ url, purpose: 'JWKS', timeoutMs, maxBytes: 1000 });

describe('an address', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '100.100.100.200',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    'nonsense',
    '',
    '127.1',
    '0177.0.0.1',
  ])('%s is not gone to', (address) => {
    expect(isForbiddenAddress(address, [])).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '100.63.255.255',
    '198.17.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => {
    expect(isForbiddenAddress(address, [])).toBe(false);
  });

  it('that an operator names is gone to, and its neighbours are not', () => {
    expect(
      ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5'].map((address) =>
        isForbiddenAddress(address, ['10.1.2.3', 'fd00::/64']),
      ),
    ).toEqual([false, false, false]);
    expect(
      ['10.1.2.4', 'fd00:1::5', '127.0.0.1'].map((address) =>
        isForbiddenAddress(address, ['10.1.2.3', 'fd00::/64']),
      ),
    ).toEqual([true, true, true]);
  });
});

describe('the egress client', () => {
  let server: TlsServer;
  beforeAll(async () => {
    server = await serveTls((incoming, outgoing) => {
      switch (incoming.url) {
        case '/redirect':
          return void outgoing.writeHead(302, { location: 'https://169.254.169.254/' }).end();
        case '/big':
          return void outgoing.writeHead(200).end(Buffer.alloc(10_000));
        case '/announced':
          return void outgoing.writeHead(200, { 'content-length': '999999' }).flushHeaders();
        case '/slow':
          return void outgoing.writeHead(200).write('{');
        case '/silent':
          return undefined;
        case '/drip': {
          const timer = setInterval(() => outgoing.write('.'), 20);
          return void outgoing.writeHead(200).on('close', () => clearInterval(timer));
        }
        case '/half':
          return void outgoing
            .writeHead(200, { 'content-length': '100' })
            .write('half', () => setTimeout(() => outgoing.destroy(), 20));
        case '/switch':
          return void incoming.socket.end(
            'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
          );
        case '/gzip':
          return void outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'));
        case '/headers':
          return void outgoing.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
        default:
          return void outgoing.writeHead(200).end(
            JSON.stringify({
              host: incoming.headers.host,
              url: incoming.url,
              authorization: incoming.headers.authorization ?? null,
            }),
          );
      }
    });
  });
  afterAll(() => server.close());

  it('fetches from an address that the operator allows, and says which host it means', async () => {
    const said = JSON.parse(
      Buffer.from(await get(open, `${server.url}/keys?a=b`)).toString(),
    ) as object;
    expect(said).toEqual({ host: new URL(server.url).host, url: '/keys?a=b', authorization: null });
  });

  it.each([
    ['a name that leads to loopback', 'localhost'],
    ['loopback', '127.0.0.1'],
    ['loopback, written otherwise', '0x7f000001'],
    ['loopback in IPv6', '[::1]'],
    ['loopback, mapped', '[::ffff:127.0.0.1]'],
    ['metadata', '169.254.169.254'],
  ])('does not go to %s', async (_what, host) => {
    const before = server.asked.length;
    await expect(get(closed, `https://${host}:${new URL(server.url).port}/`)).rejects.toMatchObject(
      { kind: 'refused', message: expect.stringContaining('not a public address') },
    );
    expect(server.asked.length).toBe(before);
  });

  it.each([
    ['http://localhost:8080/', 'only https'],
    ['ftp://localhost/', 'only https'],
    ['nonsense', 'only https'],
    ['https://a:b@localhost/', 'credentials'],
    ['https://localhost:22/', 'port'],
    ['https://localhost:0/', 'port'],
    ['https://localhost:444/', 'port'],
  ])('does not fetch %s', async (url, why) => {
    await expect(get(open, url)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(why),
    });
  });

  it('goes nowhere where one of several addresses is private', async () => {
    const mixed = new HttpsEgressClient({
      allowed: { JWKS: [] },
      ca,
      resolve: () =>
        Promise.resolve([
          { address: '8.8.8.8', family: 4 },
          { address: '10.0.0.1', family: 4 },
        ]),
    });
    await expect(get(mixed, 'https://idp.example/')).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('10.0.0.1'),
    });
  });

  it('resolves a name once, and connects to what it looked over: a DNS that answers otherwise the second time leads nowhere', async () => {
    const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.2', family: 4 }]];
    let asked = 0;
    const rebound = new HttpsEgressClient({
      allowed: { JWKS: ['127.0.0.1/32'] },
      ca,
      resolve: () => Promise.resolve(answers[asked++]!),
    });
    const said = JSON.parse(
      Buffer.from(
        await get(rebound, `https://idp.example:${new URL(server.url).port}/`),
      ).toString(),
    ) as { host: string };
    expect(said.host).toBe(`idp.example:${new URL(server.url).port}`);
    expect(asked).toBe(1);
    await expect(
      get(rebound, `https://idp.example:${new URL(server.url).port}/`),
    ).rejects.toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['/redirect', '302'],
    ['/big', 'larger'],
    ['/announced', 'larger'],
    ['/gzip', 'encoded'],
    ['/headers', 'HPE_HEADER_OVERFLOW'],
    ['/switch', '101'],
    ['/half', 'ECONNRESET'],
  ])('takes no answer such as %s', async (path, why) => {
    await expect(get(open, server.url + path)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringContaining(why),
    });
  });

  it.each(['/slow', '/silent', '/drip'])(
    'waits no longer than it was told to for %s',
    async (path) => {
      const started = performance.now();
      await expect(get(open, server.url + path, 200)).rejects.toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('200 ms'),
      });
      expect(performance.now() - started).toBeLessThan(20_000);
    },
  );

  it('waits no longer than it was told to for a name', async () => {
    const stuck = new HttpsEgressClient({
      allowed: { JWKS: [] },
      ca,
      resolve: () => new Promise(() => undefined),
    });
    await expect(get(stuck, 'https://idp.example/', 100)).rejects.toMatchObject({ kind: 'failed' });
  });

  it('believes no certificate but of a known authority and of this name', async () => {
    await expect(
      get(new HttpsEgressClient({ allowed: { JWKS: LOOPBACK }, ca: null }), `${server.url}/`),
    ).rejects.toMatchObject({ kind: 'failed' });
    const other = new HttpsEgressClient({
      allowed: { JWKS: LOOPBACK },
      ca,
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    await expect(
      get(other, `https://elsewhere.example:${new URL(server.url).port}/`),
    ).rejects.toMatchObject({ kind: 'failed' });
  });

  it('does not talk to what is no TLS server', async () => {
    const plain = createTcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    await expect(
      get(open, `https://localhost:${(plain.address() as AddressInfo).port}/`),
    ).rejects.toMatchObject({ kind: 'failed' });
    plain.close();
  });

  it('uses no proxy of the environment', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    vi.stubEnv('https_proxy', 'http://127.0.0.1:9');
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    try {
      expect((await get(open, `${server.url}/`)).length).toBeGreaterThan(0);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
