import { rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { Collector } from '../support/peers/collector.ts';
import { databases } from '../support/databases/databases.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../support/clients/grpc-streams.ts';
import { ownServices } from '../support/service/own-services.ts';
import { Receiver, receiverTls, until } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { createWorld, ok } from '../support/service/world.ts';

const NOTE = { type: 'note', criteria: { item: 'not-in-a-trace' } };
const TOKEN = 'a token, of the collector';
const LIMIT = 60_000;
const tls = await receiverTls();
const make = ownServices();
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
const collectors: Collector[] = [];
afterEach(async () => {
  for (const collector of collectors.splice(0)) await collector.stop();
});

const collect = async (): Promise<Collector> => {
  const collector = await new Collector().start();
  collectors.push(collector);
  return collector;
};
const tracedTo = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(TOKEN)}`,
  OTEL_BSP_SCHEDULE_DELAY: '100',
});
const aTrace = () => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
};

describe.each(databases())('on $name', (kind) => {
  it(
    'is one trace from a request by its commit to the delivery, by a worker of its own',
    { timeout: 180_000 },
    async () => {
      const [database, collector] = [await kind.open({ migrated: false }), await collect()];
      ends.push(() => database.drop());
      const env = {
        DATABASE_URL: database.url,
        EGRESS_CA: tls.ca,
        EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
        ...tracedTo(collector.url),
        ...freshSecrets(),
      };
      const api = new ServiceProcess({ ...env, ROLE: 'api' });
      const worker = new ServiceProcess(
        { ...env, ROLE: 'worker', OTEL_SERVICE_NAME: 'the-worker' },
        api.directory,
      );
      ends.push(async () => {
        await worker.stop('SIGKILL');
        await api.stop('SIGKILL');
        rmSync(api.directory, { recursive: true, force: true });
      });
      const { apiKey } = await api.bootstrap();
      await api.start();
      const world = await createWorld(api.url, apiKey);
      const receiver = await Receiver.open(tls.identity);
      ends.push(() => receiver.stop());
      const hook = { url: receiver.url, eventTypes: ['record.recorded'] };
      await ok(world.admin.post('/v1/webhooks', hook));
      const { traceId, spanId, traceparent } = aTrace();
      const sent = { traceparent, tracestate: 'rojo=1', 'x-request-id': 'req-of-a-trace' };
      const { client } = world.principal;
      const record = await ok(client.post('/v1/records', NOTE, sent));
      // Kept in the database: the process that made the event may be gone before it is delivered.
      expect(await api.stop()).toBe(0);
      await worker.start();
      await until(() => receiver.received.length > 0, LIMIT);
      await until(() => collector.named('deliver').length > 0, LIMIT);

      const [request] = collector.named('POST /v1/records');
      expect(request).toMatchObject({
        traceId,
        parentSpanId: spanId,
        kind: 2,
        values: {
          'http.request.method': 'POST',
          'http.route': '/v1/records',
          'http.response.status_code': 201,
          'notary.operation': 'createRecord',
          'notary.request.id': 'req-of-a-trace',
        },
        resource: { 'service.name': 'notary', 'notary.role': 'api' },
      });
      const trace = collector.of(traceId);
      const [commit] = trace.filter(({ name }) => name === 'commit');
      expect(commit).toMatchObject({
        parentSpanId: request!.spanId,
        values: { 'db.system.name': kind.name },
      });
      const [delivery] = trace.filter(({ name }) => name === 'deliver');
      expect(delivery).toMatchObject({
        kind: 3,
        values: { 'http.response.status_code': 200, 'notary.event.type': 'record.recorded' },
        resource: { 'service.name': 'the-worker', 'notary.role': 'worker' },
      });
      expect(trace.map((span) => span.spanId)).toContain(delivery!.parentSpanId);
      expect(receiver.received[0]!.headers['traceparent']).toBe(
        `00-${traceId}-${delivery!.spanId}-01`,
      );
      expect(trace.map(({ name }) => name).sort()).toEqual(
        [
          'POST /v1/records',
          ...trace.filter(({ name }) => name === 'commit').map(({ name }) => name),
          'deliver',
        ].sort(),
      );

      // Nothing of tenants, and no secret: the collector may be somebody else's.
      const ids = [world.orgId, world.principal.id, world.performer.id, String(record['id'])];
      for (const word of [...ids, apiKey, client.key!, 'not-in-a-trace', receiver.url])
        expect(collector.text).not.toContain(word);
      expect(new Set(collector.headers.map((headers) => headers['authorization']))).toEqual(
        new Set([TOKEN]),
      );
      expect(await worker.stop()).toBe(0);
    },
  );
});

it('traces what is refused, and neither probes nor a traceparent that is none', async () => {
  const collector = await collect();
  const service = make(tracedTo(collector.url));
  const { apiKey } = await service.bootstrap();
  await service.start();
  const { principal, anonymous } = await createWorld(service.url, apiKey);
  for (const path of ['/livez', '/readyz', '/health', '/metrics']) await anonymous.get(path);
  const { traceId, traceparent } = aTrace();
  const hostile = [
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `ff-${traceparent.slice(3)}`,
    `${traceparent}-more`,
    traceparent.toUpperCase(),
    `${traceparent}, ${traceparent}`,
    'x'.repeat(2_000),
  ];
  for (const one of hostile)
    await ok(principal.client.post('/v1/records', NOTE, { traceparent: one, tracestate: one }));
  expect((await anonymous.get('/v1/records')).status).toBe(401);
  const gone = '/v1/records/01a00000-0000-7000-8000-000000000000';
  expect((await principal.client.get(gone)).status).toBe(404);
  expect(await service.stop()).toBe(0);
  // What the last calls did is told before the process ends.
  const made = collector.named('POST /v1/records');
  expect(made).toHaveLength(hostile.length);
  for (const span of made) expect(span.parentSpanId).toBeUndefined();
  expect(new Set(made.map((span) => span.traceId)).size).toBe(hostile.length);
  expect(collector.of(traceId)).toEqual([]);
  const refused = [
    ...collector.named('GET /v1/records'),
    ...collector.named('GET /v1/records/{id}'),
  ];
  expect(refused.map(({ values, statusCode }) => [values['error.type'], statusCode ?? 0])).toEqual([
    ['UNAUTHORIZED', 0],
    ['NOT_FOUND', 0],
  ]);
  expect(collector.spans.filter(({ name }) => /livez|readyz|health|metrics/.test(name))).toEqual(
    [],
  );
});

it('traces calls by gRPC and by A2A alike', async () => {
  const collector = await collect();
  const service = make({ ...tracedTo(collector.url), GRPC_PORT: '0' });
  const { apiKey } = await service.bootstrap();
  await service.start();
  const { principal } = await createWorld(service.url, apiKey);
  const address = String(service.logged.find(({ msg }) => msg === 'ready')?.['grpc']);
  const [unary, streamed, rpc] = [aTrace(), aTrace(), aTrace()];
  const authorization = `Bearer ${String(principal.client.key)}`;
  const client = new GrpcClient(address);
  const { code } = await client.call(
    RecordService.method.create,
    { type: 'note', criteria: Buffer.from('{"item":1}'), references: [] },
    { authorization, traceparent: unary.traceparent },
  );
  expect(code).toBe(0);
  const stream = new NotarizeStream(client, {
    authorization,
    traceparent: streamed.traceparent,
  }).read();
  stream.write(statementBytes('1', { criteria: { item: 1 } }));
  await until(() => stream.receipts.length === 1, LIMIT);
  void stream.end();
  await stream.status;
  client.close();
  const message = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'nothing' } };
  const { traceparent } = rpc;
  const headers = { traceparent, 'a2a-version': '1.0' };
  await principal.client.post('/a2a', message, headers);
  expect(await service.stop()).toBe(0);
  const name = 'notary.v1.RecordService/Create';
  expect(collector.of(unary.traceId)).toContainEqual(
    expect.objectContaining({
      name,
      kind: 2,
      parentSpanId: unary.spanId,
      values: expect.objectContaining({
        'rpc.method': name,
        'rpc.response.status_code': 'OK',
        'notary.operation': 'createRecord',
      }),
    }),
  );
  for (const trace of [unary, streamed])
    expect(collector.of(trace.traceId).map((span) => span.name)).toContain('commit');
  expect(collector.of(streamed.traceId).map((span) => span.name)).toContain(
    'notary.v1.RecordService/NotarizeStream',
  );
  expect(collector.of(rpc.traceId).map((span) => span.name)).toContain('POST /a2a');
});

describe('a collector', () => {
  const served = async (collector: Collector, env = {}) => {
    const service = make({ ...tracedTo(collector.url), ...env });
    const { apiKey } = await service.bootstrap();
    await service.start();
    return { service, ...(await createWorld(service.url, apiKey)) };
  };

  it.each([
    ['hangs', (): void => undefined],
    ['answers 503', (response: any): void => response.writeHead(503).end()],
  ])('that %s keeps no call and no end of the process waiting', async (_, behave) => {
    const collector = await collect();
    collector.behave = behave;
    const { service, principal } = await served(collector);
    for (let n = 0; n < 50; n++) await ok(principal.client.post('/v1/records', NOTE));
    await until(() => collector.headers.length > 0, LIMIT);
    const begun = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(25_000);
  });

  it('that is away is told of once, and once when it is there again', async () => {
    const collector = await collect();
    let isAway = true;
    collector.behave = (response) =>
      // Not one of those that the exporter tries again by itself.
      void response.writeHead(isAway ? 500 : 200, { 'content-type': 'application/json' }).end('{}');
    const { service, principal } = await served(collector);
    const told = (words: string) =>
      service.logged.filter(({ msg }) => String(msg).includes(words)).length;
    const batches = async (count: number): Promise<void> => {
      const before = collector.headers.length;
      await until(async () => {
        await ok(principal.client.post('/v1/records', NOTE));
        return collector.headers.length >= before + count;
      }, LIMIT);
    };
    await batches(4);
    await until(() => told('traces cannot be sent') === 1, LIMIT);
    isAway = false;
    await batches(2);
    await until(() => told('takes traces again') === 1, LIMIT);
    expect(told('traces cannot be sent')).toBe(1);
    expect(await service.stop()).toBe(0);
    expect(JSON.stringify(service.logged)).not.toContain(TOKEN);
  });
});
