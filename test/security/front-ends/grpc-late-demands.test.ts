import { status } from '@grpc/grpc-js';
import { afterAll, expect, it } from 'vitest';
import { EventService } from '../../../adapters/grpc/generated/notary/v1/event_service_pb.ts';
import { useApi } from '../../support/service/api.ts';
import { GrpcClient } from '../../support/clients/grpc-client.ts';
import { openServerStream } from '../../support/clients/grpc-streams.ts';
import { ok, sleep } from '../../support/service/world.ts';

const api = useApi({ GRPC_PORT: '0' });
const clients: GrpcClient[] = [];
afterAll(() => clients.forEach((client) => client.close()));

it('a stream that began before its org demanded co-signed reads shows nothing more', async () => {
  const { admin, orgId } = api.world;
  const client = new GrpcClient(String(api.service.grpc));
  clients.push(client);
  const { call, status: ended } = openServerStream(
    client,
    EventService.method.subscribe,
    { types: ['agent.created'] },
    { authorization: `Bearer ${String(admin.key)}` },
  );
  let shown = 0;
  call.on('data', () => shown++);
  call.on('error', () => undefined);
  await new Promise((resolve) => call.once('metadata', resolve));
  await ok(admin.post('/v1/admin/agents', { name: 'before', orgId }));
  for (let tries = 0; shown === 0 && tries < 200; tries++) await sleep(10);
  expect(shown).toBe(1);
  await ok(admin.patch(`/v1/admin/orgs/${orgId}`, { settings: { requireCoSignature: 'request' } }));
  expect((await admin.get('/v1/events')).status).toBe(403);
  await ok(admin.post('/v1/admin/agents', { name: 'after', orgId }));
  expect((await ended).code).toBe(status.PERMISSION_DENIED);
  expect(shown).toBe(1);
});
