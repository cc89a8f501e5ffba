import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem, HEX_256 } from '../support/stories/problems.ts';
import {
  createWorld,
  ok,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let globex: World;
let names = 0;
beforeAll(async () => {
  globex = await createWorld(api.world.url, String(api.world.platform.key), 'Globex');
});

const fresh = (): string => `parcel-${String.fromCharCode(97 + (names % 26))}${names++}`;
const register = (extra: Body = {}, client: Client = api.world.admin): Promise<Body> =>
  ok(client.post('/v1/schemas', { type: fresh(), completionSchema: { type: 'object' }, ...extra }));
const exported = (query = '', client: Client = api.world.admin): Promise<Body> =>
  ok(client.get(`/v1/schemas/export${query}`));
const take = (bundle: unknown, client: Client = globex.admin, query = ''): Promise<Answer<Body>> =>
  client.post(`/v1/schemas/import${query}`, bundle);
const head = async (orgId: string): Promise<number> =>
  (await api.service.container.get(TOKENS.chainReads).head(`schema:${orgId}`))?.position ?? 0;

describe('GET /v1/schemas/export', () => {
  it('holds every manifest of the org with its digest, in one signed document', async () => {
    const { type, manifestDigest } = await register();
    const bundle = await exported('', api.world.principal.client);
    expect(bundle).toMatchObject({ formatVersion: '1.0', orgId: api.world.orgId });
    expect(Object.keys(bundle).sort()).toEqual([
      'coseSign1',
      'exportedAt',
      'formatVersion',
      'manifests',
      'orgId',
    ]);
    const { total } = await ok(api.world.admin.get('/v1/schemas?limit=1'));
    expect(bundle['manifests']).toHaveLength(total);
    expect(
      (bundle['manifests'] as Body[]).find((row) => row['manifest'].type === type),
    ).toMatchObject({
      manifestDigest,
      manifest: { publisher: 'acme', version: 1, gateMode: 'principal' },
    });
    expect(
      (bundle['manifests'] as Body[]).some((row) => row['manifest'].publisher === 'globex'),
    ).toBe(false);
  });

  it('a filter holds a part; nothing at all is a bundle too', async () => {
    const { type } = await register();
    expect((await exported(`?type=${type}`))['manifests']).toHaveLength(1);
    expect(await take(await exported('?type=never-registered'))).toMatchObject({
      status: 200,
      body: { created: [], unchanged: [], refused: [] },
    });
    expectProblem(await api.world.platform.get('/v1/schemas/export'), 403, 'ORG_REQUIRED');
  });
});

describe('POST /v1/schemas/import', () => {
  it('another org holds the manifests byte-identical, each with an entry of its own, and can use them', async () => {
    const { type, manifestDigest } = await register();
    await register({ type, title: 'second' });
    const before = await head(globex.orgId);
    const { status, body } = await take(await exported(`?type=${type}`));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      unchanged: [],
      refused: [],
      created: [
        {
          publisher: 'acme',
          type,
          version: 1,
          manifestDigest,
          status: 'active',
          signedStatement: {
            entryType: 'SCHEMA_IMPORTED',
            chainKey: `schema:${globex.orgId}`,
            position: before + 1,
          },
        },
        { version: 2, signedStatement: { position: before + 2 } },
      ],
    });
    const held = await ok(globex.admin.get(`/v1/schemas/${type}?version=1`));
    expect(held).toMatchObject({ publisher: 'acme', orgId: globex.orgId, manifestDigest });
    const record = await ok(globex.principal.client.post('/v1/records', { type, criteria: {} }));
    expect(record).toMatchObject({ publisher: 'acme', contractVersion: 2 });
    await ok(globex.principal.client.post(`/v1/records/${String(record['id'])}/cancel`, {}));
  });

  it('again changes nothing and writes nothing', async () => {
    const { type } = await register();
    const bundle = await exported(`?type=${type}`);
    await ok(take(bundle));
    const before = await head(globex.orgId);
    expect((await take(bundle)).body).toMatchObject({
      created: [],
      unchanged: [{ publisher: 'acme', type, version: 1, signedStatement: null }],
      refused: [],
    });
    expect(await head(globex.orgId)).toBe(before);
    expect((await take(bundle, api.world.admin)).body).toMatchObject({
      created: [],
      unchanged: [{ type }],
    });
  });

  it('the label keeps its owner: who imported cannot register under it', async () => {
    const { type } = await register();
    await ok(take(await exported(`?type=${type}`)));
    expectProblem(
      await globex.admin.post('/v1/schemas', { type, publisher: 'acme', completionSchema: {} }),
      409,
      'RESERVED_PUBLISHER_LABEL',
    );
  });

  it('a name under two publishers has to be pinned', async () => {
    const { type } = await register();
    await register({ type, title: 'our own' }, globex.admin);
    await ok(take(await exported(`?type=${type}`)));
    const create = (extra: Body = {}) =>
      globex.principal.client.post('/v1/records', { type, criteria: {}, ...extra });
    for (const answer of [
      await create(),
      await globex.admin.get(`/v1/schemas/${type}`),
      await globex.admin.patch(`/v1/schemas/${type}`, { status: 'disabled' }),
      await globex.admin.call('DELETE', `/v1/schemas/${type}`),
      await globex.principal.client.post(`/v1/schemas/${type}/validate`, { criteria: {} }),
    ])
      expectProblem(answer, 422, 'AMBIGUOUS_PUBLISHER', {
        type: '/problems/ambiguous-publisher',
        publishers: ['acme', 'globex'],
      });
    expect((await ok(create({ publisher: 'acme' })))['publisher']).toBe('acme');
    await ok(globex.admin.patch(`/v1/schemas/${type}?publisher=acme`, { status: 'disabled' }));
    expect((await ok(create()))['publisher']).toBe('globex');
  });

  it('422 SCHEMA_DIGEST_MISMATCH: a manifest was changed, with its digest or without; nothing is imported', async () => {
    const [one, other] = [await register(), await register()];
    const bundle = await exported();
    const manifests = (bundle['manifests'] as Body[]).filter((row) =>
      [one['type'], other['type']].includes(row['manifest'].type),
    );
    const changed = { ...manifests[1]!['manifest'], title: 'forged' };
    const before = await head(globex.orgId);
    const problem = expectProblem(
      await take({ ...bundle, manifests: [manifests[0], { ...manifests[1], manifest: changed }] }),
      422,
      'SCHEMA_DIGEST_MISMATCH',
      {
        type: '/problems/schema-digest-mismatch',
        existingDigest: manifests[1]!['manifestDigest'],
        recordType: manifests[1]!['manifest'].type,
        publisher: 'acme',
        version: 1,
      },
    );
    expect(problem['incomingDigest']).toMatch(HEX_256);
    expectProblem(
      await take({
        ...bundle,
        manifests: [manifests[0], { manifest: changed, manifestDigest: problem['incomingDigest'] }],
      }),
      422,
      'SCHEMA_DIGEST_MISMATCH',
    );
    expectProblem(
      await take({ ...bundle, manifests: [manifests[0]] }),
      422,
      'SCHEMA_DIGEST_MISMATCH',
    );
    expect(await head(globex.orgId)).toBe(before);
  });

  it('422: the signature is of nobody known, of another structure, or of another bundle', async () => {
    const { type, signedStatement } = await register();
    const bundle = await exported(`?type=${type}`);
    const bytes = Buffer.from(bundle['coseSign1'], 'base64');
    bytes[bytes.length - 1]! ^= 1;
    const others = await exported(
      `?type=${(await register({}, globex.admin))['type']}`,
      globex.admin,
    );
    for (const forged of [
      { ...bundle, coseSign1: bytes.toString('base64') },
      { ...bundle, coseSign1: '' },
      { ...bundle, coseSign1: signedStatement.coseSign1 },
      { ...bundle, coseSign1: others['coseSign1'] },
      { ...bundle, orgId: globex.orgId },
      { ...bundle, exportedAt: '2020-01-01T00:00:00.000Z' },
      { ...bundle, formatVersion: '2.0' },
    ])
      expectProblem(await take(forged), 422, 'VALIDATION_ERROR');
    expectProblem(await take({ ...bundle, coseSign1: '%%%' }), 400, 'VALIDATION_ERROR');
    expectProblem(await take({ ...bundle, extra: 1 }), 400, 'VALIDATION_ERROR');
    expectProblem(await globex.admin.get(`/v1/schemas/${type}`), 404, 'NOT_FOUND');
  });

  it('409 CONFLICTING_VERSION: one digest for a version on the whole hub, for importers and for the publisher', async () => {
    const { type, manifestDigest } = await register();
    const old = await exported(`?type=${type}`);
    await ok(api.world.admin.patch(`/v1/schemas/${type}`, { status: 'disabled' }));
    await ok(api.world.admin.call<Body>('DELETE', `/v1/schemas/${type}`));
    const anew = await register({ type, title: 'another' });
    expect(anew['version']).toBe(1);
    expectProblem(await take(old), 409, 'CONFLICTING_VERSION', {
      incomingDigest: manifestDigest,
      existingDigest: anew['manifestDigest'],
      errors: [expect.objectContaining({ path: '/manifests/0' })],
    });
    // Held by another org, a version stays what it is after its publisher deleted it.
    await ok(take(await exported(`?type=${type}`)));
    await ok(api.world.admin.patch(`/v1/schemas/${type}`, { status: 'disabled' }));
    await ok(api.world.admin.call<Body>('DELETE', `/v1/schemas/${type}`));
    expectProblem(
      await api.world.admin.post('/v1/schemas', {
        type,
        version: 1,
        title: 'third',
        completionSchema: { type: 'object' },
      }),
      409,
      'CONFLICTING_VERSION',
      { existingDigest: anew['manifestDigest'] },
    );
    expect((await register({ type, title: 'third' }))['version']).toBe(2);
  });

  it('of the same bundle imported twice at once, one import creates', async () => {
    const { type } = await register();
    const bundle = await exported(`?type=${type}`);
    const answers = await Promise.all([take(bundle), take(bundle), take(bundle)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => (answer.body['created'] as Body[]).length).sort()).toEqual([
      0, 0, 1,
    ]);
  });

  it('a platform key names the org; an agent may not', async () => {
    const { type } = await register();
    const bundle = await exported(`?type=${type}`);
    expectProblem(await take(bundle, api.world.platform), 403, 'ORG_REQUIRED');
    expectProblem(await take(bundle, globex.principal.client), 403, 'INSUFFICIENT_SCOPE');
    expect(
      (await ok(take(bundle, api.world.platform, `?orgId=${globex.orgId}`)))['created'],
    ).toHaveLength(1);
  });
});
