import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { decode, type Tag } from 'cbor2';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, HEX_256, NOBODY, TIMESTAMP, UUID } from '../support/stories/problems.ts';
import {
  addAgent,
  chainOf,
  createWorld,
  GOAL,
  ok,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let world: World;
let me: Client;
let globex: World;

beforeAll(async () => {
  world = api.world;
  me = world.principal.client;
  globex = await createWorld(world.url, String(world.platform.key), 'Globex');
});

const create = (body: unknown, client = me) => client.post('/v1/records', body);
const job = (extra: Body = {}): Body => ({ type: 'job', criteria: GOAL, ...extra });
const count = async (): Promise<number> =>
  Number((await ok(world.platform.get('/v1/records?limit=1')))['total']);
const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');
const statementOf = (record: Body): Body => {
  const [, , payload] = decode<Tag>(
    Buffer.from(String(record['signedStatement'].coseSign1), 'base64'),
  ).contents as [unknown, unknown, Uint8Array];
  return JSON.parse(Buffer.from(payload).toString('utf8')) as Body;
};

const RECORD_MEMBERS = [
  'id',
  'orgId',
  'type',
  'publisher',
  'contractVersion',
  'manifestDigest',
  'platform',
  'platformRef',
  'gateMode',
  'operatingMode',
  'status',
  'criteria',
  'criteriaHash',
  'principalAgentId',
  'performerAgentId',
  'parentRecordId',
  'rootRecordId',
  'depth',
  'awaiting',
  'revisionCount',
  'maxRevisions',
  'latestCompletionId',
  'disputed',
  'openDisputeId',
  'disputeCount',
  'counterProposal',
  'references',
  'onBehalfOf',
  'federation',
  'expiresAt',
  'createdAt',
  'activatedAt',
  'terminalAt',
  'updatedAt',
  'version',
  'signedStatement',
  'nextActions',
  'validTransitions',
  'suggestion',
  'hint',
  'nextSteps',
];

describe('a notarize-only type', () => {
  it('201: the record is RECORDED in the one call, with its Location and every member', async () => {
    const criteria = { z: 1, a: [true, null, 'ünïcode \u2028'], n: { b: 1.5, a: 1e21 } };
    const { status, body, headers } = await create({
      type: 'note',
      contractVersion: 1,
      platform: 'desk',
      criteria,
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/records/${body['id']}`);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(RECORD_MEMBERS));
    expect(body).toMatchObject({
      status: 'RECORDED',
      platform: 'desk',
      criteria,
      principalAgentId: world.principal.id,
      performerAgentId: null,
      orgId: world.orgId,
      rootRecordId: body['id'],
      depth: 0,
      awaiting: null,
      validTransitions: [],
      nextActions: [],
      activatedAt: null,
    });
    expect(body['terminalAt']).toMatch(TIMESTAMP);
    expect((await ok(me.get(String(headers.get('location')))))['criteria']).toEqual(criteria);
  });

  it('criteriaHash is SHA-256 over the RFC 8785 form, by another implementation', async () => {
    const criteria = {
      '\u20ac': 1,
      '\r': 2,
      '1': 3,
      '😀': 4,
      ö: [5.5, 1e-7, 333333333.3333333, 0],
    };
    const { body } = await create({ type: 'note', criteria });
    expect(body['criteriaHash']).toBe(sha256(canonicalize(criteria)!));
  });

  it('the signed statement names the first entry, and its hash is that of the bytes', async () => {
    const { body, headers } = await create({ type: 'note', criteria: { a: 1 } });
    const seal = body['signedStatement'] as Body;
    expect(seal).toEqual({
      chainKey: body['id'],
      position: 1,
      entryType: 'RECORD_RECORDED',
      hash: expect.stringMatching(HEX_256),
      previousHash: '0'.repeat(64),
      signingKeyId: expect.stringMatching(/^[0-9a-f]{32}$/),
      algorithm: 'Ed25519',
      canonicalization: 'jcs',
      coseSign1: expect.any(String),
    });
    expect(seal['hash']).toBe(sha256(Buffer.from(String(seal['coseSign1']), 'base64')));
    expect(statementOf(body)['predicate']).toMatchObject({
      requestId: headers.get('x-request-id'),
      actor: { kind: 'agent', agentId: world.principal.id },
      criteriaHash: body['criteriaHash'],
      transition: { action: 'create', from: null, to: 'RECORDED' },
    });
  });

  it('autoActivate is ignored, and performerAgentId is a label', async () => {
    const { status, body } = await create({
      type: 'note',
      criteria: {},
      autoActivate: true,
      performerAgentId: world.performer.id,
    });
    expect({ status, state: body['status'], performer: body['performerAgentId'] }).toEqual({
      status: 201,
      state: 'RECORDED',
      performer: world.performer.id,
    });
  });

  it.each([
    ['ttlSeconds', { ttlSeconds: 60 }],
    ['expiresAt', { expiresAt: '2099-01-01T00:00:00.000Z' }],
    ['federation', { federation: { peerHubId: NOBODY, performerAgentId: NOBODY } }],
  ])('422: %s', async (_member, extra) => {
    expectProblem(await create({ type: 'note', criteria: {}, ...extra }), 422, 'VALIDATION_ERROR');
  });

  it('422: a principal that is not the caller', async () => {
    expectProblem(
      await create({ type: 'note', criteria: {}, principalAgentId: world.performer.id }),
      422,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await create({
        type: 'note',
        criteria: {},
        principalAgentId: world.performer.id,
        performerAgentId: world.principal.id,
      }),
      422,
      'VALIDATION_ERROR',
    );
  });
});

describe('a gated type', () => {
  it('201 CREATED without a counterparty: a draft that its principal starts', async () => {
    const { status, body } = await create(job());
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'CREATED',
      principalAgentId: world.principal.id,
      performerAgentId: null,
      activatedAt: null,
      terminalAt: null,
      signedStatement: { entryType: 'RECORD_CREATED' },
    });
    expect(new Set(body['validTransitions'])).toEqual(new Set(['PROPOSED', 'ACTIVE', 'CANCELLED']));
    expect(body['nextActions'].at(0)).toBe('activate');
    expect(body['nextActions'].at(-1)).toBe('cancel');
  });

  it('201 CREATED where the caller names itself as the performer', async () => {
    expect((await ok(create(job({ performerAgentId: world.principal.id }))))['status']).toBe(
      'CREATED',
    );
  });

  it('201 PROPOSED with a performer: the performer is awaited', async () => {
    const { status, body } = await create(
      job({ performerAgentId: world.performer.id, message: 'Please.' }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'PROPOSED',
      awaiting: 'performer',
      signedStatement: { entryType: 'RECORD_PROPOSED' },
    });
    expect(new Set(body['validTransitions'])).toEqual(new Set(['ACTIVE', 'REJECTED', 'CANCELLED']));
    expect(body['nextActions'].at(0)).toBe('accept');
    expect(body['nextActions'].at(-1)).toBe('cancel');
    expect(body['nextSteps'].at(0)).toMatchObject({
      action: 'view',
      method: 'GET',
      href: `/v1/records/${body['id']}`,
    });
  });

  it('201 ACTIVE with autoActivate: submit-completion, cancel; FULFILLED, FAILED, CANCELLED', async () => {
    const { status, body } = await create(
      job({ performerAgentId: world.performer.id, autoActivate: true }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'performer',
      nextActions: ['submit-completion', 'cancel'],
      validTransitions: ['FULFILLED', 'FAILED', 'CANCELLED'],
      signedStatement: { entryType: 'RECORD_CREATED' },
    });
    expect(body['activatedAt']).toMatch(TIMESTAMP);
  });

  it('201 ACTIVE without a performer: the principal performs', async () => {
    expect(await ok(create(job({ autoActivate: true })))).toMatchObject({
      status: 'ACTIVE',
      performerAgentId: world.principal.id,
    });
  });

  it('201 PROPOSED where the performer names a principal: the principal is awaited', async () => {
    expect(
      await ok(
        create(
          job({ performerAgentId: world.performer.id, principalAgentId: world.principal.id }),
          world.performer.client,
        ),
      ),
    ).toMatchObject({
      status: 'PROPOSED',
      awaiting: 'principal',
      principalAgentId: world.principal.id,
    });
  });

  it('422: the performer cannot start the work for the principal', async () => {
    expectProblem(
      await create(
        job({
          performerAgentId: world.performer.id,
          principalAgentId: world.principal.id,
          autoActivate: true,
        }),
        world.performer.client,
      ),
      422,
      'VALIDATION_ERROR',
    );
  });

  it('422: an agent that is not the performer names another agent as the principal', async () => {
    expectProblem(
      await create(job({ principalAgentId: world.performer.id })),
      422,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await create(job({ principalAgentId: globex.principal.id })),
      422,
      'VALIDATION_ERROR',
    );
  });

  it('a performer of another org is asked, and never made to start', async () => {
    const proposed = await ok(create(job({ performerAgentId: globex.performer.id })));
    expect(proposed['status']).toBe('PROPOSED');
    expect((await globex.performer.client.get(`/v1/records/${proposed['id']}`)).status).toBe(200);
    expect((await globex.admin.get(`/v1/records/${proposed['id']}`)).status).toBe(200);
    expect((await globex.principal.client.get(`/v1/records/${proposed['id']}`)).status).toBe(404);
    expectProblem(
      await create(job({ performerAgentId: globex.performer.id, autoActivate: true })),
      422,
      'VALIDATION_ERROR',
    );
  });

  it('422: an agent that does not exist', async () => {
    expectProblem(await create(job({ performerAgentId: NOBODY })), 422, 'VALIDATION_ERROR');
    expectProblem(
      await create(
        job({ performerAgentId: world.performer.id, principalAgentId: NOBODY }),
        world.performer.client,
      ),
      422,
      'VALIDATION_ERROR',
    );
  });

  it('422 with allowedValues: a performer whose capabilities lack the type', async () => {
    const typist = await ok(
      world.admin.post('/v1/admin/agents', {
        name: 'typist',
        orgId: world.orgId,
        capabilities: ['auto-job'],
      }),
    );
    const { allowedValues } = expectProblem(
      await create(job({ performerAgentId: typist['id'] })),
      422,
      'VALIDATION_ERROR',
    );
    expect(allowedValues).toEqual(['auto-job']);
    expect((await create(job({ type: 'auto-job', performerAgentId: typist['id'] }))).status).toBe(
      201,
    );
  });
});

describe('422 with allowedValues: a principal that performs itself and lacks the type', () => {
  const soloist = async () => {
    const agent = await addAgent(world.admin, world.orgId, 'soloist');
    await ok(
      world.admin.call('PUT', `/v1/agents/${agent.id}/capabilities`, { types: ['auto-job'] }),
    );
    return agent;
  };
  const lacks = (answer: Answer<Body>): void => {
    const problem = expectProblem(answer, 422, 'VALIDATION_ERROR', {
      allowedValues: ['auto-job'],
    });
    expect(problem['errors']).toMatchObject([{ keyword: 'capabilities' }]);
  };
  const bare = (type: string, extra: Body = {}) => ({ type, criteria: GOAL, ...extra });

  it('at its creation, whether it is named as the performer or not', async () => {
    const { id, client } = await soloist();
    lacks(await client.post('/v1/records', bare('job', { autoActivate: true })));
    lacks(await client.post('/v1/records', bare('job', { performerAgentId: id })));
    for (const extra of [{ autoActivate: true }, { performerAgentId: id }])
      expect((await client.post('/v1/records', bare('auto-job', extra))).status).toBe(201);
    // Nobody performs a draft yet, nor what is only notarized.
    expect((await client.post('/v1/records', bare('job'))).status).toBe(201);
    expect((await client.post('/v1/records', bare('note', { criteria: {} }))).status).toBe(201);
  });

  it('where its draft starts', async () => {
    const { client } = await soloist();
    const start = async (type: string) => {
      const { id } = await ok(client.post('/v1/records', bare(type)));
      return client.post(`/v1/records/${String(id)}/transition`, { action: 'activate' });
    };
    lacks(await start('job'));
    expect((await start('auto-job')).status).toBe(200);
  });
});

it('takes null where answers show it', async () => {
  const reference = { kind: 'ticket', uri: 'urn:example:1', label: null, digest: null };
  const shown = { expiresAt: null, platformRef: null, references: [reference] };
  const note = await ok(me.post('/v1/records', { type: 'note', criteria: {}, ...shown }));
  expect(note).toMatchObject({ ...shown, status: 'RECORDED' });
  const drafted = await ok(
    me.post('/v1/records', { type: 'job', criteria: GOAL, ...shown, ttlSeconds: 60 }),
  );
  expect(drafted['expiresAt']).not.toBeNull();
  await ok(
    me.post(`/v1/records/${String(note['id'])}/references`, { ...reference, uri: 'urn:example:2' }),
  );
});

describe('who creates', () => {
  it('an admin creates for an agent of its org, and the entry says admin', async () => {
    const body = await ok(
      create(
        job({
          principalAgentId: world.principal.id,
          performerAgentId: world.performer.id,
          autoActivate: true,
        }),
        world.admin,
      ),
    );
    expect(body).toMatchObject({ status: 'ACTIVE', principalAgentId: world.principal.id });
    expect(statementOf(body)['predicate'].actor.kind).toBe('admin');
  });

  it('an admin without a named principal is one itself, as the agent that owns the key', async () => {
    const { ownerId } = await ok(world.admin.get('/v1/auth/me'));
    expect(
      (await ok(create({ type: 'note', criteria: {} }, world.admin)))['principalAgentId'],
    ).toBe(ownerId);
  });

  it('422: an admin names a principal of another org', async () => {
    expectProblem(
      await create(job({ principalAgentId: globex.principal.id }), world.admin),
      422,
      'VALIDATION_ERROR',
    );
    expectProblem(
      await create(
        { type: 'note', criteria: {}, principalAgentId: globex.principal.id },
        world.admin,
      ),
      422,
      'VALIDATION_ERROR',
    );
  });

  it('a platform key creates for any agent, in the org of the principal, and the entry says platform', async () => {
    const body = await ok(
      create({ type: 'note', criteria: {}, principalAgentId: globex.principal.id }, world.platform),
    );
    expect(body).toMatchObject({ orgId: globex.orgId, principalAgentId: globex.principal.id });
    expect(statementOf(body)['predicate'].actor.kind).toBe('platform');
  });
});

describe('the type', () => {
  it('422 with allowedValues: an unknown type', async () => {
    const { allowedValues, suggestion } = expectProblem(
      await create({ type: 'nope', criteria: {} }),
      422,
      'VALIDATION_ERROR',
    );
    expect(allowedValues).toEqual(expect.arrayContaining(['auto-job', 'job', 'note']));
    expect(suggestion).toEqual(expect.any(String));
  });

  it('422: a type that only another org has registered is unknown, and not named', async () => {
    await ok(globex.admin.post('/v1/schemas', { type: 'globex-only', completionSchema: {} }));
    const { allowedValues } = expectProblem(
      await create({ type: 'globex-only', criteria: {} }),
      422,
      'VALIDATION_ERROR',
    );
    expect(allowedValues).not.toContain('globex-only');
  });

  it('422 with the active versions: an unknown version', async () => {
    expectProblem(await create(job({ contractVersion: 2 })), 422, 'VALIDATION_ERROR', {
      allowedValues: [1],
    });
  });

  it('422: a publisher that does not publish the type', async () => {
    expectProblem(await create(job({ publisher: 'nobody' })), 422, 'VALIDATION_ERROR');
  });

  it('422 ambiguous-publisher with publishers[], until the publisher is pinned', async () => {
    await ok(world.admin.post('/v1/schemas', { type: 'twin', completionSchema: {} }));
    await ok(
      world.admin.post('/v1/schemas', {
        type: 'twin',
        completionSchema: {},
        publisher: 'acme-labs',
      }),
    );
    const problem = expectProblem(
      await create({ type: 'twin', criteria: {} }),
      422,
      'AMBIGUOUS_PUBLISHER',
      { type: '/problems/ambiguous-publisher' },
    );
    expect([...problem['publishers']].sort()).toEqual(['acme', 'acme-labs']);
    expect(
      (await ok(create({ type: 'twin', criteria: {}, publisher: 'acme-labs' })))['publisher'],
    ).toBe('acme-labs');
  });

  it('a record pins the version it was created under', async () => {
    await ok(world.admin.post('/v1/schemas', { type: 'evolving', completionSchema: {} }));
    const first = await ok(create({ type: 'evolving', criteria: {} }));
    await ok(
      world.admin.post('/v1/schemas', { type: 'evolving', completionSchema: {}, title: 'Second' }),
    );
    const second = await ok(create({ type: 'evolving', criteria: {} }));
    expect([first['contractVersion'], second['contractVersion']]).toEqual([1, 2]);
    expect(
      (await ok(create({ type: 'evolving', criteria: {}, contractVersion: 1 })))['manifestDigest'],
    ).toBe(first['manifestDigest']);
    expect(await ok(me.get(`/v1/records/${first['id']}`))).toMatchObject({
      contractVersion: 1,
      manifestDigest: first['manifestDigest'],
    });
  });

  it('422 schema-validation-error: criteria that the type refuses, with everything to mend them', async () => {
    const problem = expectProblem(
      await create({ type: 'job', criteria: { threshold: 'high' } }),
      422,
      'SCHEMA_VALIDATION_ERROR',
      {
        type: '/problems/schema-validation-error',
        recordType: 'job',
        requiredFields: ['goal'],
        optionalFields: ['threshold'],
      },
    );
    expect(problem['errors']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ keyword: 'required' }),
        expect.objectContaining({ path: expect.stringMatching(/\/threshold$/), keyword: 'type' }),
      ]),
    );
    expect((await create({ type: 'job', criteria: problem['examplePayload'] })).status).toBe(201);
  });

  it('422 schema-validation-error carries the schemaUrl, under which the manifest is read', async () => {
    const { schemaUrl } = expectProblem(
      await create({ type: 'job', criteria: {} }),
      422,
      'SCHEMA_VALIDATION_ERROR',
    );
    expect(schemaUrl).toEqual(expect.stringContaining('/v1/schemas/job'));
    expect(await ok(me.get(String(schemaUrl)))).toMatchObject({
      type: 'job',
      publisher: 'acme',
      version: 1,
    });
  });
});

describe('the body', () => {
  it('400 names an unknown member and the nearest known one', async () => {
    const { detail, errors, suggestion, hint, recoveryHint } = expectProblem(
      await create({ type: 'note', critera: {} }),
      400,
      'VALIDATION_ERROR',
      { type: '/problems/validation-error' },
    );
    const said = JSON.stringify([detail, errors, suggestion, hint, recoveryHint]);
    expect(said).toContain('critera');
    expect(said).toContain('criteria');
  });

  it.each<[string, unknown]>([
    ['no type', { criteria: {} }],
    ['no criteria', { type: 'note' }],
    ['criteria that is a list', { type: 'note', criteria: [] }],
    ['criteria that is null', { type: 'note', criteria: null }],
    ['criteria that is text', { type: 'note', criteria: '{}' }],
    ['a type that is a number', { type: 7, criteria: {} }],
    ['a version that is no integer', { type: 'note', criteria: {}, contractVersion: 1.5 }],
    ['a version that is text', { type: 'note', criteria: {}, contractVersion: '1' }],
    ['a performer that is no UUID', { type: 'job', criteria: GOAL, performerAgentId: 'me' }],
    ['autoActivate that is text', { type: 'job', criteria: GOAL, autoActivate: 'true' }],
    ['a platform of 129 characters', { type: 'note', criteria: {}, platform: 'x'.repeat(129) }],
    [
      'a platformRef of 257 characters',
      { type: 'note', criteria: {}, platformRef: 'x'.repeat(257) },
    ],
    ['a message of 2001 characters', { type: 'job', criteria: GOAL, message: 'x'.repeat(2001) }],
    ['expiresAt that is no time', { type: 'job', criteria: GOAL, expiresAt: 'tomorrow' }],
    [
      'expiresAt on the 30th of February',
      { type: 'job', criteria: GOAL, expiresAt: '2099-02-30T00:00:00Z' },
    ],
    ['ttlSeconds that is no integer', { type: 'job', criteria: GOAL, ttlSeconds: 0.5 }],
    ['a list', [{ type: 'note', criteria: {} }]],
    ['null', 'null'],
    ['no body', undefined],
  ])('400: %s', async (_case, body) => {
    expectProblem(await create(body), 400, 'VALIDATION_ERROR');
  });

  it('the longest texts that are allowed are taken', async () => {
    const body = await ok(
      create(
        job({ platform: 'x'.repeat(128), platformRef: 'ü'.repeat(256), message: 'm'.repeat(2000) }),
      ),
    );
    expect(body).toMatchObject({ platform: 'x'.repeat(128), platformRef: 'ü'.repeat(256) });
  });

  it('refused: expiresAt together with ttlSeconds, a deadline in the past, no time at all', async () => {
    for (const extra of [
      { ttlSeconds: 60, expiresAt: '2099-01-01T00:00:00.000Z' },
      { expiresAt: '2001-01-01T00:00:00.000Z' },
      { ttlSeconds: 0 },
      { ttlSeconds: -1 },
    ]) {
      const { status, body } = await create(job(extra));
      expect({ extra, status: [400, 422].includes(status), code: body['code'] }).toEqual({
        extra,
        status: true,
        code: 'VALIDATION_ERROR',
      });
    }
  });

  it('422: federation with a hub that is no peer, and nothing is stored', async () => {
    const before = await count();
    const federation = { peerHubId: NOBODY, performerAgentId: NOBODY };
    const { errors } = expectProblem(await create(job({ federation })), 422, 'VALIDATION_ERROR');
    expect(errors).toMatchObject([{ path: '/federation/peerHubId' }]);
    expect(await count()).toBe(before);
  });

  it('onBehalfOf is an assertion: sealed, and shown, as unverified', async () => {
    const given = {
      subject: { iss: 'https://idp.example', sub: 'alice' },
      act: [{ iss: 'https://idp.example', sub: 'bot' }],
    };
    const sealed = { ...given, validated: false, provenance: 'asserted' };
    const { id, onBehalfOf } = await ok(create(job({ onBehalfOf: given })));
    expect(onBehalfOf).toEqual(sealed);
    const [first] = await chainOf(api.world.principal.client, id);
    expect(first!['statement'].predicate.onBehalfOf).toEqual(sealed);
    expect(
      (await ok(create(job({ onBehalfOf: { subject: given.subject } }))))['onBehalfOf'],
    ).toEqual({ subject: given.subject, act: [], validated: false, provenance: 'asserted' });
  });

  it.each<[string, Body]>([
    ['validated', { subject: { iss: 'https://idp.example', sub: 'x' }, validated: true }],
    [
      'provenance',
      { subject: { iss: 'https://idp.example', sub: 'x' }, provenance: 'token_exchange' },
    ],
    [
      'a member of the subject',
      { subject: { iss: 'https://idp.example', sub: 'x', validated: true } },
    ],
    ['no subject', {}],
    [
      'nine who act',
      {
        subject: { iss: 'https://idp.example', sub: 'x' },
        act: Array.from({ length: 9 }, () => ({ iss: 'i', sub: 's' })),
      },
    ],
  ])('onBehalfOf cannot claim more than an assertion: 400 for %s', async (_what, onBehalfOf) => {
    expectProblem(await create(job({ onBehalfOf })), 400, 'VALIDATION_ERROR');
  });

  it('nothing is stored by any refusal', async () => {
    const before = await count();
    await create({ type: 'job', criteria: {} });
    await create({ type: 'nope', criteria: {} });
    await create(job({ performerAgentId: NOBODY }));
    await create(job({ performerAgentId: globex.performer.id, autoActivate: true }));
    expect(await count()).toBe(before);
  });

  it('a body with a charset, and application/*+json, are read', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/vnd.acme+json'])
      expect(
        (await me.post('/v1/records', { type: 'note', criteria: {} }, { 'content-type': type }))
          .status,
      ).toBe(201);
  });
});

it('an agent key of the notarize profile notarizes and opens', async () => {
  const { id, client } = await addAgent(world.admin, world.orgId, 'scribe', 'agent-notarize');
  const body = await ok(create({ type: 'note', criteria: {} }, client));
  expect(body['principalAgentId']).toBe(id);
  expect(body['id']).toMatch(UUID);
});
