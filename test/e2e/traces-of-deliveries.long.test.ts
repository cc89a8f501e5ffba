import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { Collector } from '../support/peers/collector.ts';
import { databases } from '../support/databases/databases.ts';
import { ownServices } from '../support/service/own-services.ts';
import { Receiver, receiverTls, until } from '../support/peers/receiver.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { createWorld, ok } from '../support/service/world.ts';

const AT_ONCE = 40;
const JOB = { type: 'job', criteria: { goal: 'it', threshold: 1 } };
const NOTE = { type: 'note', criteria: {} };
const tls = await receiverTls();
const make = ownServices();
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const aTrace = () => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
};
const all = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)));

// Calls that arrive together share transactions, in which one goes on with the work of others.
describe.each(databases())('on $name', (kind) => {
  it(
    'keeps the traces of calls at once apart, up to the deliveries',
    { timeout: 180_000 },
    async () => {
      const [database, collector] = [
        await kind.open({ migrated: false }),
        await new Collector().start(),
      ];
      ends.push(
        () => database.drop(),
        () => collector.stop(),
      );
      const service = make({
        DATABASE_URL: database.url,
        EGRESS_CA: tls.ca,
        EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        ...freshSecrets(),
      });
      const { apiKey } = await service.bootstrap();
      await service.start();
      const { admin, principal } = await createWorld(service.url, apiKey);
      const receiver = await Receiver.open(tls.identity);
      ends.push(() => receiver.stop());
      const jobs = await all(() => ok(principal.client.post('/v1/records', JOB)));
      const eventTypes = ['record.recorded', 'record.cancelled'];
      await ok(admin.post('/v1/webhooks', { url: receiver.url, eventTypes }));

      const traces = new Map<string, string>();
      const traced = async (path: string, body: object): Promise<void> => {
        const { traceId, traceparent } = aTrace();
        const { id } = await ok(principal.client.post(path, body, { traceparent }));
        traces.set(String(id), traceId);
      };
      await Promise.all([
        all(() => traced('/v1/records', NOTE)),
        all((n) =>
          traced(`/v1/records/${String(jobs[n]!['id'])}/transition`, { action: 'cancel' }),
        ),
      ]);
      expect(traces.size).toBe(2 * AT_ONCE);

      await until(() => receiver.received.length === traces.size);
      const delivered = receiver.received.map(({ headers, body }) => [
        String(body['recordId']),
        String(headers['traceparent']).slice(3, 35),
      ]);
      expect(Object.fromEntries(delivered)).toEqual(Object.fromEntries(traces));

      // Each trace is of one call, of its own commits and of its delivery.
      expect(await service.stop()).toBe(0);
      for (const traceId of traces.values()) {
        const spans = collector.of(traceId);
        const call = spans.filter(({ kind }) => kind === 2);
        expect(call).toHaveLength(1);
        const commits = spans.filter(({ name }) => name === 'commit');
        expect(commits.length).toBeGreaterThan(0);
        for (const { parentSpanId } of commits) expect(parentSpanId).toBe(call[0]!.spanId);
        expect(spans.filter(({ name }) => name === 'deliver')).toHaveLength(1);
      }
    },
  );
});

it(
  'keeps what is sent again in the trace of its event, and a ping in that of its call',
  { timeout: 180_000 },
  async () => {
    const collector = await new Collector().start();
    const receiver = await Receiver.open(tls.identity);
    ends.push(
      () => collector.stop(),
      () => receiver.stop(),
    );
    receiver.behave = (_, response) => void response.writeHead(400).end();
    const service = make({
      EGRESS_CA: tls.ca,
      EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    const { apiKey } = await service.bootstrap();
    await service.start();
    const { admin, principal } = await createWorld(service.url, apiKey);
    const eventTypes = ['record.recorded'];
    const hook = await ok(admin.post('/v1/webhooks', { url: receiver.url, eventTypes }));
    const path = `/v1/webhooks/${String(hook['id'])}`;
    const [first, again, ping] = [aTrace(), aTrace(), aTrace()];

    await ok(principal.client.post('/v1/records', NOTE, { traceparent: first.traceparent }));
    let letter: string | undefined;
    await until(async () => {
      letter = (await ok(admin.get(`${path}/dlq`)))['data'][0]?.id;
      return letter !== undefined;
    });
    receiver.behave = (_, response) => void response.end();
    const headers = { traceparent: again.traceparent };
    await ok(admin.post(`${path}/dlq/${letter}/retry`, undefined, headers));
    await until(() => receiver.received.length === 2);
    await ok(admin.post(`${path}/ping`, undefined, { traceparent: ping.traceparent }));
    expect(await service.stop()).toBe(0);

    const sent = collector.named('deliver');
    expect(
      sent.map(({ traceId, values, statusCode }) => ({ traceId, values, statusCode })),
    ).toEqual(
      [
        { traceId: first.traceId, status: 400, type: 'record.recorded', code: 2 },
        { traceId: first.traceId, status: 200, type: 'record.recorded', code: 0 },
        { traceId: ping.traceId, status: 200, type: 'webhook.ping', code: 0 },
      ].map(({ traceId, status, type, code }) => ({
        traceId,
        statusCode: code,
        values: {
          'http.request.method': 'POST',
          'http.response.status_code': status,
          'notary.event.type': type,
        },
      })),
    );
    expect(receiver.received.map(({ headers: { traceparent } }) => traceparent)).toEqual(
      sent.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
    );
  },
);
