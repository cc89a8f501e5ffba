import { once } from 'node:events';
import { connect } from 'node:http2';
import { status } from '@grpc/grpc-js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { GrpcClient, richDetails } from '../support/clients/grpc-client.ts';
import { NotarizeStream, statementBytes } from '../support/clients/grpc-streams.ts';
import { chainOf, mintKey, ok, sleep } from '../support/service/world.ts';

const api = useApi({ GRPC_PORT: '0' });
const limited = useApi({ GRPC_PORT: '0', RATE_LIMIT_RECORDS_CREATE: '3', RATE_LIMIT_STREAMS: '5' });
const clients: GrpcClient[] = [];
afterAll(() => clients.forEach((client) => client.close()));

const clientOf = ({ service } = api): GrpcClient => {
  const client = new GrpcClient(String(service.grpc));
  clients.push(client);
  return client;
};
const bearer = (key: unknown): { authorization: string } => ({
  authorization: `Bearer ${String(key)}`,
});

describe('NotarizeStream', () => {
  it('answers each statement with a receipt of its own, in their order', async () => {
    const { principal } = api.world;
    const stream = new NotarizeStream(clientOf(), bearer(principal.client.key)).read();
    for (let at = 0; at < 500; at++) stream.write(statementBytes(`m-${at}`, { criteria: { at } }));
    const { code } = await stream.end();
    expect(code).toBe(status.OK);
    expect(stream.receipts.map(({ messageId }) => messageId)).toEqual(
      Array.from({ length: 500 }, (_, at) => `m-${at}`),
    );
    const { outcome } = stream.receipts[499]!;
    if (outcome.case !== 'receipt') throw new Error('refused');
    const { recordId, status: state, signedStatement } = outcome.value;
    expect(state).toBe('RECORDED');
    const record = await ok(principal.client.get(`/v1/records/${recordId}`));
    expect(record['criteria']).toEqual({ at: 499 });
    const [entry] = await chainOf(principal.client, recordId);
    expect(entry!['coseSign1']).toBe(Buffer.from(signedStatement!.coseSign1).toString('base64'));
    expect(entry!['hash']).toBe(signedStatement!.hash);
  });

  it('refuses a statement by itself, and goes on with the next one', async () => {
    const stream = new NotarizeStream(clientOf(), bearer(api.world.principal.client.key)).read();
    stream.write(statementBytes('good', {}));
    stream.write(statementBytes('unknown type', { type: 'nothing' }));
    stream.write(statementBytes('no object', { criteria: 7 }));
    stream.write(Buffer.from([0xff, 0xff, 0xff]));
    stream.write(statementBytes('last', {}));
    expect((await stream.end()).code).toBe(status.OK);
    const said = stream.receipts.map(({ messageId, outcome }) => [
      messageId,
      outcome.case === 'error' ? outcome.value.status : outcome.case,
    ]);
    expect(said).toEqual([
      ['good', 'receipt'],
      ['unknown type', status.FAILED_PRECONDITION],
      ['no object', status.INVALID_ARGUMENT],
      ['', status.INVALID_ARGUMENT],
      ['last', 'receipt'],
    ]);
  });

  it('acts once under a key, over the stream, over REST, and in one stream twice', async () => {
    const { principal } = api.world;
    const body = { type: 'note', criteria: { once: true } };
    const rest = await ok(
      principal.client.post('/v1/records', body, { 'idempotency-key': 'stream-1' }),
    );
    const stream = new NotarizeStream(clientOf(), bearer(principal.client.key)).read();
    stream.write(statementBytes('again', { criteria: { once: true } }, 'stream-1'));
    stream.write(statementBytes('other', { criteria: { once: false } }, 'stream-1'));
    await stream.end();
    const [again, other] = stream.receipts;
    expect(again).toMatchObject({ isReplay: true, outcome: { value: { recordId: rest['id'] } } });
    expect(other).toMatchObject({ isReplay: false, outcome: { case: 'error' } });
  });

  it('counts each message as a creation of its own', async () => {
    const { principal } = limited.world;
    const stream = new NotarizeStream(clientOf(limited), bearer(principal.client.key)).read();
    for (let at = 0; at < 5; at++) stream.write(statementBytes(`m-${at}`, {}));
    expect((await stream.end()).code).toBe(status.OK);
    const cases = stream.receipts.map(({ outcome }) => outcome.case);
    expect(cases).toEqual(['receipt', 'receipt', 'receipt', 'error', 'error']);
    const { outcome } = stream.receipts[3]!;
    expect(outcome.value).toMatchObject({
      code: 'RATE_LIMITED',
      status: status.RESOURCE_EXHAUSTED,
      retryable: true,
    });
    const { status: restStatus } = await principal.client.post('/v1/records', {
      type: 'note',
      criteria: {},
    });
    expect(restStatus).toBe(429);
  });

  it('refuses the sixth stream of a key, until one of them ends', async () => {
    const { world } = limited;
    const { client: key } = await mintKey(world.admin, world.principal.id, {
      scopeProfile: 'agent-full',
    });
    const client = clientOf(limited);
    const open = Array.from({ length: 5 }, () =>
      new NotarizeStream(client, bearer(key.key)).read(),
    );
    await sleep(200);
    const sixth = await new NotarizeStream(client, bearer(key.key)).read().status;
    expect(sixth.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(richDetails(sixth.metadata)['ErrorInfo']).toMatchObject({
      reason: 'RATE_LIMITED',
      metadata: { kind: 'rate-limited' },
    });
    expect((await open[0]!.end()).code).toBe(status.OK);
    const next = new NotarizeStream(client, bearer(key.key)).read();
    expect((await next.end()).code).toBe(status.OK);
    for (const one of open.slice(1)) one.call.cancel();
  });

  it('is refused without a credential, and without the scope', async () => {
    const { world } = api;
    const { client: reader } = await mintKey(world.admin, world.principal.id, {
      scopes: ['records:read'],
    });
    const without = await new NotarizeStream(clientOf(), {}).read().status;
    const wrong = await new NotarizeStream(clientOf(), bearer(reader.key)).read().status;
    expect([without.code, wrong.code]).toEqual([status.UNAUTHENTICATED, status.PERMISSION_DENIED]);
    expect(richDetails(wrong.metadata)['ErrorInfo'].metadata.missingScopes).toBe(
      '["records:write"]',
    );
  });

  it('ends within a second or so where its key is revoked', async () => {
    const { world } = api;
    const { client: key, keyId } = await mintKey(world.admin, world.principal.id, {
      scopeProfile: 'agent-full',
    });
    const stream = new NotarizeStream(clientOf(), bearer(key.key)).read();
    stream.write(statementBytes('one', {}));
    await vi.waitFor(() => expect(stream.receipts).toHaveLength(1), 60_000);
    await ok(world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
    const begun = performance.now();
    const { code } = await stream.status;
    expect(code).toBe(status.UNAUTHENTICATED);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('takes no more from a client that does not read, and goes on once it does', async () => {
    // The client of grpc-js takes whatever comes into its memory; HTTP/2 itself does not.
    const session = connect(`http://${String(api.service.grpc)}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/notary.v1.RecordService/NotarizeStream',
      'content-type': 'application/grpc',
      te: 'trailers',
      ...bearer(api.world.principal.client.key),
    });
    stream.pause();
    const statement = statementBytes('m', { platformRef: 'unread' });
    const length = Buffer.alloc(5);
    length.writeUInt32BE(statement.length, 1);
    const frame = Buffer.concat([length, statement]);
    for (let at = 0; at < 2_000; at++) stream.write(frame);
    stream.end();
    const path = '/v1/records?limit=1&platformRef=unread';
    const made = async (): Promise<number> =>
      Number((await ok(api.world.principal.client.get(path)))['total']);
    let last = -1;
    for (let now = await made(); now !== last; now = await made()) {
      last = now;
      await sleep(500);
    }
    expect(last).toBeGreaterThan(100);
    expect(last).toBeLessThan(1_000);
    const trailers = once(stream, 'trailers');
    stream.resume();
    const [{ 'grpc-status': code }] = (await trailers) as [{ 'grpc-status': string }];
    expect([code, await made()]).toEqual(['0', 2_000]);
    session.close();
  });

  it('leaves nothing behind where the client goes away', async () => {
    const client = clientOf(limited);
    const { world } = limited;
    const { client: key } = await mintKey(world.admin, world.principal.id, {
      scopeProfile: 'agent-full',
    });
    for (let round = 0; round < 12; round++) {
      const stream = new NotarizeStream(client, bearer(key.key)).read();
      stream.write(statementBytes('one', {}));
      await sleep(30);
      stream.call.cancel();
      expect((await stream.status).code).toBe(status.CANCELLED);
      await sleep(30);
    }
    const next = new NotarizeStream(client, bearer(key.key)).read();
    expect((await next.end()).code).toBe(status.OK);
  });
});
