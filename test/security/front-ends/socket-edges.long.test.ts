import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpServer } from '../../../adapters/http/server.ts';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { useApi } from '../../support/service/api.ts';
import { converse, type Told } from '../../support/clients/sockets.ts';
import { startWatched } from '../../support/service/watched-service.ts';
import { ok, sleep } from '../../support/service/world.ts';

const api = useApi();
/** Beside the one that made the world, which takes longer than this one allows where the machine is slow. */
let strict: RunningService;
beforeAll(async () => {
  strict = await startWatched({
    ...api.service.container.get(TOKENS.settings),
    PORT: 0,
    HANDLER_TIMEOUT_MS: 4_000,
    CONNECTION_TIMEOUT_MS: 9_000,
    KEEP_ALIVE_TIMEOUT_MS: 9_500,
    MAX_CONNECTIONS: 40,
  });
});
afterAll(() => strict?.stop());
const port = (): number => Number(new URL(String(strict.url)).port);
const open = (): number => strict.container.get(HttpServer).openConnections;

/** A conversation that the service ends. On a slow machine the end comes long after the last bytes. */
const untilEnded = (parts: Parameters<typeof converse>[1]) =>
  converse(port(), parts, { quietMs: 20_000, endsIn: 60_000 });

/** A problem document, whose request id is the one of the header. */
const problemIn = (told: Told | undefined): Record<string, unknown> => {
  expect(told?.headers.get('content-type')).toBe('application/problem+json');
  const problem = JSON.parse(String(told?.text)) as Record<string, unknown>;
  expect(problem['requestId']).toBe(told?.headers.get('x-request-id'));
  expect(String(problem['requestId'])).toMatch(/^[A-Za-z0-9-]{1,128}$/);
  expect(problem).toMatchObject({ status: told?.status, suggestion: expect.any(String) });
  expect(told?.headers.has('date')).toBe(true);
  expect(told?.headers.get('x-content-type-options')).toBe('nosniff');
  return problem;
};

const GET = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const LONG = 'a'.repeat(17_000);

const REFUSED: readonly [string, string, number, RegExp][] = [
  ['no Host', 'GET /livez HTTP/1.1\r\n\r\n', 400, /^The request has no Host header/],
  [
    'two Host lines',
    'GET /livez HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n',
    400,
    /more than one Host header/,
  ],
  ['a Host that is none', 'GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n', 400, /names no host/],
  ['half a bracket as Host', 'GET /livez HTTP/1.1\r\nHost: [\r\n\r\n', 400, /names no host/],
  ['no Host on a path that does not exist', 'GET /nowhere HTTP/1.1\r\n\r\n', 400, /no Host header/],
  ['no Host on a broken path', 'GET /v1/%zz HTTP/1.1\r\n\r\n', 400, /no Host header/],
  [
    'an expectation that nobody knows',
    'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: banana\r\n\r\n',
    417,
    /"banana" cannot be met/,
  ],
  [
    'an expectation beside the known one',
    'POST /v1/records HTTP/1.1\r\nHost: x\r\nExpect: 100-continue, banana\r\nContent-Length: 2\r\n\r\n{}',
    417,
    /cannot be met; only 100-continue can/,
  ],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405, /no proxy/],
  ['garbage', 'what is this\r\n\r\n', 400, /not a whole HTTP\/1\.1 request/],
  ['the greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400, /not a whole HTTP/],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, /not a whole HTTP/],
  ['another version', 'GET /livez HTTP/7.0\r\nHost: x\r\n\r\n', 400, /not a whole HTTP/],
  [
    'a header of more than 16 KiB',
    `GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${LONG}\r\n\r\n`,
    431,
    /larger than 16 KiB/,
  ],
  [
    'many lines of header',
    `GET /livez HTTP/1.1\r\nHost: x\r\n${'X-A: 12345678901234567890\r\n'.repeat(1_000)}\r\n`,
    431,
    /larger than 16 KiB/,
  ],
  [
    'a URL of more than 16 KiB',
    `GET /v1/records?q=${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`,
    414,
    /longer than 16 KiB/,
  ],
  [
    'a URL of more than 8 KiB',
    `GET /v1/records?q=${'a'.repeat(8_200)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    414,
    /longer than 8192 characters/,
  ],
  [
    'two lengths',
    'POST /v1/records HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    400,
    /not a whole HTTP/,
  ],
];

describe.each(REFUSED)('%s', (_what, request, status, words) => {
  it('is answered with a problem, and the connection ends properly', async () => {
    const { answers, ended } = await untilEnded([request]);
    expect(answers.map((told) => told.status)).toEqual([status]);
    expect(String(problemIn(answers[0])['detail'])).toMatch(words);
    expect(answers[0]?.headers.get('connection')).toBe('close');
    expect(ended).toBe('closed');
  });

  it('waits for the answers before it, and nothing after it is served', async () => {
    const { answers, ended } = await untilEnded([`${GET}${GET}${request}${GET}`]);
    expect(answers.map((told) => told.status)).toEqual([200, 200, status]);
    expect(String(problemIn(answers[2])['detail'])).toMatch(words);
    expect(ended).toBe('closed');
  });
});

it('the request id of the caller is given back where its header was read', async () => {
  const id = 'X-Request-ID: mine-1\r\n';
  for (const request of [
    `GET /livez HTTP/1.1\r\n${id}\r\n`,
    `GET /livez HTTP/1.1\r\nHost: x\r\nExpect: banana\r\n${id}\r\n`,
    `CONNECT a:1 HTTP/1.1\r\nHost: a\r\n${id}\r\n`,
  ]) {
    const { answers } = await untilEnded([request]);
    expect(problemIn(answers[0])['requestId']).toBe('mine-1');
  }
});

it('CONNECT says what is taken, and HTTP/1.0 needs no Host', async () => {
  const tunnel = await untilEnded(['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']);
  expect(tunnel.answers[0]?.headers.get('allow')).toBe(
    'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  );
  const old = await untilEnded(['GET /livez HTTP/1.0\r\n\r\n']);
  expect(old.answers.map(({ status }) => status)).toEqual([200]);
});

// They wait for their time-outs together.
describe.concurrent('what does not arrive', () => {
  const post = (id: string): string =>
    `POST /v1/records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.world.principal.client.key}\r\nContent-Type: application/json\r\nX-Request-ID: ${id}\r\n`;
  const note = JSON.stringify({ type: 'note', criteria: { text: 'slow' } });

  it('of a header is 408', async () => {
    const { answers, ended } = await untilEnded(['GET /livez HTTP/1.1\r\nHost: x\r\n']);
    expect(answers.map(({ status }) => status)).toEqual([408]);
    expect(problemIn(answers[0])).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      detail: 'The request did not arrive in time.',
    });
    expect(ended).toBe('closed');
  });

  it.each([
    ['a length', 'Content-Length: 500\r\n\r\n{"type"'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n7\r\n{"type"\r\n'],
  ])(
    'of a body with %s is 408 under the id of its request, after the answers before it',
    async (_w, rest) => {
      const { answers, ended } = await untilEnded([`${GET}${post('slow-body')}${rest}`]);
      expect(answers.map(({ status }) => status)).toEqual([200, 408]);
      expect(problemIn(answers[1])).toMatchObject({
        requestId: 'slow-body',
        code: 'REQUEST_TIMEOUT',
        instance: '/v1/records',
        detail: expect.stringContaining('CONNECTION_TIMEOUT_MS'),
      });
      expect(answers[1]?.headers.get('connection')).toBe('close');
      expect(ended).toBe('closed');
    },
  );

  it('a body that goes on coming while it is refused does not take the answer back', async () => {
    const drip = Array.from({ length: 120 }, () => ['a', 100]).flat();
    const { answers, ended } = await untilEnded([
      `${post('drip')}Content-Length: 90000\r\n\r\n`,
      ...drip,
    ]);
    expect(answers.map(({ status }) => status)).toEqual([408]);
    expect(ended).toBe('closed');
  });

  it('a body that takes longer than a handler may is no handler time-out', async () => {
    const parts = [
      `${post('patient')}Content-Length: ${note.length}\r\n\r\n`,
      note.slice(0, 10),
      2_200,
      note.slice(10, 20),
      2_200,
      note.slice(20),
    ];
    const { answers } = await converse(port(), parts, { endsIn: 60_000 });
    expect(answers.map(({ status }) => status)).toEqual([201]);
  });

  it('chunks that are none are 400 under the id of their request', async () => {
    const { answers, ended } = await untilEnded([
      `${post('bad-chunk')}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expect(problemIn(answers[0])).toMatchObject({
      requestId: 'bad-chunk',
      detail: expect.stringContaining('RFC 9112 section 7.1'),
    });
    expect(ended).toBe('closed');
  });
});

it('none of these acted', async () => {
  const listed = await ok(api.world.principal.client.get('/v1/records?limit=100'));
  expect(listed['data']).toHaveLength(1);
});

it('refused connections count, and are given back', async () => {
  // Those that the client of this test kept alive.
  await expect.poll(open).toBe(0);
  const held = Array.from({ length: 40 }, () =>
    connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true })
      .on('error', () => undefined)
      .resume(),
  );
  await expect.poll(open, { interval: 5 }).toBe(40);
  for (const socket of held) socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
  const { answers } = await converse(port(), [GET]);
  expect(answers.map(({ status }) => status)).toEqual([503]);
  expect(problemIn(answers[0])['code']).toBe('SERVICE_UNAVAILABLE');
  // Nobody closes its side.
  await expect.poll(open).toBe(0);
  await sleep(50);
  expect((await converse(port(), [GET])).answers.map(({ status }) => status)).toEqual([200]);
});
