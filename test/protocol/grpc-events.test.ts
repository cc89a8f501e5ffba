import { fromBinary } from '@bufbuild/protobuf';
import { status, type ClientReadableStream, type StatusObject } from '@grpc/grpc-js';
import { afterAll, describe, expect, it } from 'vitest';
import { EventService } from '../../adapters/grpc/generated/notary/v1/event_service_pb.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { openOrgRead } from '../../domain/transparency/org-read.ts';
import { useApi } from '../support/service/api.ts';
import { GrpcClient, richDetails } from '../support/clients/grpc-client.ts';
import { NotarizeStream, openServerStream } from '../support/clients/grpc-streams.ts';
import { deliver, mintKey, ok, openJob, sleep, type Body } from '../support/service/world.ts';

const api = useApi({ GRPC_PORT: '0', RATE_LIMIT_STREAMS: '5' });
const clients: GrpcClient[] = [];
afterAll(() => clients.forEach((client) => client.close()));

const clientOf = (): GrpcClient => {
  const client = new GrpcClient(String(api.service.grpc));
  clients.push(client);
  return client;
};
const { subscribe } = EventService.method;

interface Subscription {
  readonly events: Body[];
  readonly call: ClientReadableStream<Buffer>;
  readonly status: Promise<StatusObject>;
  /** The subscription is in effect. */
  readonly ready: Promise<void>;
}

const follow = (key: unknown, message: object = {}, more: object = {}): Subscription => {
  const headers = { authorization: `Bearer ${String(key)}`, ...more };
  const opened = openServerStream(clientOf(), subscribe, { types: [], ...message }, headers);
  const events: Body[] = [];
  opened.call.on('data', (bytes: Buffer) =>
    events.push(fromBinary(subscribe.output, bytes).event as unknown as Body),
  );
  const ready = new Promise<void>((resolve) => opened.call.once('metadata', () => resolve()));
  return { ...opened, events, ready };
};
const until = async (isTrue: () => boolean): Promise<void> => {
  for (let round = 0; round < 200 && !isTrue(); round++) await sleep(25);
  expect(isTrue()).toBe(true);
};

describe('EventService.Subscribe', () => {
  it('tells what happens from now on, in the order of the numbers', async () => {
    const { principal, performer } = api.world;
    await openJob(api.world);
    const subscription = follow(principal.client.key);
    await subscription.ready;
    const { id } = await openJob(api.world);
    await deliver(api.world, id);
    await until(() => subscription.events.length >= 2);
    const { events } = subscription;
    expect(events.map(({ recordId }) => recordId)).toEqual(events.map(() => id));
    expect(events[0]).toMatchObject({ type: 'record.created', agentId: principal.id });
    expect(JSON.parse(Buffer.from(events[0]!['data']).toString())).toMatchObject({
      status: 'ACTIVE',
    });
    const numbers = events.map(({ sequence }) => Number(sequence));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(performer.id).not.toBe(principal.id);
    subscription.call.cancel();
    expect((await subscription.status).code).toBe(status.CANCELLED);
  });

  it('goes on after the last number, without a gap and without a double', async () => {
    const { principal } = api.world;
    const first = follow(principal.client.key, { after: 0n });
    await first.ready;
    for (let round = 0; round < 5; round++) await openJob(api.world);
    await until(() => first.events.length >= 8);
    first.call.cancel();
    const cut = first.events[3]!['sequence'] as bigint;
    const second = follow(principal.client.key, { after: cut });
    await until(() => second.events.length >= first.events.length - 4);
    expect(second.events.slice(0, first.events.length - 4).map(({ id }) => id)).toEqual(
      first.events.slice(4).map(({ id }) => id),
    );
    second.call.cancel();
  });

  it('filters by record and type, and shows nobody what is not theirs', async () => {
    const { principal, admin } = api.world;
    const { id } = await openJob(api.world);
    const ofRecord = follow(principal.client.key, { after: 0n, recordId: id });
    const ofType = follow(principal.client.key, { after: 0n, types: ['record.created'] });
    await until(() => ofRecord.events.length >= 1 && ofType.events.length >= 2);
    expect(new Set(ofRecord.events.map(({ recordId }) => recordId))).toEqual(new Set([id]));
    expect(new Set(ofType.events.map(({ type }) => type))).toEqual(new Set(['record.created']));
    const org = await ok(
      api.world.platform.post('/v1/admin/orgs', { name: 'Others', bootstrapAdmin: true }),
    );
    const foreign = follow(org['bootstrapKey'].apiKey, { after: 0n, recordId: id });
    await foreign.ready;
    await sleep(300);
    expect(foreign.events).toEqual([]);
    const wrong = await follow(principal.client.key, { types: ['no.such'] }).status;
    const { client: blind } = await mintKey(admin, principal.id, { scopes: ['records:read'] });
    const without = await follow(blind.key).status;
    expect([wrong.code, without.code]).toEqual([status.INVALID_ARGUMENT, status.PERMISSION_DENIED]);
    for (const one of [ofRecord, ofType, foreign]) one.call.cancel();
  });

  it('is a leaf in the log of reads for each page and each org that it shows', async () => {
    const { admin, orgId } = api.world;
    const subscription = follow(admin.key, { after: 0n }, { 'x-request-id': 'follow-1' });
    await until(() => subscription.events.length > 0);
    await openJob(api.world);
    const seen = subscription.events.length;
    await until(() => subscription.events.length > seen);
    const { container } = api.service;
    const log = await container.get(TOKENS.orgReadsLogs).from(orgId, 0, 10_000);
    const { keyOf } = container.get(Vault);
    const said = await Promise.all(log.map((read) => openOrgRead(read, keyOf)));
    const own = said.filter((one) => one?.requestId === 'follow-1');
    expect(own.length).toBeGreaterThan(1);
    expect(own[0]).toMatchObject({ operation: 'followEvents', protocol: 'grpc' });
    subscription.call.cancel();
  });

  it('shares the five streams of a key with every other kind, and gives its own back', async () => {
    const { world } = api;
    const { client: key } = await mintKey(world.admin, world.principal.id, {
      scopeProfile: 'agent-full',
    });
    const open = Array.from({ length: 4 }, () => follow(key.key));
    await Promise.all(open.map(({ ready }) => ready));
    const fifth = new NotarizeStream(clientOf(), {
      authorization: `Bearer ${String(key.key)}`,
    }).read();
    await sleep(200);
    const sixth = await follow(key.key).status;
    expect(sixth.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(richDetails(sixth.metadata)['ErrorInfo']).toMatchObject({ reason: 'RATE_LIMITED' });
    open[0]!.call.cancel();
    await open[0]!.status;
    await sleep(100);
    const next = follow(key.key);
    await next.ready;
    for (const one of [...open, next]) one.call.cancel();
    fifth.call.cancel();
  });

  it('ends where its key is revoked', async () => {
    const { world } = api;
    const { client: key, keyId } = await mintKey(world.admin, world.principal.id, {
      scopeProfile: 'agent-full',
    });
    const subscription = follow(key.key);
    await subscription.ready;
    await ok(world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
    const begun = performance.now();
    expect((await subscription.status).code).toBe(status.UNAUTHENTICATED);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
