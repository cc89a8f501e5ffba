import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { TakeDump } from '../../application/vault/take-dump.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { quickDatabases, type TestDatabase } from '../support/databases/databases.ts';
import { dumpCollector, sourceOf } from '../support/attackers/dump-files.ts';
import type { EditedHub } from '../support/attackers/edited-hub.ts';
import {
  allPass,
  burst,
  exempt,
  exemptionPath,
  lastOfBurst,
  LIMIT,
  restore,
  SOON,
  useLimitedHub,
} from '../support/service/exemptions.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';
import { Client, ok, unknownKey, type Body, type World } from '../support/service/world.ts';

const home = new Home();

describe.each(quickDatabases())('rate-limit exemptions on $name', (kind) => {
  let database: TestDatabase;
  let hub: EditedHub;
  let world: World;
  const limited = useLimitedHub(kind);
  const { agent } = limited;
  beforeAll(() => {
    ({ database, hub } = limited);
    ({ world } = hub);
  });
  const entriesOf = async (type: string): Promise<number> => {
    const [row] = await database.raw(
      `SELECT COUNT(*) AS n FROM chain_entries WHERE entry_type = '${type}'`,
    );
    return Number(row?.['n']);
  };

  it('an exempt agent calls as often as it likes, and answers name no limit; others are limited', async () => {
    const [bulk, other] = [await agent(), await agent()];
    const given = await ok(exempt(world.platform, bulk.id));
    expect(given).toMatchObject({ ownerType: 'agent', ownerId: bulk.id });
    expect(given['nextSteps']).toMatchObject([{ method: 'DELETE', href: exemptionPath(bulk.id) }]);
    const answers = await burst(bulk.client);
    expect(answers.map(({ status }) => status)).toEqual(Array(LIMIT + 1).fill(200));
    for (const { headers } of answers)
      for (const name of ['x-ratelimit-limit', 'ratelimit', 'ratelimit-policy', 'retry-after'])
        expect(headers.get(name)).toBeNull();
    expect(await lastOfBurst(other.client)).toBe(429);
  });

  it('neither the limit of creations nor the size of a bulk by it holds for an exempt agent', async () => {
    const { id, client } = await agent();
    const note = { type: 'note', criteria: {} };
    const five = Array(5).fill(note);
    expectProblem(await client.post('/v1/records/bulk', five), 413, 'PAYLOAD_TOO_LARGE');
    await ok(exempt(world.platform, id));
    expect((await client.post('/v1/records/bulk', five)).status).toBe(207);
    for (let n = 0; n < 5; n++) expect((await client.post('/v1/records', note)).status).toBe(201);
  });

  it('its calls take nothing from its org', async () => {
    const { id, client } = await agent();
    await ok(exempt(world.platform, id));
    const left = async (): Promise<number> =>
      Number((await world.admin.get('/v1/auth/me')).headers.get('x-ratelimit-remaining'));
    const before = await left();
    for (let n = 0; n < 5; n++) await allPass(client);
    expect(await left()).toBeGreaterThanOrEqual(before - 1);
  });

  it('a restored agent is limited again, and what it called while it was exempt is not counted', async () => {
    const { id, client } = await agent();
    await ok(exempt(world.platform, id));
    await allPass(client);
    const restored = await ok(restore(world.platform, id));
    expect(restored).toMatchObject({ ownerId: id, deleted: true });
    expect((await burst(client)).map(({ status }) => status)).toEqual([
      ...Array(LIMIT).fill(200),
      429,
    ]);
  });

  it('is shown, sealed once however often it is given, and can be taken back once', async () => {
    const { id } = await agent();
    const { platform } = world;
    expectProblem(await platform.get(exemptionPath(id)), 404, 'NOT_FOUND');
    const before = [await entriesOf('RATE_LIMIT_EXEMPTED'), await entriesOf('RATE_LIMIT_RESTORED')];
    const given = await Promise.all([1, 2, 3].map(() => ok(exempt(platform, id))));
    expect(new Set(given.map(({ exemptedAt }) => exemptedAt)).size).toBe(1);
    const { ownerType, ownerId, exemptedAt } = given[0]!;
    expect(await ok(platform.get(exemptionPath(id)))).toEqual({ ownerType, ownerId, exemptedAt });
    await ok(restore(platform, id));
    expectProblem(await restore(platform, id), 404, 'NOT_FOUND');
    expectProblem(await platform.get(exemptionPath(id)), 404, 'NOT_FOUND');
    expect([
      await entriesOf('RATE_LIMIT_EXEMPTED'),
      await entriesOf('RATE_LIMIT_RESTORED'),
    ]).toEqual(before.map((count) => count + 1));
    await ok(exempt(platform, id));
  });

  it('an end that nobody would keep is refused, not passed over', async () => {
    const { id } = await agent();
    const until = { expiresAt: '2027-01-01T00:00:00.000Z' };
    const answer = await world.platform.call<Body>('PUT', exemptionPath(id), until);
    expectProblem(answer, 400, 'VALIDATION_ERROR');
    expectProblem(await world.platform.get(exemptionPath(id)), 404, 'NOT_FOUND');
    await ok(world.platform.call('PUT', exemptionPath(id), {}));
  });

  it('404 for who is no agent, 403 for who is not of the platform, 401 without a credential', async () => {
    const stranger = randomUUID();
    for (const call of [exempt, restore])
      expectProblem(await call(world.platform, stranger), 404, 'NOT_FOUND', {
        detail: 'There is no such agent.',
      });
    const { id, client } = await agent();
    for (const call of [exempt, restore, (by: Client) => by.get(exemptionPath(id))]) {
      for (const by of [world.admin, client]) expect((await call(by, id)).status).toBe(403);
      expect((await call(world.anonymous, id)).status).toBe(401);
    }
    expectProblem(await world.platform.get(exemptionPath(id)), 404, 'NOT_FOUND');
  });

  it(
    'another node follows within about a second, both ways',
    () =>
      hub.elsewhere(async ({ url }) => {
        const { id, client } = await agent();
        const there = new Client(url, client.key);
        expect(await lastOfBurst(there)).toBe(429);
        await ok(exempt(world.platform, id));
        // Its window there stays full for most of a minute.
        await expect.poll(async () => (await there.get('/v1/auth/me')).status, SOON).toBe(200);
        await allPass(there);
        await ok(restore(world.platform, id));
        await expect.poll(() => lastOfBurst(there), SOON).toBe(429);
      }),
    120_000,
  );

  it('an address that failed too often shuts out an exempt agent that was not let in before, as everybody', async () => {
    const { id, client } = await agent();
    await ok(exempt(world.platform, id));
    await hub.elsewhere(
      async ({ url }) => {
        const guess = new Client(url, unknownKey());
        for (let n = 0; n < 3; n++) expect((await guess.get('/v1/auth/me')).status).toBe(401);
        const answer = await new Client(url, client.key).get('/v1/auth/me');
        expectProblem(answer, 429, 'RATE_LIMITED');
        expect(answer.body['detail']).toContain('failed authentications from this address');
      },
      { RATE_LIMIT_ANONYMOUS: 3 },
    );
  });

  it('each step is an entry of the platform chain, which verifies', async () => {
    const { id } = await agent();
    await ok(exempt(world.platform, id));
    await ok(restore(world.platform, id));
    const { write, texts } = dumpCollector();
    await hub.service.container.get(TakeDump).execute({ withRound: true, write });
    const trust = trustOf({
      kind: 'fingerprint',
      sha256Hex: hub.service.vault.fingerprint,
    });
    const report = await verifyDump(sourceOf(texts()), { trust });
    expect(report.verdict).toBe('valid');
    expect(await entriesOf('RATE_LIMIT_EXEMPTED')).toBeGreaterThan(
      await entriesOf('RATE_LIMIT_RESTORED'),
    );
  });

  it.skipIf(!hasTools('bash', 'curl'))('the commands of the guide do what it says', async () => {
    const { id, client } = await agent();
    const [commands] = Guide.of('operate').section('An agent that calls more').blocks('sh');
    const env = { HUB: world.url, AGENT: id, PLATFORM_KEY: world.platform.key! };
    const answers: Body[] = [];
    for (const command of commands!.trim().split('\n')) {
      const { stdout } = await home.bash(command, env);
      answers.push(JSON.parse(stdout) as Body);
      if (answers.length < 3) await allPass(client);
    }
    expect(answers).toMatchObject([{ ownerId: id }, { ownerId: id }, { deleted: true }]);
    expect(await lastOfBurst(client)).toBe(429);
  });
});
