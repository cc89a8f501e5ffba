import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TakeDump } from '../../application/vault/take-dump.ts';
import { TOKENS } from '../../config/tokens.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../domain/verification/trust.ts';
import { databases, type TestDatabase } from '../support/databases.ts';
import { dumpCollector, sourceOf } from '../support/dump-files.ts';
import { EditedHub, type Row } from '../support/edited-hub.ts';
import { reasonsOf } from '../support/health.ts';
import { expectProblem } from '../support/problems.ts';
import {
  addAgent,
  Client,
  ok,
  unknownKey,
  type Answer,
  type Body,
  type World,
} from '../support/world.ts';

const LIMIT = 6;
const LIMITS = {
  RATE_LIMIT_AGENT: String(LIMIT),
  RATE_LIMIT_RECORDS_CREATE: '4',
  RATE_LIMIT_ADMIN: '900',
};
/** Another node, or this one after an edit behind it, learns of it within a second; the machine may be slow. */
const SOON = { timeout: 40_000, interval: 200 };

const pathOf = (ownerId: string): string => `/v1/admin/rate-limit-exemptions/${ownerId}`;
const exempt = (platform: Client, ownerId: string): Promise<Answer<Body>> =>
  platform.call<Body>('PUT', pathOf(ownerId));
const restore = (platform: Client, ownerId: string): Promise<Answer<Body>> =>
  platform.call<Body>('DELETE', pathOf(ownerId));
const hex = (value: unknown): string => `X'${Buffer.from(value as Uint8Array).toString('hex')}'`;
const idHex = (id: string): string => `X'${id.replaceAll('-', '')}'`;

/** Each answer of more calls than the limit, one after the other. */
const burst = async (client: Client): Promise<readonly Answer<Body>[]> => {
  const answers: Answer<Body>[] = [];
  for (let n = 0; n <= LIMIT; n++) answers.push(await client.get('/v1/auth/me'));
  return answers;
};
const lastOfBurst = async (client: Client): Promise<number> => (await burst(client)).at(-1)!.status;
const allPass = async (client: Client): Promise<void> =>
  expect((await burst(client)).map(({ status }) => status)).toEqual(Array(LIMIT + 1).fill(200));

describe.each(databases())('rate-limit exemptions on $name', (kind) => {
  let database: TestDatabase;
  let hub: EditedHub;
  let world: World;
  beforeAll(async () => {
    database = await kind.open();
    hub = await EditedHub.start(database, LIMITS);
    world = hub.world;
  }, 120_000);
  afterAll(async () => {
    await hub?.stop();
    await database?.drop();
  });

  let names = 0;
  const agent = () => addAgent(world.admin, world.orgId, `bulk-${names++}`);
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
    expect(given['nextSteps']).toMatchObject([{ method: 'DELETE', href: pathOf(bulk.id) }]);
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
    expectProblem(await platform.get(pathOf(id)), 404, 'NOT_FOUND');
    const before = [await entriesOf('RATE_LIMIT_EXEMPTED'), await entriesOf('RATE_LIMIT_RESTORED')];
    const given = await Promise.all([1, 2, 3].map(() => ok(exempt(platform, id))));
    expect(new Set(given.map(({ exemptedAt }) => exemptedAt)).size).toBe(1);
    const { ownerType, ownerId, exemptedAt } = given[0]!;
    expect(await ok(platform.get(pathOf(id)))).toEqual({ ownerType, ownerId, exemptedAt });
    await ok(restore(platform, id));
    expectProblem(await restore(platform, id), 404, 'NOT_FOUND');
    expectProblem(await platform.get(pathOf(id)), 404, 'NOT_FOUND');
    expect([
      await entriesOf('RATE_LIMIT_EXEMPTED'),
      await entriesOf('RATE_LIMIT_RESTORED'),
    ]).toEqual(before.map((count) => count + 1));
    await ok(exempt(platform, id));
  });

  it('404 for who is no agent, 403 for who is not of the platform, 401 without a credential', async () => {
    const stranger = randomUUID();
    for (const call of [exempt, restore])
      expectProblem(await call(world.platform, stranger), 404, 'NOT_FOUND', {
        detail: 'There is no such agent.',
      });
    const { id, client } = await agent();
    for (const call of [exempt, restore, (by: Client) => by.get(pathOf(id))]) {
      for (const by of [world.admin, client]) expect((await call(by, id)).status).toBe(403);
      expect((await call(world.anonymous, id)).status).toBe(401);
    }
    expectProblem(await world.platform.get(pathOf(id)), 404, 'NOT_FOUND');
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

  describe('edited behind the service', () => {
    const TABLE = 'rate_limit_exemptions';
    const exemptAgent = async () => {
      const made = await agent();
      await ok(exempt(world.platform, made.id));
      await allPass(made.client);
      const where = `owner_id = ${idHex(made.id)}`;
      return { ...made, where, row: await hub.row(TABLE, where) };
    };
    const insert = (row: Row): Promise<unknown> =>
      database.raw(
        `INSERT INTO ${TABLE} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row)
          .map((value) => (value instanceof Uint8Array ? hex(value) : String(value)))
          .join(', ')})`,
      );

    /** What the chain says reaches every node within a second. */
    const putBack = async (id: string, client: Client, row: Row): Promise<void> => {
      await insert(row);
      try {
        await expect
          .poll(async () => (await world.platform.get(pathOf(id))).body['reason'], SOON)
          .toBe('payload_drift');
        const known = await hub.service.container.get(TOKENS.rateLimitExemptionReads).owners();
        expect(known.has(id)).toBe(false);
        await expect.poll(() => lastOfBurst(client), SOON).toBe(429);
        await hub.elsewhere(async ({ url }) =>
          expect(await lastOfBurst(new Client(url, client.key))).toBe(429),
        );
      } finally {
        await hub.remove(TABLE, `owner_id = ${idHex(id)}`);
      }
    };

    it('a row that somebody adds exempts nobody, takes nothing from the others, and is told', async () => {
      const good = await exemptAgent();
      const other = await agent();
      await insert({
        ...good.row,
        owner_id: Buffer.from(other.id.replaceAll('-', ''), 'hex'),
      });
      try {
        // Long enough for every node to have read it.
        await expect
          .poll(async () => {
            await good.client.get('/v1/auth/me');
            return reasonsOf(hub.service);
          }, SOON)
          .toContain('row_tampered');
        expect(await lastOfBurst(other.client)).toBe(429);
        await allPass(good.client);
        expectProblem(await world.platform.get(pathOf(other.id)), 409, 'CONFLICT', {
          reason: 'payload_drift',
        });
        expectProblem(await exempt(world.platform, other.id), 409, 'CONFLICT', {
          reason: 'payload_drift',
        });
      } finally {
        await hub.remove(TABLE, `owner_id = ${idHex(other.id)}`);
      }
      await ok(exempt(world.platform, other.id));
      await allPass(other.client);
    });

    it('a row that is changed exempts neither whom it named nor whom it names', async () => {
      const [named, other] = [await exemptAgent(), await agent()];
      await hub.set(
        TABLE,
        'owner_id',
        Buffer.from(other.id.replaceAll('-', ''), 'hex'),
        named.where,
      );
      await expect.poll(() => lastOfBurst(named.client), SOON).toBe(429);
      expect(await lastOfBurst(other.client)).toBe(429);
      const now = `owner_id = ${idHex(other.id)}`;
      await hub.set(TABLE, 'owner_id', Buffer.from(named.id.replaceAll('-', ''), 'hex'), now);
      await expect.poll(async () => (await named.client.get('/v1/auth/me')).status, SOON).toBe(200);
    });

    it('whose row is deleted is limited as everybody is, until it is exempted anew', async () => {
      const { id, client, where } = await exemptAgent();
      await hub.remove(TABLE, where);
      await expect.poll(() => lastOfBurst(client), SOON).toBe(429);
      await ok(exempt(world.platform, id));
      await allPass(client);
    });

    it.each(['taken back', 'given anew and taken back'])(
      'an exemption whose row was deleted, and that was then %s, does not return with the row',
      async (since) => {
        const { id, client, where, row } = await exemptAgent();
        await hub.remove(TABLE, where);
        if (since !== 'taken back') await ok(exempt(world.platform, id));
        await ok(restore(world.platform, id));
        expectProblem(await restore(world.platform, id), 404, 'NOT_FOUND');
        await putBack(id, client, row);
      },
    );

    it('a row that was taken back and is put back exempts nobody', async () => {
      const { id, client, row } = await exemptAgent();
      await ok(restore(world.platform, id));
      await putBack(id, client, row);
    });
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
});
