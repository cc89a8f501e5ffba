import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { status } from '@grpc/grpc-js';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { LoadGate, type Leave } from '../../application/call/load-gate.ts';
import { useApi } from '../support/service/api.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { metricsOf } from '../support/service/health.ts';
import { expectProblem } from '../support/stories/problems.ts';

const api = useApi({ GRPC_PORT: '0', MAX_QUEUE_MS: '60000', CORS_ORIGINS: 'https://app.example' });

describe('a service that is full', () => {
  const held: Leave[] = [];
  let grpc: GrpcClient;
  const gate = (): LoadGate => api.service.container.get(LoadGate);
  const get = (path: string, headers: Record<string, string> = {}) =>
    api.world.principal.client.get(path, headers);
  const list = () =>
    grpc.call(
      RecordService.method.list,
      {},
      { authorization: `Bearer ${api.world.principal.client.key}` },
    );

  beforeAll(async () => {
    // A process counts from its first scrape on.
    await metricsOf(api.service);
    grpc = new GrpcClient(api.service.grpc!);
    for (let leave = gate().enter('http'); leave; leave = gate().enter('http')) held.push(leave);
  });
  afterAll(() => grpc.close());

  it('refuses over REST, A2A and MCP with 503 and Retry-After, and says that nothing was begun', async () => {
    const posted = api.world.principal.client.post('/v1/records', { type: 'note', criteria: {} });
    const rpc = api.world.principal.client.post('/a2a', { jsonrpc: '2.0', id: 1, method: 'x' });
    const mcp = api.world.principal.client.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
    for (const answer of [await posted, await rpc, await mcp, await get('/v1/records')]) {
      expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-request-id')).toBe(answer.body['requestId']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body['detail']).toContain('not begun');
      expect(answer.body['retryable']).toBe(true);
    }
  });

  it('keeps the id of the request, and lets a page of an allowed origin read the refusal', async () => {
    const { headers, body } = await get('/v1/records?limit=1', {
      'x-request-id': 'mine-1',
      origin: 'https://app.example',
    });
    expect(headers.get('x-request-id')).toBe('mine-1');
    expect(body['instance']).toBe('/v1/records');
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
  });

  it('refuses over gRPC with UNAVAILABLE', async () => {
    const refused = await list();
    expect(refused.code).toBe(status.UNAVAILABLE);
    expect(refused.detail).toContain('not begun');
  });

  it('counts what it refused, by where it came in', async () => {
    const { text } = await metricsOf(api.service);
    const shed = (door: string): number =>
      Number(
        new RegExp(`^service_calls_shed_total\\{door="${door}"\\} (\\d+)$`, 'm').exec(text)?.[1],
      );
    const [http, grpcCalls] = [shed('http'), shed('grpc')];
    expect(http).toBeGreaterThanOrEqual(4);
    expect(grpcCalls).toBeGreaterThanOrEqual(1);
    expect(shed('grpc_stream')).toBe(0);
    // The call that found the gate full at first, when it was filled, is among them.
    expect(http + grpcCalls).toBe(gate().refused);
  });

  it('answers probes and whoever asks how it fares', async () => {
    for (const path of ['/livez', '/readyz', '/health', '/status'])
      expect((await api.world.anonymous.get(path)).status).toBe(200);
    expect((await get('/metrics')).status).not.toBe(503);
    expect((await get('/v1/admin/system-health')).status).not.toBe(503);
  });

  it('takes calls again as soon as there is room', async () => {
    const before = gate().underWay;
    for (const leave of held) leave();
    expect((await get('/v1/records')).status).toBe(200);
    expect((await list()).code).toBe(status.OK);
    expect(before).toBe(held.length);
    // Each of them has left.
    expect(gate().underWay).toBe(0);
    expect(gate().refused).toBeGreaterThanOrEqual(5);
  });
});
