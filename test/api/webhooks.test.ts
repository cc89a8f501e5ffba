import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealWebhook } from '../../application/delivery/webhook-acts.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import type { Subscription } from '../../domain/delivery/subscription.ts';
import { TOKENS } from '../../config/tokens.ts';
import { EVENT_TYPES } from '../../domain/event/event-types.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { Receiver, receiverTls } from '../support/peers/receiver.ts';
import { createWorld, ok, type Body, type World } from '../support/service/world.ts';

const { ca, identity } = await receiverTls();
const api = useApi({ EGRESS_CA: ca, EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128' });
const HOOKS = '/v1/webhooks';
const body = (more: Body = {}): Body => ({
  url: 'https://receiver.example/hook',
  eventTypes: ['record.fulfilled'],
  ...more,
});
const create = (more: Body = {}) => ok(api.world.admin.post(HOOKS, body(more)));
let elsewhere: World;
let receiver: Receiver;
beforeAll(async () => {
  elsewhere = await createWorld(api.world.url, String(api.world.platform.key), 'Globex');
  receiver = await Receiver.open(identity);
});
afterAll(() => receiver.stop());

describe('POST /v1/webhooks', () => {
  it('201: a webhook with a secret that is shown once', async () => {
    const made = await api.world.admin.post(HOOKS, body());
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${HOOKS}/${String(made.body['id'])}`);
    expect(made.body).toMatchObject({
      recordTypes: ['*'],
      format: 'standard',
      signingAlg: 'hmac',
      secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{43}$/),
      isActive: true,
      isPaused: false,
      circuitState: 'closed',
    });
    const read = await ok(api.world.admin.get(`${HOOKS}/${String(made.body['id'])}`));
    expect(read).toMatchObject({ ownerType: 'org', ownerId: api.world.orgId, managedBy: null });
    expect(read).not.toHaveProperty('secret');
    const listed = (await ok(api.world.admin.get(HOOKS)))['data'] as Body[];
    expect(listed.find(({ id }) => id === made.body['id'])).not.toHaveProperty('ownerId');
  });

  it('acts once under an Idempotency-Key, and shows the secret once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await api.world.admin.post(HOOKS, body(), headers);
    const second = await api.world.admin.post(HOOKS, body(), headers);
    expect([second.status, second.body['id']]).toEqual([201, first.body['id']]);
    expect(first.body['secret']).not.toBeNull();
    expect(second.body['secret']).toBeNull();
  });

  it.each([
    ['http://receiver.example/', 400, 'VALIDATION_ERROR'],
    ['https://user:word@receiver.example/', 422, 'VALIDATION_ERROR'],
    ['https://receiver.example/#part', 422, 'VALIDATION_ERROR'],
    ['https://receiver.example:25/', 422, 'VALIDATION_ERROR'],
    [`https://receiver.example/${'x'.repeat(2048)}`, 400, 'VALIDATION_ERROR'],
  ])('refuses the url %s', async (url, status, code) => {
    expectProblem(await api.world.admin.post(HOOKS, body({ url })), status, code);
  });

  it('422 with allowedValues for a type that there is not, webhook.ping among them', async () => {
    for (const type of ['record.fulfiled', 'webhook.ping']) {
      const refused = await api.world.admin.post(HOOKS, body({ eventTypes: [type] }));
      expectProblem(refused, 422, 'VALIDATION_ERROR');
      expect(refused.body['allowedValues']).toEqual(['*', ...EVENT_TYPES]);
    }
  });

  it('signs settlement by the key of the vault unless it is told otherwise, and names what is usable', async () => {
    const alg = async (more: Body) => (await create(more))['signingAlg'];
    expect(await alg({ eventTypes: ['signal.emitted'] })).toBe('ed25519');
    expect(await alg({ eventTypes: ['*'] })).toBe('hmac');
    expect(await alg({ eventTypes: ['signal.emitted'], signingAlg: 'hmac' })).toBe('hmac');
    expect((await create({ signingAlg: 'ed25519' }))['secret']).toBeNull();
    const refused = await api.world.admin.post(HOOKS, body({ signingAlg: 'ecdsa-p256-sha256' }));
    expectProblem(refused, 422, 'VALIDATION_ERROR');
    expect(refused.body['allowedValues']).toEqual(['hmac', 'ed25519']);
  });

  it('takes at most 64 types a webhook, and 100 webhooks an org', async () => {
    const many = body({ eventTypes: Array<string>(65).fill('record.failed') });
    expectProblem(await api.world.admin.post(HOOKS, many), 400, 'VALIDATION_ERROR');
    const small = await createWorld(api.world.url, String(api.world.platform.key), 'Small');
    for (let n = 0; n < 100; n++) await ok(small.admin.post(HOOKS, body()));
    expectProblem(await small.admin.post(HOOKS, body()), 422, 'VALIDATION_ERROR');
    const one = ((await ok(small.admin.get(HOOKS)))['data'] as Body[])[0]!;
    await ok(small.admin.call('DELETE', `${HOOKS}/${String(one['id'])}`));
    await ok(small.admin.post(HOOKS, body()));
  });

  it('by a platform key names its org, and is reached by no other operator', async () => {
    const { platform, orgId, admin } = api.world;
    expectProblem(await platform.post(HOOKS, body()), 403, 'ORG_REQUIRED');
    const made = await ok(platform.post(`${HOOKS}?orgId=${orgId}`, body()));
    const path = `${HOOKS}/${String(made['id'])}`;
    await ok(platform.get(path));
    await ok(admin.get(path));
    const theirs = await create();
    const refused = await platform.get(`${HOOKS}/${String(theirs['id'])}`);
    expectProblem(refused, 403, 'WEBHOOK_NOT_OWNED');
    const missing = await platform.get(`${HOOKS}/${orgId}`);
    expectProblem(missing, 404, 'NOT_FOUND');
    const listed = (await ok(platform.get(HOOKS)))['data'] as Body[];
    expect(listed.map(({ id }) => id)).toEqual([made['id']]);
  });
});

describe('a webhook', () => {
  it('of an agent is its own: others of the org do not see it, but for its admin', async () => {
    const { principal, performer, admin } = api.world;
    const made = await ok(principal.client.post(HOOKS, body()));
    const path = `${HOOKS}/${String(made['id'])}`;
    expectProblem(await performer.client.get(path), 404, 'NOT_FOUND');
    expectProblem(await elsewhere.admin.get(path), 404, 'NOT_FOUND');
    expect(await ok(admin.get(path))).toMatchObject({
      ownerType: 'agent',
      ownerId: principal.id,
    });
    const ofOrg = await create();
    const theirs = `${HOOKS}/${String(ofOrg['id'])}`;
    expectProblem(await principal.client.get(theirs), 404, 'NOT_FOUND');
    for (const [method, tail] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/ping'],
      ['POST', '/dlq/retry-all'],
      ['GET', '/deliveries'],
      ['GET', '/dlq'],
    ] as const) {
      const sent = method === 'PATCH' ? { eventTypes: ['*'] } : undefined;
      const refused = await performer.client.call(method, `${path}${tail}`, sent);
      expectProblem(refused, 404, 'NOT_FOUND');
    }
  });

  it('keeps its scheme whatever is changed, and is changed in parts', async () => {
    const made = await create({ recordTypes: ['job'] });
    const path = `${HOOKS}/${String(made['id'])}`;
    const { admin } = api.world;
    const changed = await ok(admin.patch(path, { eventTypes: ['signal.emitted'] }));
    expect(changed).toMatchObject({ signingAlg: 'hmac', recordTypes: ['job'] });
    expect(await ok(admin.patch(path, { recordTypes: ['*'] }))).toMatchObject({
      recordTypes: ['*'],
      eventTypes: ['signal.emitted'],
    });
    expectProblem(await admin.patch(path, { signingAlg: 'ed25519' }), 422, 'VALIDATION_ERROR');
    expectProblem(await admin.patch(path, {}), 400, 'VALIDATION_ERROR');
  });

  it('that is deleted stays readable, is listed no more, and is never revived', async () => {
    const { admin } = api.world;
    const made = await create();
    const path = `${HOOKS}/${String(made['id'])}`;
    const deleted = await ok(admin.call('DELETE', path));
    const breaker = path.replace('/v1/', '/v1/admin/') + '/circuit-breaker';
    const opened = await api.world.platform.patch(breaker, { state: 'open' });
    expectProblem(opened, 422, 'VALIDATION_ERROR');
    expect(deleted).toMatchObject({ id: made['id'], deleted: true, deadLetters: 0 });
    expect(await ok(admin.get(path))).toMatchObject({ isActive: false });
    const ids = async (query: string) =>
      ((await ok(admin.get(`${HOOKS}${query}`)))['data'] as Body[]).map(({ id }) => id);
    expect(await ids('')).not.toContain(made['id']);
    expect(await ids('?isActive=false')).toContain(made['id']);
    expectProblem(await admin.patch(path, { isActive: true }), 422, 'VALIDATION_ERROR');
    expectProblem(await admin.post(`${path}/ping`), 422, 'VALIDATION_ERROR');
    expect((await ok(admin.get(`${path}/dlq`)))['data']).toEqual([]);
  });

  it('signs with both secrets within the grace of a rotation, and with the new one alone after', async () => {
    const { admin } = api.world;
    const made = await create({ url: receiver.url });
    const path = `${HOOKS}/${String(made['id'])}`;
    const signatures = async () => {
      await ok(admin.post(`${path}/ping`));
      const header = String(receiver.received.at(-1)!.headers['x-service-signature']);
      return header.split(',').length - 1;
    };
    expect(await signatures()).toBe(1);
    const rotated = await ok(admin.post(`${path}/rotate`));
    expect(rotated).toMatchObject({ secretGraceActive: true });
    expect(rotated['secret']).not.toBe(made['secret']);
    expect(await signatures()).toBe(2);
    const atOnce = await ok(admin.post(`${path}/rotate`, { gracePeriodSeconds: 0 }));
    expect(atOnce).toMatchObject({ secretGraceActive: false, secretGraceExpiresAt: null });
    expect(await signatures()).toBe(1);
    const asymmetric = await create({ signingAlg: 'ed25519' });
    const refused = await admin.post(`${HOOKS}/${String(asymmetric['id'])}/rotate`);
    expectProblem(refused, 422, 'VALIDATION_ERROR');
  });

  it('is neither created at nor moved to a private address that the operator does not allow', async () => {
    for (const url of [
      'https://10.0.0.1/hook',
      'https://[fd00::1]/hook',
      'https://169.254.169.254/',
    ]) {
      const refused = await api.world.admin.post(HOOKS, body({ url }));
      const problem = expectProblem(refused, 422, 'VALIDATION_ERROR');
      expect(problem['suggestion']).toContain('EGRESS_ALLOW_CIDRS_WEBHOOK');
      const { id } = await create();
      const moved = await api.world.admin.patch(`${HOOKS}/${String(id)}`, { url });
      expectProblem(moved, 422, 'VALIDATION_ERROR');
    }
  });
});

describe('a ping where no private address is allowed', () => {
  const guarded = useApi();
  it('says the same of a name that leads to a private address as of one that does not exist', async () => {
    const pinged = async (url: string): Promise<Body> => {
      const { admin } = guarded.world;
      const { id } = await ok(admin.post(HOOKS, body({ url })));
      const { status, reason, responseStatus, responseBody, suggestion } = await ok(
        admin.post(`${HOOKS}/${String(id)}/ping`),
      );
      return { status, reason, responseStatus, responseBody, suggestion };
    };
    // The name of this machine, which leads to an address of its own network.
    const known = await pinged(`https://${hostname()}:1024/hook`);
    expect(known).toEqual(await pinged('https://nothing.invalid:1024/hook'));
    expect(known).toMatchObject({ status: 'FAILED', responseStatus: null });
  });
});

describe('a webhook that provisioning manages', () => {
  it('refuses to be changed, deleted and rotated, and may be paused', async () => {
    const { orgId, admin } = api.world;
    const id = crypto.randomUUID();
    const { container } = api.service;
    const subscription: Subscription = {
      id,
      orgId,
      ownerType: 'org',
      ownerId: orgId,
      platformAgentId: null,
      url: 'https://receiver.example/managed',
      eventTypes: ['record.failed'],
      recordTypes: ['*'],
      format: 'standard',
      scheme: 'ed25519',
      secret: null,
      previousSecret: null,
      previousSecretUntil: null,
      managedBy: 'provisioning',
      recordId: null,
      push: null,
      startsAfter: 0,
      gaps: [],
      deletedAt: null,
      createdAt: new Date().toISOString(),
      version: 1,
    };
    await container.get(TOKENS.unitOfWork).transaction(async (stores) => {
      await stores.webhooks.insert(subscription);
      const origin = { actor: { kind: 'system' }, requestId: 'provisioning' } as const;
      await sealWebhook(container.get(SealPlatform), stores, origin, 'created', subscription);
    });
    const path = `${HOOKS}/${id}`;
    for (const refused of [
      await admin.patch(path, { eventTypes: ['*'] }),
      await admin.call<Body>('DELETE', path),
      await admin.post(`${path}/rotate`),
    ])
      expectProblem(refused, 409, 'PROVISIONING_MANAGED');
    expect(await ok(admin.post(`${path}/pause`))).toMatchObject({ isPaused: true });
    expect(await ok(admin.post(`${path}/resume`))).toMatchObject({ isPaused: false });
    expect(await ok(admin.get(path))).toMatchObject({ managedBy: 'provisioning' });
  });
});

describe('operators', () => {
  it('see how every receiver does, and what was not delivered', async () => {
    const { platform, orgId } = api.world;
    const health = await ok(platform.get(`/v1/admin/webhooks/health?orgId=${orgId}`));
    expect((health['data'] as Body[])[0]).toMatchObject({
      orgId,
      ownerType: expect.any(String),
      circuitState: 'closed',
      deadLetters: 0,
    });
    expect(
      (await ok(platform.get(`/v1/admin/webhook-dlq?orgId=${elsewhere.orgId}`)))['data'],
    ).toEqual([]);
    const refused = await api.world.admin.get('/v1/admin/webhooks/health');
    expectProblem(refused, 403, 'INSUFFICIENT_SCOPE');
  });
});
