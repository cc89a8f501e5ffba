import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { EventService } from '../../adapters/grpc/generated/notary/v1/event_service_pb.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { beginCall, framed, framesTo, heardOf } from '../support/clients/grpc-frames.ts';
import {
  NotarizeStream,
  openServerStream,
  statementBytes,
} from '../support/clients/grpc-streams.ts';
import { ownServices } from '../support/service/own-services.ts';
import { Client, createWorld, ok } from '../support/service/world.ts';
import { residentMiB } from '../support/service/resident-memory.ts';

const make = ownServices();

it('drains on SIGTERM: what was begun is answered, streams say that the service stops, and the process ends', async () => {
  const service = make({ GRPC_PORT: '0' });
  const { apiKey } = await service.bootstrap();
  await service.start();
  const world = await createWorld(service.url, apiKey);
  const address = String(service.logged.find(({ msg }) => msg === 'ready')?.['grpc']);
  const client = new GrpcClient(address);
  const headers = { authorization: `Bearer ${String(world.principal.client.key)}` };
  const events = openServerStream(client, EventService.method.subscribe, { types: [] }, headers);
  events.call.resume();
  const stream = new NotarizeStream(client, headers).read();
  for (let at = 0; at < 200; at++) stream.write(statementBytes(String(at), { criteria: { at } }));
  while (stream.receipts.length === 0) await sleep(10);
  // Whoever watches the health, asks nothing more or sends half a message holds nobody up.
  const frames = await framesTo(address);
  const watch = beginCall(frames, '/grpc.health.v1.Health/Watch');
  watch.end(framed(Buffer.alloc(0)));
  const half = beginCall(frames, '/notary.v1.RecordService/Create', headers);
  half.write(framed(Buffer.alloc(50_000)).subarray(0, 1_000));
  const idle = beginCall(frames, '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo');
  // Longer than calls are waited for.
  const others = Promise.all([watch, half, idle].map((one) => heardOf(one, 60_000)));
  // Answered after all that was sent before it was read.
  await new Promise((resolve) => frames.ping(resolve));
  const begun = performance.now();
  const stopped = service.stop();
  // An OK would say that all 200 were answered.
  expect([(await stream.status).code, (await events.status).code]).toEqual([
    status.UNAVAILABLE,
    status.UNAVAILABLE,
  ]);
  expect((await others).map(({ code }) => code)).toEqual(Array(3).fill(status.UNAVAILABLE));
  expect(await stopped).toBe(0);
  // A call that held up the drain would do so for 20 s.
  expect(performance.now() - begun).toBeLessThan(18_000);
  client.close();
  // Each receipt without an error stands for a record, and no other record was made. The rest can be sent again.
  const refused = stream.receipts.flatMap(({ outcome }) =>
    outcome.case === 'error' ? [outcome.value] : [],
  );
  for (const { code, retryable } of refused)
    expect([code, retryable]).toEqual(['SERVICE_UNAVAILABLE', true]);
  await service.start();
  const agent = new Client(service.url, world.principal.client.key);
  const { total } = await ok(agent.get('/v1/records?limit=1'));
  expect(total).toBe(stream.receipts.length - refused.length);
});

it('with another process on its port ends, and says what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  const { code, stderr } = await make({ GRPC_PORT: String(port) }).run('serve');
  taken.close();
  expect(code).toBe(1);
  expect(stderr).toContain(`GRPC_PORT: another process listens on port ${port}`);
  expect(stderr).toMatch(/set GRPC_PORT to another port.*or to off/i);
});

it('loads nothing where it is off, and takes less than 36 MiB where it is on', async () => {
  const sizes: number[] = [];
  for (const GRPC_PORT of ['off', '0']) {
    const service = make({ GRPC_PORT });
    await service.bootstrap();
    await service.start();
    await sleep(500);
    if (process.platform === 'linux') sizes.push(residentMiB(service.pid));
    await service.stop();
  }
  console.log(
    `idle without gRPC and with it: ${sizes.map((size) => size.toFixed(0)).join(', ')} MiB`,
  );
  const [off, on] = sizes;
  if (off === undefined || on === undefined) return;
  // Node 24 takes 16 MiB more than Node 20, with and without it.
  expect(on - off).toBeLessThan(36);
  expect(on).toBeGreaterThan(off);
});
