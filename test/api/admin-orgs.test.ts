import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, TIMESTAMP, UUID } from '../support/stories/problems.ts';
import { Client, ok, type Body } from '../support/service/world.ts';

const api = useApi();
const create = (body: unknown, client = api.world.platform) => client.post('/v1/admin/orgs', body);

describe('POST /v1/admin/orgs', () => {
  it('201: an org with a slug of its name, and guidance', async () => {
    const { status, body } = await create({ name: 'Initech GmbH & Co.' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(UUID),
      name: 'Initech GmbH & Co.',
      slug: expect.stringMatching(/^[a-z][a-z0-9-]*$/),
      createdAt: expect.stringMatching(TIMESTAMP),
      managedBy: null,
    });
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['settings', 'nextSteps', 'suggestion']),
    );
    expect(body['bootstrapKey'] ?? null).toBeNull();
  });

  it.each([
    ['Ångström & Söhne', 'angstrom-sohne'],
    ['株式会社', 'zhu-shi-hui-she'],
    ['Москва Банк', 'moskva-bank'],
    ['Straße 7', 'strasse-7'],
    ["Baker's Dozen", 'bakers-dozen'],
    ['3M', 'org-3m'],
    ['42', 'org-42'],
    ['System', 'system-org'],
    ['👍', 'org-5d57d39e6b7d'],
    ['---', 'org-cb3f91d54eee'],
    [`${'long '.repeat(30)}x`, 'long-'.repeat(13).slice(0, 64)],
  ])('201: the slug of %s is %s', async (name, slug) => {
    expect((await ok(create({ name })))['slug']).toBe(slug);
  });

  it('201: every name has a slug that is taken as one', async () => {
    for (const name of [
      'שלום',
      'مرحبا',
      'ไทย',
      '한국',
      '\u{1d511}',
      ' ',
      '_',
      '0',
      '\u0301',
      '-a-',
      'ﬁ',
      '½',
    ]) {
      const { status, body } = await create({ name: `${name}` });
      expect({ name, status, slug: body['slug'] }).toEqual({
        name,
        status: 201,
        slug: expect.stringMatching(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/),
      });
    }
  });

  it('201 with bootstrapAdmin: the key of an admin agent of that org, which works at once', async () => {
    const { id, bootstrapKey } = await ok(
      create({ name: 'Umbrella', slug: 'umbrella', bootstrapAdmin: true }),
    );
    expect(bootstrapKey).toMatchObject({
      keyId: expect.stringMatching(UUID),
      apiKey: expect.stringMatching(/^svc_adm_[0-9A-Za-z]{49}$/),
      role: 'admin',
      expiresAt: null,
      scopeProfile: 'admin-standard',
    });
    const admin = new Client(api.world.url, bootstrapKey.apiKey as string);
    expect(await ok(admin.get('/v1/auth/me'))).toMatchObject({
      role: 'admin',
      orgId: id,
      ownerId: bootstrapKey.ownerId,
      apiKeyId: bootstrapKey.keyId,
    });
    expect((await admin.post('/v1/admin/agents', { name: 'first', orgId: id })).status).toBe(201);
  });

  it('409: a slug that is taken, also where two ask at once', async () => {
    await ok(create({ name: 'One', slug: 'taken' }));
    const { body } = await create({ name: 'Two', slug: 'taken' });
    expect(body).toMatchObject({ status: 409, type: '/problems/conflict' });
    const statuses = (
      await Promise.all([1, 2, 3, 4].map((at) => create({ name: `Race ${at}`, slug: 'race' })))
    )
      .map((answer) => answer.status)
      .sort();
    expect(statuses).toEqual([201, 409, 409, 409]);
  });

  it('two orgs of one name get different slugs, or the second is refused', async () => {
    const one = await ok(create({ name: 'Same Name' }));
    const two = await create({ name: 'Same Name' });
    expect(two.status === 409 || (two.status === 201 && two.body['slug'] !== one['slug'])).toBe(
      true,
    );
  });

  it.each<[string, Body]>([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name of numbers', { name: 5 }],
    ['a slug in capitals', { name: 'x', slug: 'Acme' }],
    ['an unknown member', { name: 'x', admin: true }],
  ])('400: %s', async (_case, body) => {
    expectProblem(await create(body), 400, 'VALIDATION_ERROR');
  });

  it.each(['service', 'platform', 'system', 'internal'])(
    'refused: the slug %s, which no publisher may have',
    async (slug) => {
      expect([400, 409, 422]).toContain((await create({ name: 'Sly', slug })).status);
    },
  );

  it('403 naming the role: an admin and an agent', async () => {
    for (const client of [api.world.admin, api.world.principal.client])
      expect(
        expectProblem(await create({ name: 'x' }, client), 403, 'FORBIDDEN')['detail'],
      ).toContain('platform');
  });
});

describe('GET /v1/admin/orgs', () => {
  it('200: all for the platform, by cursor', async () => {
    const { total } = await ok(api.world.platform.get('/v1/admin/orgs?limit=1'));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Body = await ok(
        api.world.platform.get(
          `/v1/admin/orgs?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
        ),
      );
      seen.push(...(page['data'] as Body[]).map((row) => String(row['id'])));
      cursor = page['nextCursor'];
    } while (cursor);
    expect({ seen: seen.length, different: new Set(seen).size }).toEqual({
      seen: total,
      different: total,
    });
    expect(seen).toContain(api.world.orgId);
  });

  it('200: its own alone for an admin', async () => {
    const { data, total } = await ok(api.world.admin.get('/v1/admin/orgs'));
    expect({ ids: (data as Body[]).map((row) => row['id']), total }).toEqual({
      ids: [api.world.orgId],
      total: 1,
    });
  });

  it('403: an agent', async () => {
    expectProblem(await api.world.principal.client.get('/v1/admin/orgs'), 403, 'FORBIDDEN');
  });
});
