import { describe, expect, it } from 'vitest';
import { LEASE_MS } from '../../application/delivery/lane-parts.ts';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import { hmacHolds, type Receiver, until } from '../support/peers/receiver.ts';
import { SENDS_HERE, useReceivers } from '../support/peers/receivers.ts';
import { addAgent, GOAL, ok, type Body } from '../support/service/world.ts';

const api = useApi(SENDS_HERE);
const receiver = useReceivers();

const note = async (text = 'x'): Promise<Body> => {
  const { status, body } = await api.world.principal.client.post('/v1/records', {
    type: 'note',
    criteria: { text },
  });
  expect(status).toBe(201);
  return body;
};
const subscribe = async (to: Receiver, more: Body = {}): Promise<Body> => {
  const { status, body } = await api.world.admin.post('/v1/webhooks', {
    url: `${to.url}/hook`,
    eventTypes: ['record.recorded'],
    ...more,
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
};
const get = async (path: string): Promise<Body> => {
  const { status, body } = await api.world.admin.get(path);
  expect(status).toBe(200);
  return body;
};
const deliveries = async ({ id }: Body): Promise<Body[]> =>
  (await get(`/v1/webhooks/${String(id)}/deliveries`))['data'] as Body[];
const dlq = async ({ id }: Body): Promise<Body[]> =>
  (await get(`/v1/webhooks/${String(id)}/dlq`))['data'] as Body[];

describe('a delivery', () => {
  it('comes once, signed by the secret, in the order of the events, with the bytes that are kept', async () => {
    const to = await receiver();
    const hook = await subscribe(to);
    const records = [];
    for (let n = 0; n < 20; n++) records.push(await note(`n${n}`));
    await until(() => to.received.length >= 20);
    expect(to.received.map(({ body }) => body['recordId'])).toEqual(records.map(({ id }) => id));
    expect(to.received.map(({ body }) => body['eventSequence'])).toEqual(
      records.map((_, index) => index + 1),
    );
    expect(new Set(to.ids).size).toBe(20);
    for (const received of to.received) {
      expect(hmacHolds(received, String(hook['secret']))).toBe(true);
      expect(received.headers['x-service-idempotency-key']).toBe(received.body['id']);
      expect(received.body['data']).toMatchObject({
        subscriptionId: hook['id'],
        audience: `${to.url}/hook`,
        orgId: api.world.orgId,
      });
    }
    await until(async () => (await deliveries(hook)).every(({ status }) => status === 'DELIVERED'));
    const kept = await deliveries(hook);
    expect(kept).toHaveLength(20);
    for (const { id, requestBody, signature } of kept) {
      const sent = to.received.find(({ headers }) => headers['x-service-delivery'] === id)!;
      expect([requestBody, signature]).toEqual([sent.raw, sent.headers['x-service-signature']]);
    }
    const after = await get(`/v1/webhooks/${String(hook['id'])}`);
    expect(after).toMatchObject({ circuitState: 'closed', consecutiveFailures: 0 });
    expect(after['lastSuccessfulAt']).not.toBeNull();
  });

  it('is tried again after a 500, under the same event and sequence, as an attempt of its own', async () => {
    const to = await receiver();
    to.behave = (_, response) => {
      response.statusCode = to.received.length === 1 ? 500 : 200;
      response.end();
    };
    const hook = await subscribe(to);
    await note();
    await until(() => to.received.length >= 2);
    const [first, second] = to.received;
    expect(second!.raw).toBe(first!.raw);
    expect(second!.headers['x-service-delivery']).not.toBe(first!.headers['x-service-delivery']);
    expect(second!.at - first!.at).toBeGreaterThan(3_500);
    await until(async () => (await deliveries(hook))[0]!['status'] === 'DELIVERED');
    expect(
      (await deliveries(hook)).map(({ status, attemptNumber, responseStatus }) => [
        status,
        attemptNumber,
        responseStatus,
      ]),
    ).toEqual([
      ['DELIVERED', 2, 200],
      ['FAILED', 1, 500],
    ]);
  });

  it.each([
    [404, 'rejected', true],
    [429, 'rejected', true],
    [302, 'redirected', true],
    [410, 'gone', false],
  ] as const)('that is answered by %i goes to the DLQ at once', async (status, reason, stays) => {
    const to = await receiver();
    to.behave = (_, response) => {
      response.writeHead(status, { location: `${to.url}/elsewhere` });
      response.end();
    };
    const hook = await subscribe(to);
    await note();
    await until(async () => (await dlq(hook)).length === 1);
    expect(to.received).toHaveLength(1);
    const [letter] = await dlq(hook);
    expect(letter).toMatchObject({ reason, attempts: 1, lastStatus: status });
    expect(letter!['event']).toMatchObject({ id: to.ids[0], type: 'record.recorded' });
    await until(
      async () => (await get(`/v1/webhooks/${String(hook['id'])}`))['isActive'] === stays,
    );
    const retry = await api.world.admin.post(
      `/v1/webhooks/${String(hook['id'])}/dlq/${String(letter!['id'])}/retry`,
    );
    if (!stays) {
      expect(retry.status).toBe(422);
      expect(retry.body['allowedActions']).toEqual(['discard']);
      return;
    }
    expect(retry.status).toBe(200);
    to.behave = (_, response) => void response.end();
    await until(() => to.received.length === 2);
    expect(to.ids[1]).toBe(to.ids[0]);
    await until(async () => (await dlq(hook)).length === 0);
  });

  it('waits as long as a 503 asks by Retry-After', async () => {
    const to = await receiver();
    to.behave = (_, response) => {
      response.writeHead(503, { 'retry-after': '200' });
      response.end();
    };
    const hook = await subscribe(to);
    await note();
    await until(async () => (await deliveries(hook))[0]?.['status'] === 'FAILED');
    const [row] = await deliveries(hook);
    const wait = Date.parse(String(row!['nextRetryAt'])) - to.received[0]!.at;
    expect(wait).toBeGreaterThan(195_000);
    // The answer may be looked at late; the longest wait that may be asked for is 5 minutes.
    expect(wait).toBeLessThan(260_000);
  });

  it('to a receiver that answers half, or never, fails, and delays no other receiver', async () => {
    const [half, never, well] = [await receiver(), await receiver(), await receiver()];
    half.behave = (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    };
    let isGivenUp = false;
    never.behave = (_, response) => void response.on('close', () => (isGivenUp = true));
    let waited = false;
    well.behave = (_, response) => {
      waited = isGivenUp;
      response.end('ok');
    };
    const [a, b] = [await subscribe(half), await subscribe(never)];
    await subscribe(well);
    await note();
    await until(() => well.received.length === 1);
    expect(waited).toBe(false);
    await until(async () => (await deliveries(a))[0]?.['status'] === 'FAILED');
    await until(async () => (await deliveries(b))[0]?.['status'] === 'FAILED');
    expect((await deliveries(b)).at(-1)).toMatchObject({
      reason: 'unreachable',
      responseStatus: null,
    });
    never.behave = (_, response) => void response.end();
  });
});

describe('a pause', () => {
  it('keeps what happened before it, and drops what happens in it', async () => {
    const to = await receiver();
    let answer: (() => void) | null = null;
    const held = new Promise<void>((resolve) => (answer = resolve));
    to.behave = async (_, response) => {
      await held;
      response.end();
    };
    const hook = await subscribe(to);
    const path = `/v1/webhooks/${String(hook['id'])}`;
    const [first, second] = [await note('before'), await note('before too')];
    await until(() => to.received.length === 1);
    expect((await api.world.admin.post(`${path}/pause`)).body).toMatchObject({ isPaused: true });
    await note('in it');
    answer!();
    await new Promise((resolve) => setTimeout(resolve, 600));
    const ping = await api.world.admin.post(`${path}/ping`);
    expect([ping.status, ping.body['status']]).toEqual([200, 'DELIVERED']);
    expect((await api.world.admin.post(`${path}/resume`)).body).toMatchObject({ isPaused: false });
    const last = await note('after');
    const records = () =>
      to.received
        .filter(({ body }) => body['type'] !== 'webhook.ping')
        .map(({ body }) => [body['recordId'], body['eventSequence']]);
    await until(() => records().length === 3);
    expect(records()).toEqual([
      [first['id'], 1],
      [second['id'], 2],
      [last['id'], 3],
    ]);
  });
});

describe('pauses without number', () => {
  it('are forgotten once nothing more can fall into them', async () => {
    const to = await receiver();
    const hook = await subscribe(to);
    const id = String(hook['id']);
    const work = api.service.container.get(TOKENS.unitOfWork);
    await work.transaction(async ({ webhooks }) => {
      const before = (await webhooks.lock(id))!;
      const gaps = Array.from({ length: 60 }, (_, n) => ({
        from: `2026-01-01T00:${String(n).padStart(2, '0')}:00.000Z`,
        to: `2026-01-01T00:${String(n).padStart(2, '0')}:30.000Z`,
        after: 0,
        through: 0,
        kind: 'paused' as const,
      }));
      await webhooks.update({ ...before, gaps });
    });
    await note();
    await until(() => to.received.length === 1);
    await until(async () => {
      const found = await api.service.container.get(TOKENS.webhookReads).find(id);
      return found!.subscription.gaps.length === 0;
    });
  });
});

describe('a change of the url', () => {
  it('sends what waits to the new one, with the new audience', async () => {
    const [old, fresh] = [await receiver(), await receiver()];
    old.behave = (_, response) => {
      response.statusCode = 500;
      response.end();
    };
    const hook = await subscribe(old);
    await note();
    await until(() => old.received.length === 1);
    const changed = await api.world.admin.patch(`/v1/webhooks/${String(hook['id'])}`, {
      url: `${fresh.url}/new`,
      format: 'cloudevents',
    });
    expect(changed.status).toBe(200);
    await until(() => fresh.received.length === 1);
    const [received] = fresh.received;
    expect(received!.body).toMatchObject({ specversion: '1.0', id: old.ids[0] });
    expect(received!.body['data']['data']).toMatchObject({ audience: `${fresh.url}/new` });
    expect(hmacHolds(received!, String(hook['secret']))).toBe(true);
  });
});

describe('a breaker', () => {
  it('opens after ten failures; what happens then is not attempted; an operator closes it', async () => {
    const to = await receiver();
    to.behave = (_, response) => {
      response.statusCode = 400;
      response.end();
    };
    const hook = await subscribe(to);
    for (let n = 0; n < 10; n++) await note();
    const path = `/v1/webhooks/${String(hook['id'])}`;
    await until(async () => (await get(path))['circuitState'] === 'open');
    expect(to.received).toHaveLength(10);
    await note();
    await until(async () => (await dlq(hook)).some(({ reason }) => reason === 'circuit_open'));
    expect(to.received).toHaveLength(10);
    to.behave = (_, response) => void response.end();
    const ping = await api.world.admin.post(`${path}/ping`);
    expect(ping.body).toMatchObject({ status: 'DELIVERED', eventSequence: 0 });
    expect(await get(path)).toMatchObject({ circuitState: 'open', consecutiveFailures: 10 });
    const closed = await api.world.platform.patch(
      `/v1/admin/webhooks/${String(hook['id'])}/circuit-breaker`,
      { state: 'closed' },
    );
    expect(closed.body).toMatchObject({ circuitState: 'closed', consecutiveFailures: 0 });
    const all = await api.world.admin.post(`${path}/dlq/retry-all`);
    expect(all.body).toMatchObject({ retried: 11, skippedInactive: 0 });
    await until(() => to.received.length === 22);
    expect(new Set(to.ids).size).toBe(12);
  });
});

describe('what waits', () => {
  it.each(['DELETE', 'PATCH', 'deactivation of its owner'])('goes to the DLQ by %s', async (by) => {
    const to = await receiver();
    // No second attempt is due while the test goes on.
    to.behave = (_, response) => void response.writeHead(503, { 'retry-after': '200' }).end();
    const { admin, orgId } = api.world;
    const owner = await addAgent(admin, orgId, `owner-${by.slice(0, 5)}`);
    const hook = await ok(
      owner.client.post('/v1/webhooks', { url: to.url, eventTypes: ['record.recorded'] }),
    );
    await ok(owner.client.post('/v1/records', { type: 'note', criteria: {} }));
    await until(async () => (await deliveries(hook))[0]?.['status'] === 'FAILED');
    const path = `/v1/webhooks/${String(hook['id'])}`;
    if (by === 'DELETE')
      expect(await ok(admin.call('DELETE', path))).toMatchObject({ deadLetters: 1 });
    else if (by === 'PATCH') await ok(admin.patch(path, { isActive: false }));
    else await ok(admin.post(`/v1/admin/agents/${owner.id}/deactivate`, { reason: 'gone' }));
    await until(async () => (await dlq(hook)).length === 1);
    expect((await dlq(hook))[0]).toMatchObject({
      reason: 'subscription_inactive',
      attempts: 1,
      lastStatus: 503,
    });
    expect((await deliveries(hook))[0]).toMatchObject({ status: 'DEAD_LETTER' });
  });
});

/** While another worker seems to hold a subscription, nobody reads its events. */
const unread = async (hook: Body, act: () => Promise<unknown>): Promise<void> => {
  const work = api.service.container.get(TOKENS.unitOfWork);
  const [id, token] = [String(hook['id']), crypto.randomUUID()];
  await until(async () =>
    Boolean(await work.transaction(({ deliveries }) => deliveries.claim(id, token, LEASE_MS))),
  );
  try {
    await act();
  } finally {
    await work.transaction(async ({ webhooks, deliveries }) => {
      await deliveries.release(id, token);
      await webhooks.wake(id);
    });
  }
};

describe('what was not read when a subscription became inactive', () => {
  const pathOf = ({ id }: Body): string => `/v1/webhooks/${String(id)}`;
  const setActive = (hook: Body, isActive: boolean): Promise<unknown> =>
    ok(api.world.admin.patch(pathOf(hook), { isActive }));
  const idsOf = (letters: readonly Body[]): unknown[] =>
    letters.map(({ event }) => (event as Body)['recordId']).sort();

  it('goes to the DLQ, in its place, and what happens afterwards is nowhere', async () => {
    const to = await receiver();
    const hook = await subscribe(to);
    const before: Body[] = [];
    await unread(hook, async () => {
      before.push(await note(), await note());
      await setActive(hook, false);
      await note();
    });
    await until(async () => (await dlq(hook)).length === 2);
    const letters = await dlq(hook);
    expect(idsOf(letters)).toEqual(before.map(({ id }) => id).sort());
    for (const letter of letters)
      expect(letter).toMatchObject({ reason: 'subscription_inactive', attempts: 0 });
    // It is looked at once more, for what was committed late.
    const inAMinute = async (): Promise<number> => {
      const found = await api.service.container.get(TOKENS.webhookReads).find(String(hook['id']));
      return Date.parse(found!.reader.dueAt ?? '1970-01-01') - Date.now();
    };
    await until(async () => (await inAMinute()) > 30_000);
    expect(await inAMinute()).toBeLessThanOrEqual(60_000);
    await setActive(hook, true);
    const after = await note();
    await until(() => to.received.length > 0);
    expect(to.received.map(({ body }) => [body['recordId'], body['eventSequence']])).toEqual([
      [after['id'], 3],
    ]);
    expect(await dlq(hook)).toHaveLength(2);
  });

  it('goes there also where nobody looked before it was active again', async () => {
    const to = await receiver();
    const hook = await subscribe(to);
    const waited: Body[] = [];
    const after: Body[] = [];
    await unread(hook, async () => {
      waited.push(await note());
      await setActive(hook, false);
      await note();
      await setActive(hook, true);
      after.push(await note());
    });
    await until(() => to.received.length > 0);
    expect(to.received.map(({ body }) => body['recordId'])).toEqual(after.map(({ id }) => id));
    expect(idsOf(await dlq(hook))).toEqual(waited.map(({ id }) => id));
  });

  it('goes there when its receiver answers 410 to what was sent before', async () => {
    const to = await receiver();
    const waited: Body[] = [];
    to.behave = async (_, response) => {
      waited.push(await note(), await note());
      response.statusCode = 410;
      response.end();
    };
    const hook = await subscribe(to);
    await note();
    await until(async () => (await dlq(hook)).length === 3);
    const letters = await dlq(hook);
    expect(letters.map(({ reason }) => reason).sort()).toEqual([
      'gone',
      'subscription_inactive',
      'subscription_inactive',
    ]);
    expect(to.received).toHaveLength(1);
  });

  it('goes there where its owner was deactivated, and what happened in that time is never told', async () => {
    const to = await receiver();
    const { admin, platform, orgId } = api.world;
    const owner = await addAgent(admin, orgId, 'away-for-a-while');
    const hook = await ok(
      owner.client.post('/v1/webhooks', {
        url: to.url,
        eventTypes: ['record.recorded', 'record.cancelled', 'agent.reactivated'],
      }),
    );
    const job = await ok(owner.client.post('/v1/records', { type: 'job', criteria: GOAL }));
    const path = `/v1/admin/agents/${owner.id}`;
    await unread(hook, async () => {
      await ok(owner.client.post('/v1/records', { type: 'note', criteria: {} }));
      await ok(admin.post(`${path}/deactivate`, {}));
      await ok(admin.post(`/v1/records/${String(job['id'])}/cancel`, {}));
      await ok(platform.post(`${path}/reactivate`, {}));
    });
    await until(() => to.received.length > 0);
    expect(to.received.map(({ body }) => body['type'])).toEqual(['agent.reactivated']);
    expect((await dlq(hook)).map(({ eventType, reason }) => [eventType, reason])).toEqual([
      ['record.recorded', 'subscription_inactive'],
    ]);
  });
});

describe('who is told', () => {
  it('is who may read the event: a webhook of an agent gets what it is party to', async () => {
    const [mine, other] = [await receiver(), await receiver()];
    const hooks = [];
    for (const [client, to] of [
      [api.world.principal.client, mine],
      [api.world.performer.client, other],
    ] as const)
      hooks.push(
        await client.post('/v1/webhooks', {
          url: to.url,
          eventTypes: ['*'],
          recordTypes: ['note'],
        }),
      );
    expect(hooks.map(({ status }) => status)).toEqual([201, 201]);
    const record = await note();
    await until(() => mine.received.some(({ body }) => body['recordId'] === record['id']));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(other.received.filter(({ body }) => body['recordId'] === record['id'])).toEqual([]);
  });
});
