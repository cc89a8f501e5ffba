import type { ClientHttp2Session } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RecordService } from '../../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { nameOf } from '../../../adapters/grpc/method.ts';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { useApi } from '../../support/service/api.ts';
import { beginCall, framed, framesTo, heardOf } from '../../support/clients/grpc-frames.ts';
import { startWatched } from '../../support/service/watched-service.ts';
import { sleep } from '../../support/service/world.ts';

/** Frames as no client makes them: what a call holds before its message is there, and before anybody knows who calls. */
const STALL_MS = 3_000;
/** How long a test waits for a status. */
const PATIENCE_MS = 60_000;
const api = useApi();
/** Beside the one that made the world, which takes longer than this one allows where the machine is slow. */
let strict: RunningService;
beforeAll(async () => {
  strict = await startWatched({
    ...api.service.container.get(TOKENS.settings),
    PORT: 0,
    GRPC_PORT: 0,
    HANDLER_TIMEOUT_MS: STALL_MS - 100,
    CONNECTION_TIMEOUT_MS: STALL_MS,
  });
});
afterAll(() => strict?.stop());
const CREATE = `/${nameOf(RecordService.method.create)}`;
const GET = `/${nameOf(RecordService.method.get)}`;
const HEALTH = '/grpc.health.v1.Health';
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';

const sessions: ClientHttp2Session[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
const connected = async (settings = {}): Promise<ClientHttp2Session> => {
  const session = await framesTo(String(strict.grpc), settings);
  sessions.push(session);
  return session;
};
const bearer = (): { authorization: string } => ({
  authorization: `Bearer ${String(api.world.principal.client.key)}`,
});
/** The first part of a message of 900 kB. */
const unfinished = (): Buffer => framed(Buffer.alloc(900_000)).subarray(0, 10_000);

describe('a call that was not let in', () => {
  it('is refused by its metadata, before its message is there', async () => {
    const stream = beginCall(await connected(), CREATE);
    stream.write(unfinished());
    const said = await heardOf(stream, PATIENCE_MS);
    expect(said.code).toBe(status.UNAUTHENTICATED);
  });

  it('holds no stream for longer than an answer may wait', async () => {
    const stream = beginCall(await connected(), CREATE);
    stream.write(unfinished());
    await heardOf(stream, PATIENCE_MS);
    await expect.poll(() => stream.closed).toBe(true);
  });

  it('makes nobody unpack what it sent', async () => {
    const bomb = framed(gzipSync(Buffer.alloc(1_000_000)), true);
    for (const headers of [{}, bearer()]) {
      const stream = beginCall(await connected(), CREATE, { 'grpc-encoding': 'gzip', ...headers });
      stream.write(Buffer.concat(Array<Buffer>(10).fill(bomb)));
      expect((await heardOf(stream, PATIENCE_MS)).code).toBe(status.UNIMPLEMENTED);
    }
  });

  it('with a deadline of no form is no fault of the service', async () => {
    const stream = beginCall(await connected(), CREATE, { 'grpc-timeout': 'soon', ...bearer() });
    expect((await heardOf(stream, PATIENCE_MS)).code).toBe(status.INVALID_ARGUMENT);
  });
});

describe('a call that was let in', () => {
  it('is ended where its message does not arrive', async () => {
    const stream = beginCall(await connected(), CREATE, bearer());
    stream.write(unfinished());
    const said = await heardOf(stream, PATIENCE_MS);
    expect([said.code, said.message]).toEqual([
      status.DEADLINE_EXCEEDED,
      expect.stringContaining('did not arrive'),
    ]);
  });

  it('is cut off where nobody takes its answer', async () => {
    const record = await api.world.principal.client.post<{ id: string }>('/v1/records', {
      type: 'note',
      criteria: { text: 'x'.repeat(20_000) },
    });
    const session = await connected({ initialWindowSize: 0 });
    const stream = beginCall(session, GET, bearer());
    stream.on('error', () => undefined);
    stream.end(framed(Buffer.concat([Buffer.from([0x0a, 36]), Buffer.from(record.body.id)])));
    await expect.poll(() => stream.closed).toBe(true);
  });
});

describe('health and reflection, which anybody may ask', () => {
  it('take small messages only', async () => {
    for (const path of [`${HEALTH}/Check`, REFLECTION]) {
      const stream = beginCall(await connected(), path);
      stream.write(framed(Buffer.alloc(900_000)).subarray(0, 100_000));
      expect((await heardOf(stream, PATIENCE_MS)).code).toBe(status.RESOURCE_EXHAUSTED);
    }
  });

  it('have a bounded number of streams open for one address', async () => {
    const session = await connected();
    let refused = 0;
    const look = (headers: { readonly [name: string]: unknown }): void => {
      if (Number(headers['grpc-status']) === status.RESOURCE_EXHAUSTED) refused++;
    };
    for (let n = 0; n < 130; n++) {
      const stream = beginCall(session, `${HEALTH}/Watch`);
      stream.on('response', look).on('trailers', look).resume();
      stream.end(framed(Buffer.alloc(0)));
    }
    await expect.poll(() => refused).toBeGreaterThanOrEqual(30);
    await sleep(600);
    expect(refused).toBeLessThan(40);
  });
});
