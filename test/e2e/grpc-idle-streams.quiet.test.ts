import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { EventService } from '../../adapters/grpc/generated/notary/v1/event_service_pb.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { openServerStream } from '../support/clients/grpc-streams.ts';
import { ownServices } from '../support/service/own-services.ts';
import { residentMiB } from '../support/service/resident-memory.ts';
import { createWorld, openJob } from '../support/service/world.ts';

const make = ownServices();
const STREAMS = 1_000;
const A_CHANNEL = 50;
const LIMIT_MIB = 200;

it.skipIf(process.platform !== 'linux')(
  'a thousand idle subscribers fit into 200 MiB, hear of an event, and are let go at SIGTERM',
  async () => {
    const service = make({ MAX_CONNECTIONS_PER_ADDRESS: '0', GRPC_PORT: '0' });
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const before = residentMiB(service.pid);
    const address = String(service.logged.find(({ msg }) => msg === 'ready')?.['grpc']);
    const headers = { authorization: `Bearer ${world.principal.client.key}` };
    const clients: GrpcClient[] = [];
    const ended: Promise<{ code: number }>[] = [];
    let heard = 0;
    for (let at = 0; at < STREAMS; at += A_CHANNEL) {
      // A pool of its own: else all clients of the process share one connection.
      const client = new GrpcClient(address, undefined, { 'grpc.use_local_subchannel_pool': 1 });
      clients.push(client);
      await Promise.all(
        Array.from({ length: A_CHANNEL }, () => {
          const message = { types: ['record.created'] };
          const { call, status: over } = openServerStream(
            client,
            EventService.method.subscribe,
            message,
            headers,
          );
          call.once('data', () => heard++);
          ended.push(over);
          return new Promise((ready) => call.once('metadata', ready));
        }),
      );
    }
    let idle = Infinity;
    for (let round = 0; round < 15 && idle >= LIMIT_MIB; round++) {
      await sleep(2_000);
      idle = residentMiB(service.pid);
    }
    console.log(
      `${before.toFixed(0)} MiB before, ${idle.toFixed(0)} MiB with ${STREAMS} idle streams`,
    );
    expect(idle).toBeLessThan(LIMIT_MIB);

    await openJob(world);
    for (let round = 0; round < 400 && heard < STREAMS; round++) await sleep(50);
    expect(heard).toBe(STREAMS);
    const stopped = service.stop();
    const codes = new Set((await Promise.all(ended)).map(({ code }) => code));
    expect([...codes]).toEqual([status.UNAVAILABLE]);
    expect(await stopped).toBe(0);
    for (const client of clients) client.close();
  },
);
