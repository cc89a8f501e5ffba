import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  addAgent,
  entryTypes,
  GOAL,
  mintKey,
  ok,
  openDelivered,
  openJob,
  proposeJob,
  type Body,
  type Client,
} from '../support/service/world.ts';

const api = useApi();
let keys = 0;
const fresh = (): string => `key-${keys++}`;
const note = { type: 'note', criteria: { a: 1 } };
const create = (key: string, body: unknown = note, client: Client = api.world.principal.client) =>
  client.post('/v1/records', body, { 'idempotency-key': key });
const total = async (): Promise<number> =>
  Number((await ok(api.world.platform.get('/v1/records?limit=1')))['total']);

describe('a duplicate', () => {
  it('gets the first answer again, with Idempotency-Replayed, and acts no more', async () => {
    const key = fresh();
    const before = await total();
    const first = await create(key);
    const again = await create(key);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect({
      status: again.status,
      body: again.body,
      location: again.headers.get('location'),
    }).toEqual({ status: 201, body: first.body, location: first.headers.get('location') });
    expect(await total()).toBe(before + 1);
  });

  it('has a request id of its own', async () => {
    const key = fresh();
    const first = await create(key);
    expect((await create(key)).headers.get('x-request-id')).not.toBe(
      first.headers.get('x-request-id'),
    );
  });

  it('422 with another body, which is not acted on', async () => {
    const key = fresh();
    await create(key);
    const before = await total();
    const { status, body } = await create(key, { ...note, criteria: { a: 2 } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ status: 422, retryable: false });
    expect(await total()).toBe(before);
    expect((await create(key)).headers.get('idempotency-replayed')).toBe('true');
  });

  it('is another request under another path, method or owner', async () => {
    const key = fresh();
    const { body } = await create(key);
    const performer = await create(key, note, api.world.performer.client);
    expect(performer.headers.get('idempotency-replayed')).toBeNull();
    expect(performer.body['id']).not.toBe(body['id']);
    const bulk = await api.world.principal.client.post('/v1/records/bulk', [note], {
      'idempotency-key': key,
    });
    expect({ status: bulk.status, replayed: bulk.headers.get('idempotency-replayed') }).toEqual({
      status: 207,
      replayed: null,
    });
  });

  it('is the same request under another key of the same owner', async () => {
    const key = fresh();
    const { body } = await create(key);
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {});
    const again = await create(key, note, client);
    expect({ id: again.body['id'], replayed: again.headers.get('idempotency-replayed') }).toEqual({
      id: body['id'],
      replayed: 'true',
    });
  });

  it('a replayed refusal names the first call in its body and this one in X-Request-ID', async () => {
    const refuse = (id: string) =>
      api.world.principal.client.post(
        '/v1/records',
        { type: 'no-such-type', criteria: {} },
        { 'idempotency-key': 'refused-once', 'x-request-id': id },
      );
    expect((await refuse('first')).body['requestId']).toBe('first');
    const again = await refuse('second');
    expect({
      requestId: again.body['requestId'],
      header: again.headers.get('x-request-id'),
      replayed: again.headers.get('idempotency-replayed'),
    }).toEqual({ requestId: 'first', header: 'second', replayed: 'true' });
  });

  it('role and scope are checked before any replay', async () => {
    const key = fresh();
    await create(key);
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    expectProblem(await create(key, note, client), 403, 'INSUFFICIENT_SCOPE');
    const gone = await mintKey(api.world.admin, api.world.principal.id, {});
    await ok(api.world.admin.patch(`/v1/admin/api-keys/${gone.keyId}`, { isActive: false }));
    expectProblem(await create(key, note, gone.client), 401, 'UNAUTHORIZED');
  });

  it('at once: one acts, the others are replayed or told to wait with 409 and Retry-After', async () => {
    for (let round = 0; round < 5; round++) {
      const key = fresh();
      const before = await total();
      const answers = await Promise.all(Array.from({ length: 12 }, () => create(key)));
      for (const answer of answers) {
        if (answer.status === 409) {
          expectProblem(answer, 409, 'CONFLICT');
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        } else expect(answer.status).toBe(201);
      }
      expect(
        new Set(
          answers
            .filter((answer) => answer.status === 201)
            .map((answer) => String(answer.body['id'])),
        ).size,
      ).toBe(1);
      expect(
        answers.filter(
          (answer) => answer.status === 201 && answer.headers.get('idempotency-replayed') === null,
        ),
      ).toHaveLength(1);
      expect(await total()).toBe(before + 1);
      expect((await create(key)).headers.get('idempotency-replayed')).toBe('true');
    }
  });

  it('at once with different bodies: one acts', async () => {
    const key = fresh();
    const before = await total();
    const statuses = (
      await Promise.all(
        Array.from({ length: 8 }, (_, a) => create(key, { ...note, criteria: { a } })),
      )
    ).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    for (const status of statuses) expect([201, 409, 422]).toContain(status);
    expect(await total()).toBe(before + 1);
  });
});

describe('another spelling of the path', () => {
  it.each(['/v1/records/', '/v1/%72ecords', '/v1/records?'])(
    '%s does not act a second time',
    async (path) => {
      const key = fresh();
      const first = await create(key);
      const before = await total();
      const again = await api.world.principal.client.post(path, note, { 'idempotency-key': key });
      if (again.status === 201)
        expect({
          id: again.body['id'],
          replayed: again.headers.get('idempotency-replayed'),
        }).toEqual({ id: first.body['id'], replayed: 'true' });
      else expect(again.status).toBe(404);
      expect(await total()).toBe(before);
    },
  );
});

describe('a refusal', () => {
  it('of 422 is kept, and stays what it was when the world has changed', async () => {
    const key = fresh();
    const body = { type: 'to-come', criteria: {} };
    expect((await create(key, body)).status).toBe(422);
    await ok(api.world.admin.post('/v1/schemas', { type: 'to-come', completionSchema: {} }));
    const again = await create(key, body);
    expect({ status: again.status, replayed: again.headers.get('idempotency-replayed') }).toEqual({
      status: 422,
      replayed: 'true',
    });
    expect((await create(fresh(), body)).status).toBe(201);
  });

  it('of 404 is kept', async () => {
    const { id } = await proposeJob(api.world);
    const stranger = await addAgent(api.world.admin, api.world.orgId, 'stranger');
    const key = fresh();
    const cancel = () =>
      stranger.client.post(`/v1/records/${id}/cancel`, undefined, { 'idempotency-key': key });
    expect((await cancel()).status).toBe(404);
    expect((await cancel()).headers.get('idempotency-replayed')).toBe('true');
  });

  it('of 403 for the side is not kept', async () => {
    const { id } = await openDelivered(api.world);
    const key = fresh();
    const cancel = () =>
      api.world.performer.client.post(`/v1/records/${id}/cancel`, undefined, {
        'idempotency-key': key,
      });
    expect((await cancel()).status).toBe(403);
    await ok(api.world.principal.client.post(`/v1/records/${id}/revision`));
    expect((await cancel()).status).toBe(200);
  });

  it('400: a key of 257 characters; 256 are taken', async () => {
    expectProblem(await create('x'.repeat(257)), 400, 'VALIDATION_ERROR');
    expect((await create('y'.repeat(256))).status).toBe(201);
  });
});

describe('every POST that acts', () => {
  it('a completion, a verdict and a cancel are done once', async () => {
    const { id } = await openJob(api.world);
    const once = async (client: Client, path: string, body?: unknown): Promise<Body> => {
      const key = fresh();
      const first = await client.post(path, body, { 'idempotency-key': key });
      const again = await client.post(path, body, { 'idempotency-key': key });
      expect(first.status).toBeLessThan(300);
      expect({
        status: again.status,
        body: again.body,
        replayed: again.headers.get('idempotency-replayed'),
      }).toEqual({ status: first.status, body: first.body, replayed: 'true' });
      return first.body;
    };
    const completion = await once(api.world.performer.client, `/v1/records/${id}/completions`, {
      evidence: { score: 9 },
    });
    await once(api.world.principal.client, `/v1/records/${id}/verdict`, {
      verdict: 'accept',
      completionId: completion['id'],
    });
    expect(await entryTypes(api.world.principal.client, id)).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'VERDICT_RENDERED',
      'SIGNAL_EMITTED',
    ]);
    const other = await openJob(api.world);
    await once(api.world.principal.client, `/v1/records/${other['id']}/cancel`);
    const auto = await openJob(api.world, { type: 'auto-job' });
    await once(api.world.performer.client, `/v1/records/${auto['id']}/completions`, {
      evidence: { score: 9 },
    });
    expect(await entryTypes(api.world.principal.client, auto['id'])).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'GATE_EVALUATED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('a bulk is done once, failures included', async () => {
    const key = fresh();
    const send = () =>
      api.world.principal.client.post(
        '/v1/records/bulk',
        [note, { type: 'nope', criteria: {} }, { type: 'job', criteria: GOAL }],
        { 'idempotency-key': key },
      );
    const before = await total();
    const first = await send();
    const again = await send();
    expect({
      status: again.status,
      body: again.body,
      replayed: again.headers.get('idempotency-replayed'),
    }).toEqual({ status: 207, body: first.body, replayed: 'true' });
    expect(await total()).toBe(before + 2);
  });

  it('a bulk at once acts once', async () => {
    const key = fresh();
    const before = await total();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() =>
        api.world.principal.client.post(
          '/v1/records/bulk',
          Array.from({ length: 10 }, () => note),
          { 'idempotency-key': key },
        ),
      ),
    );
    for (const { status } of answers) expect([207, 409]).toContain(status);
    expect(await total()).toBe(before + 10);
  });

  it('a schema and an agent are made once', async () => {
    for (const [path, body] of [
      ['/v1/schemas', { type: 'once', completionSchema: {} }],
      ['/v1/admin/agents', { name: 'once', orgId: api.world.orgId }],
    ] as const) {
      const key = fresh();
      const first = await api.world.admin.post(path, body, { 'idempotency-key': key });
      const again = await api.world.admin.post(path, body, { 'idempotency-key': key });
      expect({
        status: again.status,
        body: again.body,
        replayed: again.headers.get('idempotency-replayed'),
      }).toEqual({ status: 201, body: first.body, replayed: 'true' });
    }
  });
});

describe('a secret', () => {
  it('is never replayed: null, and a hint to rotate', async () => {
    for (const [client, path, body] of [
      [
        api.world.admin,
        '/v1/admin/api-keys',
        { role: 'agent', ownerType: 'agent', ownerId: api.world.principal.id },
      ],
      [
        (await mintKey(api.world.admin, api.world.performer.id, {})).client,
        '/v1/auth/keys/rotate',
        { gracePeriodSeconds: 600 },
      ],
    ] as const) {
      const key = fresh();
      const first = await client.post(path, body, { 'idempotency-key': key });
      const again = await client.post(path, body, { 'idempotency-key': key });
      expect(first.body['apiKey']).toEqual(expect.any(String));
      expect(again.body).toMatchObject({
        keyId: first.body['keyId'],
        apiKey: null,
        hint: expect.stringMatching(/rotat/i),
      });
      expect(JSON.stringify(again.body)).not.toContain(first.body['apiKey']);
    }
  });

  it('is not replayed where it is nested: the bootstrapKey of an org', async () => {
    const key = fresh();
    const send = () =>
      api.world.platform.post(
        '/v1/admin/orgs',
        { name: 'Secretive', bootstrapAdmin: true },
        { 'idempotency-key': key },
      );
    const first = await send();
    const again = await send();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body['bootstrapKey']).toMatchObject({
      keyId: first.body['bootstrapKey'].keyId,
      apiKey: null,
    });
    expect(JSON.stringify(again.body)).not.toContain(first.body['bootstrapKey'].apiKey);
  });

  it("a caller's own member of that name is data, and is replayed as it was", async () => {
    const key = fresh();
    const body = {
      type: 'note',
      criteria: { apiKey: 'not-a-key', secret: 'mine', certJws: 'x', nested: [{ secret: 1 }] },
    };
    const first = await create(key, body);
    const again = await create(key, body);
    expect(again.body['criteria']).toEqual(body.criteria);
    expect(again.body).toEqual(first.body);
  });
});
