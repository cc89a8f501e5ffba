import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HttpsPost, type PostOptions } from '../../adapters/egress/https-post.ts';
import { textOf } from '../../adapters/egress/kept-answer.ts';
import { retryAfterSeconds } from '../../adapters/egress/retry-after.ts';
import {
  EgressFailed,
  EgressRefused,
  type PostAnswer,
  type PostRequest,
} from '../../application/ports/egress-post.port.ts';
import { TlsAuthority, type TlsIdentity } from '../support/peers/tls-authority.ts';

// Contract of application/ports/egress-post.port.ts

interface Met {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly method: string;
  readonly body: string;
}

/** A receiver over real TLS, which counts its connections. */
class Receiver {
  readonly met: Met[] = [];
  connections = 0;
  readonly sockets = new Set<Socket>();

  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {}

  static async start(
    identity: TlsIdentity,
    answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
    address = '127.0.0.1',
  ): Promise<Receiver> {
    const server = createServer({ ...identity, keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        receiver.met.push({
          url: String(incoming.url),
          headers: incoming.headers,
          method: String(incoming.method),
          body: Buffer.concat(parts).toString(),
        });
        answer(incoming, outgoing);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const receiver = new Receiver(server, (server.address() as AddressInfo).port);
    server.on('secureConnection', (socket) => {
      receiver.connections++;
      receiver.sockets.add(socket);
      socket.on('error', () => undefined);
    });
    return receiver;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const BODY = Buffer.from('{"type":"record.recorded"}');
const RECEIVER = 'receiver.example';

let authority: TlsAuthority;
let identity: TlsIdentity;
let receiver: Receiver;
let clients: HttpsPost[] = [];

const answers: Record<string, (outgoing: ServerResponse) => void> = {
  '/ok': (outgoing) => outgoing.writeHead(200).end('taken'),
  '/empty': (outgoing) => outgoing.writeHead(204).end(),
  '/redirect': (outgoing) =>
    outgoing.writeHead(307, { location: 'https://receiver.example/elsewhere' }).end('moved'),
  '/gone': (outgoing) => outgoing.writeHead(410).end(),
  '/busy': (outgoing) => outgoing.writeHead(503, { 'retry-after': '120' }).end(),
  '/later': (outgoing) =>
    outgoing.writeHead(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }).end(),
  '/long': (outgoing) => outgoing.writeHead(200).end('x'.repeat(10_000)),
  '/endless': (outgoing) => {
    outgoing.writeHead(200);
    const more = (): void => {
      while (!outgoing.destroyed && outgoing.write('y'.repeat(16_384)));
    };
    outgoing.on('drain', more);
    more();
  },
  '/umlauts': (outgoing) => outgoing.writeHead(200).end('ü'.repeat(2_000)),
  '/binary': (outgoing) => outgoing.writeHead(200).end(Buffer.alloc(4_000, 0xff)),
  '/encoded': (outgoing) => outgoing.writeHead(200, { 'content-encoding': 'br' }).end('xxxx'),
  '/half': (outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' }).write('half of it');
    setTimeout(() => outgoing.destroy(), 20);
  },
  '/half-chunk': (outgoing) => {
    outgoing.writeHead(200).write('a chunk');
    setTimeout(() => outgoing.destroy(), 20);
  },
  '/reset': (outgoing) => void outgoing.socket?.destroy(),
  '/silent': () => undefined,
  '/drip': (outgoing) => {
    outgoing.writeHead(200);
    drip(() => outgoing.write('.'), outgoing);
  },
  '/drip-head': (outgoing) => {
    outgoing.socket?.write('HTTP/1.1 200 OK\r\n');
    drip(() => outgoing.socket?.write('x: y\r\n'), outgoing);
  },
  '/informed': (outgoing) => drip(() => outgoing.writeProcessing(), outgoing),
  '/switch': (outgoing) =>
    void outgoing.socket?.end(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ),
  '/headers': (outgoing) => outgoing.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
  '/garbage': (outgoing) => void outgoing.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
};

const drip = (write: () => void, outgoing: ServerResponse): void => {
  const timer = setInterval(write, 20);
  outgoing.on('close', () => clearInterval(timer));
};

/** A client for which every name is this receiver's; as if loopback were public, unless it is said otherwise. */
const client = (changes: Partial<PostOptions> = {}): HttpsPost => {
  const made = new HttpsPost({
    allowed: { WEBHOOK: LOOPBACK, SINK: [] },
    ca: authority.pem,
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    isPrivate: () => false,
    ...changes,
  });
  clients.push(made);
  return made;
};
const request = (changes: Partial<PostRequest> = {}): PostRequest => ({
  headers: { 'content-type': 'application/json', 'x-service-delivery': 'd1' },
  body: BODY,
  connectMs: 30_000,
  totalMs: 60_000,
  keepBytes: 2_048,
  ...changes,
});
const at = (path: string, host = RECEIVER, port = receiver.port): string =>
  `https://${host}:${port}${path}`;
const send = (
  path: string,
  changes: Partial<PostRequest> = {},
  by: HttpsPost = client(),
): Promise<PostAnswer> => by.post('WEBHOOK', at(path), request(changes));

beforeAll(async () => {
  authority = await TlsAuthority.create();
  identity = await authority.issue({
    names: [RECEIVER, 'localhost', 'other.example'],
    addresses: [[127, 0, 0, 1]],
  });
  receiver = await Receiver.start(identity, (incoming, outgoing) =>
    answers[String(incoming.url).split('?')[0]!]?.(outgoing),
  );
});
afterEach(() => {
  for (const one of clients) one.close();
  clients = [];
  receiver.met.length = 0;
  receiver.connections = 0;
});
afterAll(() => receiver.close());

describe('a request', () => {
  it('arrives byte for byte, with its headers, and the answer comes back', async () => {
    expect(await send('/ok?a=b&c=%20')).toEqual({
      status: 200,
      retryAfterSeconds: null,
      body: 'taken',
    });
    expect(receiver.met).toMatchObject([
      {
        method: 'POST',
        url: '/ok?a=b&c=%20',
        body: BODY.toString(),
        headers: {
          host: `${RECEIVER}:${receiver.port}`,
          'content-type': 'application/json',
          'x-service-delivery': 'd1',
          'content-length': String(BODY.length),
        },
      },
    ]);
  });

  it('says itself how its body is carried, whatever headers it is given', async () => {
    await send('/ok', {
      headers: {
        Host: 'elsewhere.example',
        'Content-Length': '1',
        'Transfer-Encoding': 'chunked',
        Connection: 'upgrade',
        Expect: '100-continue',
        'X-Token': 'kept',
      },
    });
    const [met] = receiver.met;
    expect(met!.body).toBe(BODY.toString());
    expect(met!.headers).toMatchObject({
      host: `${RECEIVER}:${receiver.port}`,
      'content-length': String(BODY.length),
      connection: 'keep-alive',
      'x-token': 'kept',
    });
    expect(met!.headers).not.toHaveProperty('transfer-encoding');
    expect(met!.headers).not.toHaveProperty('expect');
  });

  it('with a header that HTTP cannot say is refused, and does not end the process', async () => {
    await expect(
      send('/ok', { headers: { 'x-token': 'a\r\nx-injected: b' } }),
    ).rejects.toBeInstanceOf(EgressRefused);
    expect(receiver.met).toEqual([]);
  });

  it.each([
    ['/empty', { status: 204, retryAfterSeconds: null, body: '' }],
    ['/gone', { status: 410, retryAfterSeconds: null, body: '' }],
    ['/busy', { status: 503, retryAfterSeconds: 120, body: '' }],
  ])('to %s gives its status', async (path, answer) => {
    expect(await send(path)).toEqual(answer);
  });

  it('reads a date of Retry-After as well', async () => {
    const { retryAfterSeconds: seconds } = await send('/later');
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('follows no redirect', async () => {
    expect(await send('/redirect')).toMatchObject({ status: 307, body: 'moved' });
    expect(receiver.met.map(({ url }) => url)).toEqual(['/redirect']);
  });
});

describe('of an answer', () => {
  it.each([
    ['/long', 2_048],
    ['/endless', 2_048],
    ['/umlauts', 2_048],
    ['/binary', 2_046],
  ])('%s no more is kept than was asked for', async (path, bytes) => {
    const { status, body } = await send(path);
    expect(status).toBe(200);
    expect(Buffer.byteLength(body)).toBe(bytes);
  });

  it('what was encoded is not kept', async () => {
    expect(await send('/encoded')).toMatchObject({ status: 200, body: '' });
  });

  it('of a private receiver nothing is kept', async () => {
    const by = client({ isPrivate: undefined as never });
    expect(await send('/ok', {}, by)).toEqual({ status: 200, retryAfterSeconds: null, body: '' });
  });

  it.each(['/half', '/half-chunk', '/reset', '/switch', '/headers', '/garbage'])(
    '%s is none',
    async (path) => {
      await expect(send(path)).rejects.toBeInstanceOf(EgressFailed);
    },
  );

  it('text is never cut within a character', () => {
    expect(textOf(Buffer.from('aü'), 2)).toBe('a');
    expect(textOf(Buffer.from('a😀b'), 5)).toBe('a😀');
    expect(Buffer.byteLength(textOf(Buffer.alloc(100, 0xff), 100))).toBeLessThanOrEqual(100);
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['7 days', null],
    ['99999999999999999999', null],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60],
    ['Fri, 02 Jan 2026 03:03:05 GMT', 0],
    ['Fri, 99 Jan 2026 03:05:05 GMT', null],
  ])('a Retry-After of %s is %s', (value, seconds) => {
    expect(retryAfterSeconds(value, Date.parse('2026-01-02T03:04:05Z'))).toBe(seconds);
  });
});

describe('time', () => {
  it.each(['/silent', '/drip', '/drip-head', '/informed'])(
    'is not outlasted by %s',
    async (path) => {
      const began = performance.now();
      const refusal = send(path, { totalMs: 300 });
      await expect(refusal).rejects.toBeInstanceOf(EgressFailed);
      await expect(refusal).rejects.toThrow('no whole answer came within 300 ms');
      expect(performance.now() - began).toBeLessThan(20_000);
    },
  );

  it('to connect is not outlasted by a TLS handshake that never ends', async () => {
    const sockets: Socket[] = [];
    const plain = createTcp((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      // A handshake record that is announced to be long, and comes byte by byte.
      socket.write(Buffer.of(0x16, 3, 3, 0x3f, 0xff));
      const timer = setInterval(() => socket.write(Buffer.of(2)), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const began = performance.now();
    await expect(
      client().post(
        'WEBHOOK',
        at('/', RECEIVER, (plain.address() as AddressInfo).port),
        request({ connectMs: 200, totalMs: 60_000 }),
      ),
    ).rejects.toThrow('no connection in time');
    expect(performance.now() - began).toBeLessThan(20_000);
    sockets.forEach((socket) => socket.destroy());
    plain.close();
  });

  it('to connect is not outlasted by a name', async () => {
    const stuck = client({ resolve: () => new Promise(() => undefined) });
    await expect(send('/ok', { connectMs: 100 }, stuck)).rejects.toThrow('was not resolved');
  });

  it('that an answer took leaves nothing behind', async () => {
    const aborted = vi.fn();
    process.on('unhandledRejection', aborted);
    await send('/ok', { totalMs: 1_500, connectMs: 1_400 });
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    process.off('unhandledRejection', aborted);
    expect(aborted).not.toHaveBeenCalled();
  });
});

describe('an address', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback in one number', '2130706433'],
    ['loopback in hexadecimal', '0x7f000001'],
    ['loopback in octal', '0177.0.0.1'],
    ['loopback, shortened', '127.1'],
    ['loopback in wide characters', '１２７.0.0.1'],
    ['loopback with other dots', '127。0。0。1'],
    ['no address', '0.0.0.0'],
    ['loopback in IPv6', '[::1]'],
    ['loopback, mapped', '[::ffff:127.0.0.1]'],
    ['loopback, mapped in hexadecimal', '[::ffff:7f00:1]'],
    ['loopback, compatible', '[::127.0.0.1]'],
    ['loopback behind NAT64', '[64:ff9b::127.0.0.1]'],
    ['loopback behind 6to4', '[2002:7f00:1::]'],
    ['Teredo', '[2001:0:7f00:1::]'],
    ['metadata', '169.254.169.254'],
    ['metadata in IPv6', '[fd00:ec2::254]'],
    ['carrier NAT', '100.64.0.1'],
    ['a link-local one', '[fe80::1]'],
  ])('%s is not gone to, and no answer tells where it led', async (_what, host) => {
    const closed = client({ allowed: { WEBHOOK: [], SINK: LOOPBACK } });
    const refusal = closed.post('WEBHOOK', at('/ok', host), request());
    await expect(refusal).rejects.toBeInstanceOf(EgressRefused);
    await expect(refusal).rejects.toThrow('not public');
    expect(receiver.connections).toBe(0);
  });

  it('of a name is not told to the owner of a webhook', async () => {
    const closed = client({
      allowed: { WEBHOOK: [], SINK: [] },
      resolve: () => Promise.resolve([{ address: '10.1.2.3', family: 4 }]),
    });
    const error = await closed
      .post('WEBHOOK', 'https://intern.example/', request())
      .catch((cause: unknown) => cause as Error);
    expect(error).toBeInstanceOf(EgressRefused);
    expect((error as Error).message).not.toContain('10.1.2.3');
  });

  it.each([
    ['an http URL', 'http://receiver.example/'],
    ['no URL', 'nonsense'],
    ['credentials', 'https://a:b@receiver.example/'],
    ['a user alone', 'https://a@receiver.example/'],
    ['port 22', 'https://receiver.example:22/'],
    ['port 0', 'https://receiver.example:0/'],
    ['port 80', 'https://receiver.example:80/'],
    ['port 1023', 'https://receiver.example:1023/'],
  ])('%s is refused before a name is resolved', async (_what, url) => {
    const resolve = vi.fn();
    await expect(client({ resolve }).post('WEBHOOK', url, request())).rejects.toBeInstanceOf(
      EgressRefused,
    );
    expect(resolve).not.toHaveBeenCalled();
  });

  it('that is forbidden among several forbids the name', async () => {
    const mixed = client({
      allowed: { WEBHOOK: ['127.0.0.1/32'], SINK: [] },
      resolve: () =>
        Promise.resolve([
          { address: '127.0.0.1', family: 4 },
          { address: '169.254.169.254', family: 4 },
        ]),
    });
    await expect(send('/ok', {}, mixed)).rejects.toBeInstanceOf(EgressRefused);
    expect(receiver.connections).toBe(0);
  });

  it('is resolved once for a request: a DNS that answers otherwise the second time leads nowhere', async () => {
    const given = ['127.0.0.1', '127.0.0.2', '127.0.0.2'];
    let asked = 0;
    const rebound = client({
      allowed: { WEBHOOK: ['127.0.0.1/32'], SINK: [] },
      resolve: () => Promise.resolve([{ address: given[asked++]!, family: 4 }]),
    });
    expect(await send('/ok', {}, rebound)).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
    // The connection to the first address is still open, and is of no use to the name any more.
    await expect(send('/ok', {}, rebound)).rejects.toBeInstanceOf(EgressRefused);
    expect(receiver.met).toHaveLength(1);
  });

  it('that gives no connection leaves time for the next one of the name', async () => {
    const two = client({
      resolve: () =>
        Promise.resolve([
          { address: '127.0.0.9', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ]),
    });
    expect(await send('/ok', {}, two)).toMatchObject({ status: 200 });
  });

  it('of another purpose is not allowed', async () => {
    const by = client();
    await expect(by.post('SINK', at('/ok'), request())).rejects.toBeInstanceOf(EgressRefused);
  });

  it('that nobody listens at is told by its code, without the address', async () => {
    const error = await client()
      .post('WEBHOOK', at('/', RECEIVER, 1_999), request())
      .catch((cause: unknown) => cause as Error);
    expect(error).toBeInstanceOf(EgressFailed);
    expect((error as Error).message).toBe(`${RECEIVER} cannot be connected to: ECONNREFUSED`);
  });

  it('that the system does not know is told by its code', async () => {
    const by = client({
      resolve: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
    });
    await expect(send('/ok', {}, by)).rejects.toThrow(/cannot be resolved: ENOTFOUND/);
  });
});

describe('TLS', () => {
  const served = async (other: TlsIdentity, ca: string | null, host = RECEIVER) => {
    const one = await Receiver.start(other, (_incoming, outgoing) => outgoing.end());
    try {
      return await client({ ca }).post('WEBHOOK', at('/', host, one.port), request());
    } finally {
      expect(one.met.length).toBeLessThanOrEqual(1);
      await one.close();
    }
  };
  const DAY_MS = 86_400_000;

  it('takes a certificate of the authority of EGRESS_CA', async () => {
    expect(await served(identity, authority.pem)).toMatchObject({ status: 200 });
  });

  it('takes a certificate for an address where the URL names one', async () => {
    expect(await served(identity, authority.pem, '127.0.0.1')).toMatchObject({ status: 200 });
  });

  it('takes none of an unknown authority', async () => {
    await expect(served(identity, null)).rejects.toThrow('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    const other = await TlsAuthority.create();
    await expect(served(identity, other.pem)).rejects.toBeInstanceOf(EgressFailed);
  });

  it('takes none with another name', async () => {
    const wrong = await authority.issue({ names: ['elsewhere.example'] });
    await expect(served(wrong, authority.pem)).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
    await expect(served(wrong, authority.pem, '127.0.0.1')).rejects.toThrow(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
  });

  it('takes none that expired, nor one of tomorrow', async () => {
    const expired = await authority.issue({
      names: [RECEIVER],
      notBefore: new Date(Date.now() - 2 * DAY_MS),
      notAfter: new Date(Date.now() - DAY_MS),
    });
    await expect(served(expired, authority.pem)).rejects.toThrow('CERT_HAS_EXPIRED');
    const early = await authority.issue({
      names: [RECEIVER],
      notBefore: new Date(Date.now() + DAY_MS),
      notAfter: new Date(Date.now() + 2 * DAY_MS),
    });
    await expect(served(early, authority.pem)).rejects.toThrow('CERT_NOT_YET_VALID');
  });

  it('is checked whatever the environment says, and no proxy of it is used', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    vi.stubEnv('https_proxy', 'http://127.0.0.1:9');
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    try {
      await expect(served(identity, null)).rejects.toBeInstanceOf(EgressFailed);
      expect(await served(identity, authority.pem)).toMatchObject({ status: 200 });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a connection', () => {
  it('is kept and used again for the same place', async () => {
    const by = client();
    for (let n = 0; n < 5; n++) await send('/ok', {}, by);
    expect(receiver.met).toHaveLength(5);
    expect(receiver.connections).toBe(1);
  });

  it('is of one purpose, one name and one address', async () => {
    const both = await Receiver.start(identity, (_incoming, outgoing) => outgoing.end(), '0.0.0.0');
    let address = '127.0.0.1';
    const by = client({
      allowed: { WEBHOOK: LOOPBACK, SINK: LOOPBACK },
      resolve: () => Promise.resolve([{ address, family: 4 }]),
    });
    await by.post('WEBHOOK', at('/', RECEIVER, both.port), request());
    await by.post('SINK', at('/', RECEIVER, both.port), request());
    expect(both.connections).toBe(2);
    await by.post('WEBHOOK', at('/', 'other.example', both.port), request());
    expect(both.connections).toBe(3);
    address = '127.0.0.2';
    await by.post('WEBHOOK', at('/', RECEIVER, both.port), request());
    expect(both.connections).toBe(4);
    address = '127.0.0.1';
    await by.post('WEBHOOK', at('/', RECEIVER, both.port), request());
    expect(both.connections).toBe(4);
    await both.close();
  });

  it('that the receiver closed meanwhile costs no delivery', async () => {
    const by = client();
    for (let n = 0; n < 5; n++) {
      await send('/ok', {}, by);
      for (const socket of receiver.sockets) socket.destroy();
      // No time for this end to notice.
      expect(await send('/ok', {}, by)).toMatchObject({ status: 200 });
    }
  });

  it('of an answer that was too long, or came too late, is not used again', async () => {
    const by = client();
    await send('/endless', {}, by);
    await expect(send('/drip', { totalMs: 1_000 }, by)).rejects.toBeInstanceOf(EgressFailed);
    await send('/ok', {}, by);
    expect(receiver.connections).toBe(3);
  });

  it('serves many at once, and keeps a few of them', async () => {
    const by = client();
    await Promise.all(Array.from({ length: 50 }, () => send('/ok', {}, by)));
    expect(receiver.met).toHaveLength(50);
    await expect
      .poll(() => [...receiver.sockets].filter((socket) => !socket.destroyed).length)
      .toBeLessThanOrEqual(8);
  });
});
