import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { afterEach, expect, it } from 'vitest';
import { httpRequestOf } from '../../../adapters/http/http-request.ts';

let server: Server;
afterEach(() => server.closeAllConnections());

const HEAD = 'POST /v1/records HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n';

/** Who reads the body of this request only once `moment` has come. What is sent leaves the connection at once. */
const readAfter = async (
  sent: string,
  moment: (request: IncomingMessage) => Promise<unknown>,
  leaves = true,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const app = new H3().post('/v1/records', async (event) => {
      const request = event.runtime?.node?.req as IncomingMessage;
      const asked = httpRequestOf(event);
      const read = moment(request).then(() => asked.readBody(1_000));
      const settled = read.then(resolve, reject).finally(() => server.close());
      if (leaves) await settled;
      return '';
    });
    server = createServer(toNodeHandler(app) as RequestListener).listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(sent, () => leaves && setTimeout(() => socket.resetAndDestroy(), 50));
    });
  });

const told =
  (event: 'close' | 'end') =>
  (request: IncomingMessage): Promise<unknown> =>
    new Promise((resolve) => request.on(event, resolve));

const CUT = { code: 'VALIDATION_ERROR', message: expect.stringContaining('ended before') };

it('a body whose sender is gone by then is cut short, whether all of it had arrived or a part', async () => {
  const gone = told('close');
  await expect(readAfter(`${HEAD}body`, gone)).rejects.toMatchObject(CUT);
  await expect(readAfter(`${HEAD}bo`, gone)).rejects.toMatchObject(CUT);
});

it('a body whose sender leaves while it is read is cut short', async () => {
  await expect(readAfter(`${HEAD}bo`, () => Promise.resolve())).rejects.toMatchObject(CUT);
});

it('a body that was thrown away after the answer is cut short', async () => {
  await expect(readAfter(`${HEAD}body`, told('end'), false)).rejects.toMatchObject(CUT);
});

it('a body that has arrived is read, however late', async () => {
  const later = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 20));
  expect(Buffer.from((await readAfter(`${HEAD}body`, later)) as Uint8Array).toString()).toBe(
    'body',
  );
});
