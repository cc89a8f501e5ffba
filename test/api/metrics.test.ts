import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Metadata, status } from '@grpc/grpc-js';
import { CallEnd } from '../../adapters/grpc/call-end.ts';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { GrpcCall } from '../../adapters/grpc/grpc-call.ts';
import { nameOf } from '../../adapters/grpc/method.ts';
import { useApi } from '../support/service/api.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../support/clients/grpc-streams.ts';
import { metricsOf, valueOf } from '../support/service/health.ts';
import { SILENT } from '../support/service/sick-notary.ts';
import { ok } from '../support/service/world.ts';

// Contract of application/ports/measures.port.ts

const TOKEN = 'a-token-for-the-scraper';

describe('/metrics of a service without a SIEM', () => {
  const api = useApi();

  it('shows no event that waits for one', async () => {
    const { principal } = api.world;
    await ok(principal.client.post('/v1/records', { type: 'note', criteria: { text: 'x' } }));
    await expect
      .poll(async () => {
        const { data } = await ok(principal.client.get('/v1/events'));
        return (data as unknown[]).length;
      })
      .toBeGreaterThan(0);
    const { text } = await metricsOf(api.service);
    for (const queue of ['siem_file', 'siem_collector'])
      expect(valueOf(text, `service_queue_depth{queue="${queue}"}`)).toBe(0);
  });
});

describe('/metrics with METRICS_TOKEN', () => {
  const api = useApi({ METRICS_TOKEN: TOKEN, RATE_LIMIT_ANONYMOUS: '5' });

  it('opens for that token alone: an API key is 401, and guesses are counted', async () => {
    const bearer = (token: string | null) => ({ authorization: `Bearer ${token}` });
    expect((await metricsOf(api.service, bearer(TOKEN))).status).toBe(200);
    expect((await metricsOf(api.service, bearer(api.world.platform.key))).status).toBe(401);
    expect((await metricsOf(api.service)).status).toBe(401);
    const answers: number[] = [];
    for (let n = 0; n < 6; n++)
      answers.push((await metricsOf(api.service, bearer(`guess-${n}`))).status);
    expect(answers.at(0)).toBe(401);
    expect(answers.at(-1)).toBe(429);
  });

  it('says in every answer what the address has left', async () => {
    for (const token of [TOKEN, 'guess']) {
      const { headers } = await fetch(`${api.service.url}/metrics`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(headers.get('x-ratelimit-limit')).toBe('5');
    }
  });
});

describe('/metrics without METRICS_TOKEN', () => {
  const api = useApi({ HOST: '0.0.0.0', GRPC_PORT: '0' });

  it('opens for the same machine, and behind a proxy for a platform key alone', async () => {
    expect((await metricsOf(api.service)).status).toBe(200);
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    const as = (key: string | null) => ({ ...forwarded, authorization: `Bearer ${key}` });
    expect((await metricsOf(api.service, forwarded)).status).toBe(401);
    expect((await metricsOf(api.service, as(api.world.admin.key))).status).toBe(403);
    expect((await metricsOf(api.service, as(api.world.platform.key))).status).toBe(200);
  });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  it.skipIf(!outside)('stays shut for another address without a credential', async () => {
    const { port } = new URL(api.service.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host: outside!, port: Number(port), localAddress: outside! }, () =>
        socket.write('GET /metrics HTTP/1.1\r\nHost: notary\r\nConnection: close\r\n\r\n'),
      );
      let text = '';
      socket.on('data', (part) => (text += part.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('counts requests by the route as the table spells it, entries, signatures and time', async () => {
    const before = (await metricsOf(api.service)).text;
    const { id } = await ok(
      api.world.principal.client.post('/v1/records', { type: 'note', criteria: { text: 'x' } }),
    );
    await ok(api.world.principal.client.get(`/v1/records/${String(id)}`));
    await fetch(`${api.service.url}/no/such/path`);
    const { text } = await metricsOf(api.service);
    const grown = (line: string): number => valueOf(text, line) - (valueOf(before, line) || 0);
    const request = 'service_http_requests_total';
    expect(grown(`${request}{method="POST",route="/v1/records",status="201"}`)).toBe(1);
    expect(grown(`${request}{method="GET",route="/v1/records/{id}",status="200"}`)).toBe(1);
    expect(grown(`${request}{method="GET",route="none",status="404"}`)).toBe(1);
    expect(grown('service_chain_entries_sealed_total{type="RECORD_RECORDED"}')).toBe(1);
    expect(grown('service_sign_duration_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(text).not.toContain(String(id));
    expect(text).not.toContain('/no/such');
  });

  it('counts calls by gRPC by method and status, times all but streams, and knows no names but its own', async () => {
    await metricsOf(api.service);
    const client = new GrpcClient(String(api.service.grpc));
    const bearer = { authorization: `Bearer ${api.world.principal.client.key}` };
    const { create, notarizeStream } = RecordService.method;
    const note = { type: 'note', criteria: Buffer.from('{}'), references: [] };
    try {
      expect((await client.call(create, note, bearer)).code).toBe(status.OK);
      expect((await client.call(create, { ...note, type: '' }, bearer)).code).toBe(
        status.INVALID_ARGUMENT,
      );
      expect((await client.call(create, note, {})).code).toBe(status.UNAUTHENTICATED);
      const unknown = await client.callBytes('/made.up/Name', Buffer.alloc(0), bearer);
      expect(unknown.code).toBe(status.UNIMPLEMENTED);
      const stream = new NotarizeStream(client, bearer).read();
      stream.write(statementBytes('one', {}));
      expect((await stream.end()).code).toBe(status.OK);
    } finally {
      client.close();
    }
    const { text } = await metricsOf(api.service);
    const counted = (method: string, code: string): number =>
      valueOf(text, `service_grpc_calls_total{method="${method}",status="${code}"}`);
    for (const code of ['OK', 'INVALID_ARGUMENT', 'UNAUTHENTICATED'])
      expect(counted(nameOf(create), code), code).toBe(1);
    expect(counted(nameOf(notarizeStream), 'OK')).toBe(1);
    const timed = (method: string): number =>
      valueOf(text, `service_grpc_call_duration_seconds_count{method="${method}"}`);
    expect(timed(nameOf(create))).toBe(3);
    expect(timed(nameOf(notarizeStream))).toBeNaN();
    expect(text).not.toContain('made.up');
  });

  it('counts a call by gRPC once that ends again after its deadline', () => {
    const told: string[] = [];
    const incoming = { metadata: new Metadata(), getPeer: () => '127.0.0.1:50000' };
    const call = new GrpcCall(incoming, (address) => address);
    const end = new CallEnd('a/B', call, SILENT, (code) => told.push(code));
    end.tell(status.UNAVAILABLE);
    end.tell(status.OK);
    expect(told).toEqual(['UNAVAILABLE']);
  });
});
