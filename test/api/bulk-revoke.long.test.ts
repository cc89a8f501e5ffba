import { beforeAll, describe, expect, it } from 'vitest';
import { IssueKey } from '../../application/identity/issue-key.ts';
import { TOKENS } from '../../config/tokens.ts';
import { publishedBy } from '../support/clients/agent-keys.ts';
import { useApi } from '../support/service/api.ts';
import { longestGap } from '../support/service/event-loop-gap.ts';
import { keysOf, orgOfOne } from '../support/service/key-owners.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  addAgent,
  Client,
  createWorld,
  mintKey,
  ok,
  type Answer,
  type Body,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let world: World;
let globex: World;
beforeAll(async () => {
  world = api.world;
  globex = await createWorld(world.url, String(world.platform.key), 'Globex');
});
const sweep = (
  body: unknown,
  client: Client = world.admin,
  headers?: Record<string, string>,
): Promise<Answer<Body>> => client.post('/v1/admin/api-keys/bulk-revoke', body, headers);
const isOpen = async (client: Client): Promise<boolean> =>
  (await client.get('/v1/auth/me')).status === 200;
const newAgent = () => addAgent(world.admin, world.orgId, 'sweepable');
/** A key of an agent that is not stored yet. */
const issued = (ownerId: string) =>
  api.service.container.get(IssueKey).issue({
    role: 'agent',
    ownerId,
    orgId: world.orgId,
    label: null,
    scopes: ['records:read'],
    scopeProfile: null,
    allowedIps: null,
    expiresAt: null,
    createdAt: new Date().toISOString(),
    createdByKeyId: null,
    rotatedFromKeyId: null,
  });

describe('by keyIds', () => {
  it('200: says of each what became of it; keys of other orgs are not found and live on', async () => {
    const { id, client } = await newAgent();
    const [first, second, gone] = [
      await mintKey(world.admin, id, {}),
      await mintKey(world.admin, id, {}),
      await mintKey(world.admin, id, {}),
    ];
    await ok(world.admin.patch(`/v1/admin/api-keys/${gone.keyId}`, { isActive: false }));
    const foreign = await mintKey(globex.admin, globex.principal.id, {});
    const { apiKeyId: platformKey } = await ok(world.platform.get('/v1/auth/me'));
    const body = await ok(
      sweep({
        keyIds: [
          second.keyId,
          gone.keyId,
          foreign.keyId,
          NOBODY,
          platformKey,
          first.keyId,
          first.keyId,
        ],
        reason: 'in a log',
      }),
    );
    expect(body).toMatchObject({
      revoked: 2,
      keyIds: [second.keyId, first.keyId],
      alreadyRevoked: [gone.keyId],
      notFound: [foreign.keyId, NOBODY, platformKey],
      suggestion: expect.any(String),
      nextSteps: expect.any(Array),
    });
    expect(
      await Promise.all([first, second, foreign, { client }].map((one) => isOpen(one.client))),
    ).toEqual([false, false, true, true]);
    expect((await keysOf(world, id)).find(({ keyId }) => keyId === first.keyId)).toMatchObject({
      isActive: false,
      revocationReason: 'in a log',
      revokedByKeyId: (await ok(world.admin.get('/v1/auth/me')))['apiKeyId'],
      revokedAt: expect.any(String),
    });
  });

  it('seals an API_KEY_REVOKED and tells a key.revoked for each', async () => {
    const { id } = await newAgent();
    const keys = [await mintKey(world.admin, id, {}), await mintKey(world.admin, id, {})];
    await ok(sweep({ keyIds: keys.map(({ keyId }) => keyId), reason: 'r' }));
    expect(
      publishedBy(api, id, 'API_KEY_REVOKED', 'key.revoked')
        .events.map((event) => event['apiKeyId'])
        .sort(),
    ).toEqual(keys.map(({ keyId }) => keyId).sort());
  });

  it('the platform reaches keys of several orgs in one call', async () => {
    const [ours, theirs] = [
      await mintKey(world.admin, world.principal.id, {}),
      await mintKey(globex.admin, globex.principal.id, {}),
    ];
    expect(
      (await ok(sweep({ keyIds: [ours.keyId, theirs.keyId] }, world.platform)))['revoked'],
    ).toBe(2);
  });

  it('the same call under an Idempotency-Key answers the same', async () => {
    const { keyId } = await mintKey(world.admin, world.principal.id, {});
    const call = () =>
      sweep({ keyIds: [keyId] }, world.admin, { 'idempotency-key': `sweep-${keyId}` });
    const first = await ok(call());
    expect(await ok(call())).toEqual(first);
    expect(first['revoked']).toBe(1);
  });
});

describe('by filters', () => {
  it('200: active keys that match all of them, never the calling key', async () => {
    const { id, client } = await newAgent();
    const { keyId } = await mintKey(world.admin, id, {});
    const body = await ok(sweep({ ownerId: id, role: 'agent' }));
    expect(body).toMatchObject({ revoked: 2, alreadyRevoked: [], notFound: [] });
    expect(body['keyIds']).toContain(keyId);
    expect(await isOpen(client)).toBe(false);
    expect(await ok(sweep({ ownerId: id }))).toMatchObject({ revoked: 0, keyIds: [] });
    const { admin, orgId, adminId } = await orgOfOne(world, 'Filters');
    const { keyId: second, client: other } = await mintKey(admin, adminId, { role: 'admin' });
    expect(await ok(sweep({ role: 'admin' }, admin))).toMatchObject({ keyIds: [second] });
    expect([await isOpen(admin), await isOpen(other)]).toEqual([true, false]);
    expect(orgId).not.toBe(world.orgId);
  });

  it('keys used before a time, and keys never used: neither is the other', async () => {
    const { id, client } = await newAgent();
    const { keyId: unused } = await mintKey(world.admin, id, {});
    await ok(client.get('/v1/auth/me'));
    await expect
      .poll(
        async () => (await keysOf(world, id)).filter((key) => key['lastUsedAt'] !== null).length,
      )
      .toBe(1);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(
      await ok(sweep({ ownerId: id, lastUsedBefore: '2020-01-01T00:00:00.000Z' })),
    ).toMatchObject({ revoked: 0 });
    expect(
      await ok(sweep({ ownerId: id, neverUsed: true, createdBefore: '2020-01-01T00:00:00.000Z' })),
    ).toMatchObject({ revoked: 0 });
    expect(await ok(sweep({ ownerId: id, neverUsed: true, createdBefore: soon }))).toMatchObject({
      keyIds: [unused],
    });
    expect(await isOpen(client)).toBe(true);
    expect(await ok(sweep({ ownerId: id, lastUsedBefore: soon }))).toMatchObject({ revoked: 1 });
  });

  it('an admin sweeps its own org alone', async () => {
    const { client } = await addAgent(globex.admin, globex.orgId, 'foreign');
    const { id, client: ours } = await newAgent();
    await ok(sweep({ ownerId: id, createdBefore: '2099-01-01T00:00:00.000Z' }));
    expect(await ok(sweep({ ownerId: globex.principal.id }))).toMatchObject({ revoked: 0 });
    expect([await isOpen(client), await isOpen(ours)]).toEqual([true, false]);
  });
});

describe('400', () => {
  it.each<[string, Body]>([
    ['neither keyIds nor a filter', {}],
    ['a reason alone', { reason: 'x' }],
    ['keyIds with a filter', { keyIds: [NOBODY], role: 'agent' }],
    [
      'keyIds with neverUsed false',
      { keyIds: [NOBODY], neverUsed: false, createdBefore: '2020-01-01T00:00:00.000Z' },
    ],
    ['neverUsed without createdBefore', { neverUsed: true }],
    ['no ids', { keyIds: [] }],
    ['an id that is no UUID', { keyIds: ['x'] }],
    ['101 ids', { keyIds: Array.from({ length: 101 }, () => NOBODY) }],
    ['a filter that is not taken', { isActive: true }],
    ['an org', { orgId: NOBODY, role: 'agent' }],
    ['a time that is none', { createdBefore: 'yesterday' }],
  ])('%s', async (_case, body) => {
    expectProblem(await sweep(body), 400, 'VALIDATION_ERROR');
    expectProblem(await sweep(body, world.platform), 400, 'VALIDATION_ERROR');
  });
});

describe('an org is not locked out', () => {
  it('403 before anything is revoked: by ids that hold every admin key, and by filters of the platform', async () => {
    const { admin, adminId, keyId, orgId } = await orgOfOne(world, 'Locked out');
    const worker = await addAgent(admin, orgId, 'worker');
    const second = await mintKey(admin, adminId, { role: 'admin' });
    const agentKey = (await keysOf(world, worker.id))[0]!['keyId'];
    expect(
      expectProblem(
        await sweep({ keyIds: [agentKey, keyId, second.keyId] }, admin),
        403,
        'FORBIDDEN',
      )['detail'],
    ).toContain('without an active admin key');
    expectProblem(await sweep({ keyIds: [keyId, second.keyId] }, world.platform), 403, 'FORBIDDEN');
    expectProblem(await sweep({ ownerId: adminId }, world.platform), 403, 'FORBIDDEN');
    expectProblem(
      await sweep({ role: 'admin', createdBefore: '2099-01-01T00:00:00.000Z' }, world.platform),
      403,
      'FORBIDDEN',
    );
    expect(
      await Promise.all(
        [admin, second.client, worker.client, world.admin, globex.admin].map(isOpen),
      ),
    ).toEqual([true, true, true, true, true]);
    expect((await sweep({ keyIds: [keyId] }, admin)).status).toBe(200);
    expect(await isOpen(second.client)).toBe(true);
  });

  it('of two sweeps at once that would take the last two admin keys, one is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { admin, adminId, keyId } = await orgOfOne(world, `Two sweeps ${round}`);
      const { keyId: other } = await mintKey(admin, adminId, { role: 'admin' });
      const statuses = (
        await Promise.all([
          sweep({ keyIds: [keyId] }, world.platform),
          sweep({ keyIds: [other] }, world.platform),
        ])
      ).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 403]);
    }
  });

  it('403: the platform does not revoke its last key in bulk', async () => {
    const { apiKeyId, ownerId } = await ok(world.platform.get('/v1/auth/me'));
    expectProblem(await sweep({ keyIds: [apiKeyId] }, world.platform), 403, 'FORBIDDEN');
    expect(await ok(sweep({ ownerId }, world.platform))).toMatchObject({ revoked: 0 });
    expect(await isOpen(world.platform)).toBe(true);
  });
});

describe('keys that provisioning files manage', () => {
  it('409 by name, and nothing is revoked; filters spare them', async () => {
    const { id, client } = await newAgent();
    const { keyId } = await mintKey(world.admin, id, {});
    const { unitOfWork } = api.service.container.get(TOKENS.sql);
    const managed = issued(id);
    await unitOfWork.transaction((stores) =>
      stores.apiKeys.insert({ ...managed.key, managedBy: 'provisioning' }),
    );
    const provisioned = new Client(world.url, managed.apiKey);
    expectProblem(await sweep({ keyIds: [keyId, managed.key.id] }), 409, 'PROVISIONING_MANAGED', {
      reason: 'PROVISIONING_MANAGED',
    });
    expectProblem(await provisioned.post('/v1/auth/keys/rotate'), 409, 'PROVISIONING_MANAGED');
    expectProblem(
      await world.admin.patch(`/v1/admin/api-keys/${managed.key.id}`, { isActive: false }),
      409,
      'PROVISIONING_MANAGED',
    );
    expect(await Promise.all([client, provisioned].map(isOpen))).toEqual([true, true]);
    expect((await ok(sweep({ ownerId: id })))['revoked']).toBe(2);
    expect(await isOpen(provisioned)).toBe(true);
  });
});

it(
  '10,000 keys: one call, in transactions short enough that others go on meanwhile',
  { timeout: 300_000 },
  async () => {
    const { id } = await newAgent();
    const { unitOfWork } = api.service.container.get(TOKENS.sql);
    for (let from = 0; from < 10; from++)
      await unitOfWork.transaction(async (stores) => {
        for (let n = 0; n < 1_000; n++) await stores.apiKeys.insert(issued(id).key);
      });
    const calls: { readonly body: Body; readonly ms: number }[] = [];
    const call = async (): Promise<void> => {
      const began = performance.now();
      const body = await ok(sweep({ ownerId: id }));
      calls.push({ body, ms: performance.now() - began });
    };
    let [slowest, meanwhile] = [0, 0];
    const gap = await longestGap(async () => {
      const sweeping = call();
      let done = false;
      void sweeping.finally(() => (done = true));
      while (!done) {
        const started = performance.now();
        await ok(world.principal.client.post('/v1/records', { type: 'note', criteria: {} }));
        slowest = Math.max(slowest, performance.now() - started);
        if (!done) meanwhile++;
      }
      await sweeping;
    });
    while (calls.at(-1)!.body['hint'] !== undefined && calls.length < 30) await call();
    process.stdout.write(
      `10,000 keys: longest gap ${Math.round(gap)} ms, ${meanwhile} notarized meanwhile, the slowest in ${Math.round(slowest)} ms, calls of ${calls.map(({ body, ms }) => `${body['revoked']} keys in ${Math.round(ms)} ms`).join(', ')}\n`,
    );
    // One key over: the agent's own. A call takes 10,000, or as many as 20 s allow, and says that there are more.
    for (const { body, ms } of calls.slice(0, -1)) {
      expect(body['hint']).toContain('More');
      expect(body['revoked'] === 10_000 || ms > 19_000).toBe(true);
    }
    expect(calls.reduce((sum, { body }) => sum + Number(body['revoked']), 0)).toBe(10_001);
    expect(gap).toBeLessThan(250);
    // In one transaction it would let one or two through, before it and behind it.
    expect(meanwhile).toBeGreaterThan(10);
  },
);
