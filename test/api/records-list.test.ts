import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  addAgent,
  createWorld,
  GOAL,
  ok,
  openDecided,
  openJob,
  proposeJob,
  sleep,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let world: World;
let globex: World;
let me: Client;
const made: Body = {};

const ids = (page: Body): string[] => (page['data'] as Body[]).map((row) => String(row['id']));
const list = (query: string, client = me): Promise<Body> => ok(client.get(`/v1/records?${query}`));

beforeAll(async () => {
  world = api.world;
  me = world.principal.client;
  globex = await createWorld(world.url, String(world.platform.key), 'Globex');
  made['note'] = await ok(
    me.post('/v1/records', {
      type: 'note',
      criteria: {},
      platform: 'desk',
      platformRef: 'INV-7_%',
    }),
  );
  made['active'] = await openJob(world);
  made['proposed'] = await proposeJob(world);
  made['failed'] = await openDecided(world, 'reject');
  made['foreign'] = await ok(
    globex.principal.client.post('/v1/records', { type: 'note', criteria: {} }),
  );
  await sleep(5);
  made['last'] = await ok(
    me.post('/v1/records', { type: 'note', criteria: {}, platformRef: 'INV-8' }),
  );
});

describe('a page', () => {
  it('has data, total, hasMore and nextCursor, newest first', async () => {
    const page = await list('');
    expect(page).toMatchObject({ total: 5, hasMore: false, nextCursor: null });
    expect(ids(page)).toEqual([
      made['last'].id,
      made['failed'].id,
      made['proposed'].id,
      made['active'].id,
      made['note'].id,
    ]);
  });

  it.each<[string, () => string, () => string[]]>([
    ['status', () => 'status=FAILED', () => [made['failed'].id]],
    ['type', () => 'type=note', () => [made['last'].id, made['note'].id]],
    ['publisher', () => 'publisher=nobody', () => []],
    [
      'principalAgentId',
      () => `principalAgentId=${world.principal.id}&type=note`,
      () => [made['last'].id, made['note'].id],
    ],
    [
      'performerAgentId',
      () => `performerAgentId=${world.performer.id}`,
      () => [made['failed'].id, made['proposed'].id, made['active'].id],
    ],
    ['parentRecordId', () => `parentRecordId=${NOBODY}`, () => []],
    ['rootRecordId', () => `rootRecordId=${made['active'].id}`, () => [made['active'].id]],
    ['platform', () => 'platform=desk', () => [made['note'].id]],
    ['platformRef', () => 'platformRef=INV-8', () => [made['last'].id]],
    ['disputed', () => 'disputed=true', () => []],
    ['createdFrom', () => `createdFrom=${made['last'].createdAt}`, () => [made['last'].id]],
    ['createdTo', () => `createdTo=${made['last'].createdAt}&type=note`, () => [made['note'].id]],
    ['updatedFrom', () => `updatedFrom=${made['last'].createdAt}`, () => [made['last'].id]],
    ['updatedTo', () => `updatedTo=${made['note'].createdAt}`, () => []],
    ['q as a prefix of the platformRef', () => 'q=INV-', () => [made['last'].id, made['note'].id]],
    ['q as a prefix of the id', () => `q=${made['active'].id}`, () => [made['active'].id]],
    [
      'q taken literally, % and _ included',
      () => `q=${encodeURIComponent('INV-7_%')}`,
      () => [made['note'].id],
    ],
    ['q where % alone matches nothing', () => `q=${encodeURIComponent('%')}`, () => []],
    ['two filters at once', () => 'type=note&platformRef=INV-8', () => [made['last'].id]],
  ])('filters by %s', async (_name, query, expected) => {
    const page = await list(query());
    expect(ids(page)).toEqual(expected());
    expect(page['total']).toBe(expected().length);
  });

  it('sorts by createdAt and updatedAt, both ways', async () => {
    const rising = ids(await list('sort=createdAt'));
    expect(rising).toEqual(ids(await list('sort=-createdAt')).reverse());
    expect(rising[0]).toBe(made['note'].id);
    expect(ids(await list('sort=updatedAt'))).toEqual(ids(await list('sort=-updatedAt')).reverse());
  });

  it('shows an agent what it is a party of, an admin its org, a platform key all', async () => {
    expect(ids(await list('', world.performer.client))).toEqual([
      made['failed'].id,
      made['proposed'].id,
      made['active'].id,
    ]);
    expect((await list('', world.admin))['total']).toBe(5);
    expect(ids(await list('', globex.admin))).toEqual([made['foreign'].id]);
    expect((await list('', world.platform))['total']).toBe(6);
    expect(ids(await list('', globex.performer.client))).toEqual([]);
  });
});

describe('orgId', () => {
  it('narrows the listing of a platform key to what an admin of the org would list', async () => {
    const of = (orgId: string) => list(`orgId=${orgId}`, world.platform);
    expect(ids(await of(globex.orgId))).toEqual([made['foreign'].id]);
    expect(ids(await of(world.orgId))).toEqual(ids(await list('', world.admin)));
    expect(ids(await of(NOBODY))).toEqual([]);
  });

  it('of its own org changes nothing for another key, and of another one is 403 with a sentence', async () => {
    for (const client of [world.admin, me])
      expect(ids(await list(`orgId=${world.orgId}`, client))).toEqual(ids(await list('', client)));
    for (const client of [world.admin, me])
      for (const orgId of [globex.orgId, NOBODY]) {
        const problem = expectProblem(
          await client.get(`/v1/records?orgId=${orgId}`),
          403,
          'FORBIDDEN',
          { allowedActors: ['platform'] },
        );
        expect(problem['detail']).toMatch(/^Only a platform key lists another org/);
        expect(problem['suggestion']).toContain(world.orgId);
      }
  });
});

describe('a walk by cursor', () => {
  it('meets each record once while others are created, on every page size', async () => {
    const walker = await addAgent(world.admin, world.orgId, 'walker');
    const originals: string[] = [];
    for (let round = 0; round < 23; round++)
      originals.push(
        String(
          (await ok(walker.client.post('/v1/records', { type: 'note', criteria: { round } })))[
            'id'
          ],
        ),
      );
    for (const limit of [1, 7, 23]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Body = await list(
          `limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
          walker.client,
        );
        expect(ids(page).length).toBeLessThanOrEqual(limit);
        expect(page['hasMore']).toBe(page['nextCursor'] !== null);
        seen.push(...ids(page));
        cursor = page['nextCursor'];
        if (seen.length < 20)
          await ok(walker.client.post('/v1/records', { type: 'note', criteria: { late: true } }));
      } while (cursor);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => originals.includes(id))).toEqual([...originals].reverse());
    }
  });

  it('meets each record once where many share a millisecond, rising and falling', async () => {
    const walker = await addAgent(world.admin, world.orgId, 'bulk-walker');
    await ok(
      walker.client.post(
        '/v1/records/bulk',
        Array.from({ length: 60 }, () => ({ type: 'note', criteria: {} })),
      ),
    );
    for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Body = await list(
          `limit=7&sort=${sort}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
          walker.client,
        );
        seen.push(...ids(page));
        cursor = page['nextCursor'];
      } while (cursor);
      expect({ sort, seen: seen.length, different: new Set(seen).size }).toEqual({
        sort,
        seen: 60,
        different: 60,
      });
    }
  });

  const firstCursor = async (client = me): Promise<string> =>
    String((await list('limit=2', client))['nextCursor']);

  it('goes on with another limit', async () => {
    expect(
      ids(await list(`limit=3&cursor=${encodeURIComponent(await firstCursor())}`)),
    ).toHaveLength(3);
  });

  it('400: a cursor of another caller, other filters or another sort', async () => {
    const cursor = encodeURIComponent(await firstCursor());
    expectProblem(
      await world.admin.get(`/v1/records?limit=2&cursor=${cursor}`),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await world.performer.client.get(`/v1/records?limit=2&cursor=${cursor}`),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await me.get(`/v1/records?limit=2&type=note&cursor=${cursor}`),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await me.get(`/v1/records?limit=2&sort=createdAt&cursor=${cursor}`),
      400,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await world.admin.get(
        `/v1/admin/agents?limit=2&cursor=${encodeURIComponent(await firstCursor(world.admin))}`,
      ),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('400: a cursor with any one character changed, cut or made up', async () => {
    const cursor = await firstCursor();
    const altered = [...cursor].map(
      (letter, at) => cursor.slice(0, at) + (letter === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    for (const bad of [
      ...altered,
      cursor.slice(0, -1),
      `${cursor}A`,
      'x',
      '',
      '%00',
      Buffer.from('{"id":1}').toString('base64url'),
    ]) {
      const { status } = await me.get(
        `/v1/records?limit=2&cursor=${bad === '%00' ? bad : encodeURIComponent(bad)}`,
      );
      expect({ bad, status }).toEqual({ bad, status: 400 });
    }
  });
});

describe('400', () => {
  it.each([
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'status=OPEN',
    'status=active',
    'principalAgentId=me',
    'disputed=maybe',
    'createdFrom=yesterday',
    'createdTo=2026-13-01T00:00:00Z',
    'sort=type',
    'sort=--createdAt',
    'cursor=',
    'statu=ACTIVE',
    'status=ACTIVE&status=FAILED',
    '__proto__=x',
  ])('%s', async (query) => {
    expectProblem(await me.get(`/v1/records?${query}`), 400, 'VALIDATION_ERROR');
  });

  it('an unknown query parameter is named, with the nearest known one', async () => {
    const problem = expectProblem(
      await me.get('/v1/records?statu=ACTIVE'),
      400,
      'VALIDATION_ERROR',
    );
    expect(JSON.stringify(problem)).toContain('statu');
    expect(JSON.stringify({ ...problem, instance: '' })).toMatch(/status\b/);
  });

  it('an unknown status lists the allowed ones', async () => {
    const { allowedValues } = expectProblem(
      await me.get('/v1/records?status=OPEN'),
      400,
      'VALIDATION_ERROR',
    );
    expect(allowedValues).toHaveLength(11);
  });
});

it('limit=200 is the most, and the default is 50', async () => {
  const many = await addAgent(world.admin, world.orgId, 'many');
  await ok(
    many.client.post(
      '/v1/records/bulk',
      Array.from({ length: 60 }, () => ({ type: 'note', criteria: {} })),
    ),
  );
  await ok(many.client.post('/v1/records', { type: 'job', criteria: GOAL }));
  expect((await list('', many.client))['data']).toHaveLength(50);
  expect((await list('limit=200', many.client))['data']).toHaveLength(61);
  expect((await list('limit=1', many.client))['total']).toBe(61);
});
