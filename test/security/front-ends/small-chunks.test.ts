import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { sleep } from '../../support/service/world.ts';

const api = useApi();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const held = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** The largest body of a public route, a byte a chunk, without its end. */
const BYTES = 64 * 1024 - 1;
const SENT = Buffer.from(
  `POST /v1/auth/oidc/cert HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(BYTES)}`,
);
const SENDERS = 20;

const send = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(api.world.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(SENT, () => resolve(socket));
  });

it('a body that arrives byte by byte holds about as much memory as it has bytes', async () => {
  const before = held();
  const sockets = await Promise.all(Array.from({ length: SENDERS }, send));
  await sleep(3_000);
  const perBody = (held() - before) / SENDERS;
  for (const socket of sockets) socket.destroy();
  expect(perBody).toBeLessThan(8 * BYTES);
});
