import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { ok, sleep } from '../../support/service/world.ts';

const api = useApi();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const held = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const ANSWER_BYTES = 1_000_000;
const REQUESTS = 200;

it('one connection holds a few answers that nobody reads, however many requests it sent', async () => {
  const { url, principal } = api.world;
  const { id } = await ok(
    principal.client.post('/v1/records', {
      type: 'note',
      criteria: { text: 'x'.repeat(ANSWER_BYTES) },
    }),
  );
  const before = held();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  const request = `GET /v1/records/${String(id)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${principal.client.key}\r\n\r\n`;
  socket.write(request.repeat(REQUESTS));
  await sleep(4_000);
  const more = held() - before;
  socket.destroy();
  expect(more).toBeLessThan(20 * ANSWER_BYTES);
});

it('pipelined requests are answered in their order', async () => {
  const { url } = api.world;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString()));
  const ids = Array.from({ length: 50 }, (_, at) => `pipelined-${at}`);
  socket.write(
    ids.map((id) => `GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-ID: ${id}\r\n\r\n`).join(''),
  );
  await expect
    .poll(() => [...text.matchAll(/x-request-id: (\S+)/gi)].map(([, id]) => id))
    .toEqual(ids);
  socket.destroy();
});
