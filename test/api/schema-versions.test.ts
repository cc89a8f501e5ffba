import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  addAgent,
  createWorld,
  GOAL,
  ok,
  openDecided,
  openJob,
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

const fresh = (): string => `kind-${String.fromCharCode(97 + (names % 26))}${names++}`;
const SCORE = { type: 'object', required: ['score'], properties: { score: { type: 'integer' } } };
const register = (extra: Body = {}, client: Client = api.world.admin): Promise<Body> =>
  ok(client.post('/v1/schemas', { type: fresh(), completionSchema: SCORE, ...extra }));
const patch = (
  type: unknown,
  status: string,
  query = '',
  client: Client = api.world.admin,
): Promise<Answer<Body>> => client.patch(`/v1/schemas/${String(type)}${query}`, { status });
const remove = (
  type: unknown,
  query = '',
  client: Client = api.world.admin,
): Promise<Answer<Body>> => client.call<Body>('DELETE', `/v1/schemas/${String(type)}${query}`);
const schemaEntries = async (orgId = api.world.orgId): Promise<number> =>
  (await api.service.container.get(TOKENS.chainReads).head(`schema:${orgId}`))!.position;

describe('GET /v1/schemas/{type}/versions', () => {
  it('lists every version, newest first, disabled ones too, and pages', async () => {
    const { type } = await register();
    for (const title of ['second', 'third']) await register({ type, title });
    await ok(patch(type, 'disabled', '?version=2'));
    const all = await ok(api.world.principal.client.get(`/v1/schemas/${type}/versions`));
    expect((all['data'] as Body[]).map((row) => [row['version'], row['status']])).toEqual([
      [3, 'active'],
      [2, 'disabled'],
      [1, 'active'],
    ]);
    const page = await ok(api.world.admin.get(`/v1/schemas/${type}/versions?limit=2`));
    expect(page).toMatchObject({ total: 3, hasMore: true });
    const rest = await ok(
      api.world.admin.get(
        `/v1/schemas/${type}/versions?limit=2&cursor=${encodeURIComponent(page['nextCursor'])}`,
      ),
    );
    expect((rest['data'] as Body[]).map((row) => row['version'])).toEqual([1]);
  });

  it('404 for a type that the org has no version of; 403 ORG_REQUIRED for a platform key that names no org', async () => {
    const { type } = await register({}, globex.admin);
    expectProblem(await api.world.admin.get(`/v1/schemas/${type}/versions`), 404, 'NOT_FOUND');
    expectProblem(
      await api.world.platform.get(`/v1/schemas/${type}/versions`),
      403,
      'ORG_REQUIRED',
    );
    expect(
      (await ok(api.world.platform.get(`/v1/schemas/${type}/versions?orgId=${globex.orgId}`)))[
        'total'
      ],
    ).toBe(1);
  });
});

describe('PATCH /v1/schemas/{type}', () => {
  it('disables every version, with one entry each, and again changes nothing', async () => {
    const { type, manifestDigest } = await register();
    await register({ type, title: 'second' });
    const before = await schemaEntries();
    const body = await ok(patch(type, 'disabled'));
    expect(body).toMatchObject({
      type,
      version: 2,
      status: 'disabled',
      versions: [
        { version: 2, status: 'disabled', signedStatement: { position: before + 2 } },
        {
          version: 1,
          status: 'disabled',
          signedStatement: {
            position: before + 1,
            entryType: 'SCHEMA_STATUS_CHANGED',
            chainKey: `schema:${api.world.orgId}`,
          },
        },
      ],
    });
    const statement = JSON.parse(
      Buffer.from(body['versions'][1].signedStatement.coseSign1, 'base64')
        .toString('latin1')
        .match(/\{"_type".*?"name":"[^"]*"\}\]\}/s)![0],
    ) as Body;
    expect(statement).toMatchObject({
      subject: [{ name: `schema/acme/${type}/1`, digest: { sha256: manifestDigest } }],
      predicate: {
        entryType: 'SCHEMA_STATUS_CHANGED',
        orgId: api.world.orgId,
        publisher: 'acme',
        type,
        version: 1,
        manifestDigest,
        status: 'disabled',
        actor: { kind: 'admin' },
      },
    });
    const again = await ok(patch(type, 'disabled'));
    expect(again).toMatchObject({
      status: 'disabled',
      signedStatement: null,
      versions: [{ signedStatement: null }, { signedStatement: null }],
    });
    expect(await schemaEntries()).toBe(before + 2);
  });

  it('takes effect at once: a disabled version takes no new records, records that pin it go on', async () => {
    const { type } = await register();
    const opened = await openJob(api.world, { type, criteria: {} });
    const create = () => api.world.principal.client.post('/v1/records', { type, criteria: {} });
    await ok(patch(type, 'disabled'));
    expectProblem(await create(), 422, 'VALIDATION_ERROR');
    await ok(
      api.world.performer.client.post(`/v1/records/${String(opened['id'])}/completions`, {
        evidence: { score: 1 },
      }),
    );
    await ok(patch(type, 'active'));
    expect((await create()).status).toBe(201);
  });

  it('with version, that one alone: the newest of the others is used', async () => {
    const { type } = await register();
    await register({ type, title: 'second' });
    await ok(patch(type, 'disabled', '?version=2'));
    expect(
      (await ok(api.world.principal.client.post('/v1/records', { type, criteria: {} })))[
        'contractVersion'
      ],
    ).toBe(1);
    expectProblem(
      await api.world.principal.client.post('/v1/records', {
        type,
        criteria: {},
        contractVersion: 2,
      }),
      422,
      'VALIDATION_ERROR',
      { allowedValues: [1] },
    );
  });

  it('the steps of a disabled version lead to that version alone', async () => {
    const { type } = await register();
    await register({ type, title: 'second' });
    await ok(patch(type, 'disabled'));
    const { data } = await ok(api.world.admin.get(`/v1/schemas/${type}/versions`));
    const steps = (data as Body[]).find(({ version }) => version === 1)!['nextSteps'] as Body[];
    const follow = (action: string, body?: Body): Promise<Body> => {
      const { method, href } = steps.find((step) => step['action'] === action)!;
      return ok(api.world.admin.call<Body>(method, href, body));
    };
    const statuses = async (): Promise<unknown[]> =>
      ((await ok(api.world.admin.get(`/v1/schemas/${type}/versions`)))['data'] as Body[]).map(
        (row) => [row['version'], row['status']],
      );
    await follow('enable', { status: 'active' });
    expect(await statuses()).toEqual([
      [2, 'disabled'],
      [1, 'active'],
    ]);
    await ok(patch(type, 'disabled', '?version=1'));
    await follow('delete');
    expect(await statuses()).toEqual([[2, 'disabled']]);
  });

  it('is for whoever may: 404 for another org, 403 for an agent, 400 for another status, 404 for an unknown version or publisher', async () => {
    const { type } = await register();
    expectProblem(await patch(type, 'disabled', '', globex.admin), 404, 'NOT_FOUND');
    expectProblem(
      await patch(type, 'disabled', '', api.world.principal.client),
      403,
      'INSUFFICIENT_SCOPE',
    );
    expectProblem(await patch(type, 'deleted'), 400, 'VALIDATION_ERROR', {
      allowedValues: ['active', 'disabled'],
    });
    expectProblem(await patch(type, 'disabled', '?version=9'), 404, 'NOT_FOUND');
    expectProblem(await patch(type, 'disabled', '?publisher=globex'), 404, 'NOT_FOUND');
    expectProblem(await patch(type, 'disabled', '', api.world.platform), 403, 'ORG_REQUIRED');
    expect(
      (await ok(patch(type, 'disabled', `?orgId=${api.world.orgId}`, api.world.platform)))[
        'status'
      ],
    ).toBe('disabled');
  });

  it('disabling and enabling at once is one after the other, and each is sealed', async () => {
    const { type } = await register();
    const before = await schemaEntries();
    const answers = await Promise.all(
      ['disabled', 'active', 'disabled', 'active', 'disabled'].map((status) =>
        ok(patch(type, status)),
      ),
    );
    const sealed = answers
      .filter((answer) => answer['signedStatement'] !== null)
      .map((answer) => answer['signedStatement'].position as number);
    expect(new Set(sealed).size).toBe(sealed.length);
    expect(await schemaEntries()).toBe(before + sealed.length);
    const last = answers.find(
      (answer) => answer['signedStatement']?.position === before + sealed.length,
    )!;
    expect((await ok(api.world.admin.get(`/v1/schemas/${type}`)))['status']).toBe(last['status']);
  });
});

describe('DELETE /v1/schemas/{type}', () => {
  it('409 STATUS_NOT_DISABLED while a version of it is active', async () => {
    const { type } = await register();
    await register({ type, title: 'second' });
    expectProblem(await remove(type), 409, 'STATUS_NOT_DISABLED', {
      reason: 'STATUS_NOT_DISABLED',
      recordType: type,
    });
    await ok(patch(type, 'disabled', '?version=2'));
    expectProblem(await remove(type), 409, 'STATUS_NOT_DISABLED');
  });

  it('409 RECORDS_REFERENCE_TYPE with how many, while records pin it', async () => {
    const { type } = await register({ criteriaSchema: { type: 'object' } });
    for (let i = 0; i < 3; i++) await openJob(api.world, { type, criteria: GOAL });
    // A record of the same name in another org is none of this one.
    await register({ type }, globex.admin);
    await openJob(globex, { type, criteria: GOAL });
    await ok(patch(type, 'disabled'));
    expectProblem(await remove(type), 409, 'RECORDS_REFERENCE_TYPE', {
      reason: 'RECORDS_REFERENCE_TYPE',
      pinnedRecords: 3,
      unattributableRecords: 0,
      recordType: type,
    });
    expect((await api.world.admin.get(`/v1/schemas/${type}`)).status).toBe(200);
  });

  it('200 {id, deleted} once it is disabled and unused: the row goes, the chain keeps it, and the version can come anew', async () => {
    const { type } = await register();
    await register({ type, title: 'second' });
    await ok(patch(type, 'disabled'));
    const body = await ok(remove(type));
    expect(body).toMatchObject({
      id: type,
      deleted: true,
      publisher: 'acme',
      versions: [{ version: 2 }, { version: 1, signedStatement: { entryType: 'SCHEMA_DELETED' } }],
    });
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['suggestion', 'nextSteps']));
    expectProblem(await api.world.admin.get(`/v1/schemas/${type}`), 404, 'NOT_FOUND');
    expectProblem(await remove(type), 404, 'NOT_FOUND');
    expectProblem(
      await api.world.principal.client.post('/v1/records', { type, criteria: {} }),
      422,
      'VALIDATION_ERROR',
    );
    expect((await register({ type, title: 'anew' }))['version']).toBe(1);
    expect(
      (await api.world.principal.client.post('/v1/records', { type, criteria: {} })).status,
    ).toBe(201);
  });

  it('of two deletions at once, one deletes', async () => {
    const { type } = await register();
    await ok(patch(type, 'disabled'));
    expect(
      (await Promise.all([remove(type), remove(type)])).map((answer) => answer.status).sort(),
    ).toEqual([200, 404]);
  });

  it('a deletion never takes the manifest from a record, however close they come', async () => {
    for (let round = 0; round < 3; round++) {
      const { type } = await register();
      const creations = Array.from({ length: 20 }, () =>
        api.world.principal.client.post('/v1/records', {
          type,
          criteria: {},
          performerAgentId: api.world.performer.id,
          autoActivate: true,
        }),
      );
      const [removed, ...created] = await Promise.all([
        patch(type, 'disabled').then(() => remove(type)),
        ...creations,
      ]);
      const made = created.filter((answer) => answer.status === 201);
      if (removed.status === 200) expect(made).toHaveLength(0);
      for (const { body } of made)
        expect(
          (
            await api.world.performer.client.post(`/v1/records/${String(body['id'])}/completions`, {
              evidence: { score: 1 },
            })
          ).status,
        ).toBe(201);
    }
  });
});

it('an edited manifest is not sealed again by a change of its status', async () => {
  const { type } = await register();
  const { unitOfWork } = api.service.container.get(TOKENS.sql);
  await unitOfWork.transaction(async (stores) => {
    const [row] = await stores.recordTypes.ofName(api.world.orgId, String(type));
    await stores.recordTypes.remove(row!.id);
    await stores.recordTypes.insert({ ...row!, manifest: { ...row!.manifest, maxRevisions: 99 } });
  });
  expectProblem(await patch(type, 'disabled'), 409, 'CONFLICT', { reason: 'payload_drift' });
});

describe('POST /v1/schemas/{type}/validate', () => {
  const validate = (
    type: string,
    body: Body,
    client: Client = api.world.principal.client,
    query = '',
  ): Promise<Answer<Body>> => client.post(`/v1/schemas/${type}/validate${query}`, body);

  it('says of content what creation, submission and the gates would say, and stores nothing', async () => {
    const before = await ok(api.world.admin.get('/v1/records?limit=1'));
    const fits = await ok(validate('job', { criteria: GOAL, evidence: { score: 9 } }));
    expect(fits).toMatchObject({
      valid: true,
      recordType: 'job',
      publisher: 'acme',
      version: 1,
      criteria: { valid: true, errors: [] },
      evidence: { valid: true },
      gates: { state: 'ADVISORY_PASSED', results: [{ gateId: 'score', outcome: 'pass' }] },
    });
    const fails = await ok(validate('job', { criteria: GOAL, evidence: { score: 1 } }));
    expect(fails).toMatchObject({
      valid: false,
      gates: { state: 'ADVISORY_FAILED', results: [{ gateId: 'score', outcome: 'fail' }] },
    });
    const broken = await ok(validate('job', { evidence: { score: 'high' } }));
    const { body: refusal } = await api.world.performer.client.post(
      `/v1/records/${String((await openJob(api.world))['id'])}/completions`,
      { evidence: { score: 'high' } },
    );
    expect(broken).toMatchObject({
      valid: false,
      criteria: null,
      gates: null,
      evidence: {
        valid: false,
        detail: refusal['detail'],
        errors: refusal['errors'],
        requiredFields: refusal['requiredFields'],
        optionalFields: refusal['optionalFields'],
        examplePayload: refusal['examplePayload'],
      },
    });
    expect((await ok(api.world.admin.get('/v1/records?limit=1')))['total']).toBe(
      before['total'] + 1,
    );
  });

  it('judges the version that is named, and the one that a party of a record pins', async () => {
    const { type } = await register();
    await register({ type, completionSchema: { type: 'object' }, compatibilityMode: 'none' });
    expect((await ok(validate(type, { evidence: {} })))['valid']).toBe(true);
    expect(
      (await ok(validate(type, { evidence: {} }, api.world.principal.client, '?version=1')))[
        'valid'
      ],
    ).toBe(false);
    const stranger = await addAgent(globex.admin, globex.orgId, 'stranger');
    expectProblem(
      await validate(type, { evidence: {} }, stranger.client, '?version=1&publisher=acme'),
      404,
      'NOT_FOUND',
    );
    await openJob(api.world, {
      type,
      criteria: {},
      contractVersion: 1,
      performerAgentId: stranger.id,
      autoActivate: false,
    });
    expect(
      (await ok(validate(type, { evidence: {} }, stranger.client, '?version=1&publisher=acme')))[
        'valid'
      ],
    ).toBe(false);
  });

  it('evidence for a notarize-only type is told to be of no use', async () => {
    expect(await ok(validate('note', { criteria: {}, evidence: {} }))).toMatchObject({
      valid: false,
      criteria: { valid: true },
      evidence: { valid: false, errors: [{ path: '/evidence', keyword: 'notarize-only' }] },
      gates: null,
    });
  });

  it('400 for an empty body and for unknown members; the answer of an Idempotency-Key is replayed', async () => {
    expectProblem(await validate('job', {}), 400, 'VALIDATION_ERROR');
    expectProblem(await validate('job', { evidense: {} }), 400, 'VALIDATION_ERROR');
    const send = () =>
      api.world.principal.client.post<Body>(
        '/v1/schemas/job/validate',
        { criteria: GOAL, evidence: { score: 9 } },
        { 'Idempotency-Key': 'dry-run-1' },
      );
    const first = await send();
    expect((await send()).body).toEqual(first.body);
  });
});

describe('GET /schemas/{publisher}/{type}/{version}/{name}.json', () => {
  const read = (path: string) => api.world.anonymous.get(path);

  it('gives the schemas of a public type to anyone, under the links of the type', async () => {
    const criteriaSchema = {
      type: 'object',
      required: ['goal'],
      properties: { goal: { type: 'string' } },
    };
    const { type, schemaUrls } = await register({ public: true, criteriaSchema });
    expect(schemaUrls).toMatchObject({
      criteria: `/schemas/acme/${type}/1/criteria.json`,
      completion: `/schemas/acme/${type}/1/completion.json`,
    });
    const criteria = await read(schemaUrls.criteria);
    expect([
      criteria.status,
      criteria.body,
      criteria.headers.get('content-type'),
      criteria.headers.get('cache-control'),
    ]).toEqual([
      200,
      criteriaSchema,
      expect.stringContaining('application/schema+json'),
      'public, max-age=300',
    ]);
    expect((await read(schemaUrls.completion)).body).toEqual(SCORE);
    await ok(patch(type, 'disabled'));
    expect((await read(schemaUrls.criteria)).status).toBe(200);
  });

  it('refusals of content of a public type link there; those of another type link to the type', async () => {
    const { type } = await register({
      public: true,
      criteriaSchema: { type: 'object', required: ['goal'] },
    });
    expect(
      (await api.world.principal.client.post('/v1/records', { type, criteria: {} })).body[
        'schemaUrl'
      ],
    ).toBe(`/schemas/acme/${type}/1/criteria.json`);
    const { id } = await openJob(api.world, { type, criteria: { goal: 'g' } });
    expect(
      (
        await api.world.performer.client.post(`/v1/records/${String(id)}/completions`, {
          evidence: {},
        })
      ).body['schemaUrl'],
    ).toBe(`/schemas/acme/${type}/1/completion.json`);
    expect(
      (await api.world.principal.client.post('/v1/records', { type: 'job', criteria: {} })).body[
        'schemaUrl'
      ],
    ).toBe('/v1/schemas/job?publisher=acme&version=1');
  });

  it('a type that is not public looks like one that is missing', async () => {
    const { type, schemaUrls } = await register();
    expect(Object.keys(schemaUrls as Body)).toEqual(['manifest']);
    const hidden = expectProblem(
      await read(`/schemas/acme/${type}/1/criteria.json`),
      404,
      'NOT_FOUND',
    );
    for (const path of [
      '/schemas/acme/never-registered/1/criteria.json',
      `/schemas/acme/${type}/7/criteria.json`,
      `/schemas/acme/${type}/0/criteria.json`,
      `/schemas/acme/${type}/one/criteria.json`,
      `/schemas/acme/${type}/99999999999999999/criteria.json`,
    ]) {
      const missing = expectProblem(await read(path), 404, 'NOT_FOUND');
      expect({ ...missing, instance: '', requestId: '' }).toEqual({
        ...hidden,
        instance: '',
        requestId: '',
      });
    }
  });
});

it('a record that was decided under a disabled type can still be read and exported', async () => {
  const { type } = await register();
  const { id } = await openDecided(api.world, 'accept', { type, criteria: {} });
  await ok(patch(type, 'disabled'));
  expect(
    (await ok(api.world.principal.client.get(`/v1/records/${id}/audit-export`)))['record'].status,
  ).toBe('FULFILLED');
});
