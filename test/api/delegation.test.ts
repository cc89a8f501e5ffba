import { beforeAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { deactivate } from '../support/clients/agent-keys.ts';
import { useApi, type Api } from '../support/service/api.ts';
import { eventsOf } from '../support/databases/outbox.ts';
import {
  expectIndistinguishable,
  expectProblem,
  HEX_256,
  NOBODY,
  UUID,
} from '../support/stories/problems.ts';
import { childBody, complete, openChild, type Party } from '../support/stories/tree.ts';
import {
  addAgent,
  chainOf,
  createWorld,
  deliver,
  entryTypes,
  GOAL,
  JOB_TYPE,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  sleep,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
let worker: Party;
let foreign: World;
let third: World;

beforeAll(async () => {
  const { world } = api;
  worker = await addAgent(world.admin, world.orgId, 'worker');
  foreign = await createWorld(world.url, String(world.platform.key), 'Globex');
  third = await createWorld(world.url, String(world.platform.key), 'Initech');
  await ok(foreign.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'globex-only' }));
  await ok(world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'acme-only' }));
});

const delegate = (
  client: Client,
  parentId: unknown,
  extra: Body = {},
  headers?: Readonly<Record<string, string>>,
): Promise<Answer<Body>> => client.post('/v1/records', childBody(parentId, worker, extra), headers);
const read = (id: unknown, client: Client = api.world.platform): Promise<Body> =>
  ok(client.get(`/v1/records/${String(id)}`));
const chain = (id: unknown): Promise<Body[]> => chainOf(api.world.platform, id);
const kinds = (id: unknown): Promise<string[]> => entryTypes(api.world.platform, id);
const revised = async (): Promise<Body> => {
  const { id } = await openDelivered(api.world);
  return ok(principal().post(`/v1/records/${id}/revision`, {}));
};

/** A record whose performer is in another org: proposed here, accepted there. */
const openAcross = async (): Promise<Body> => {
  const { id } = await ok(
    principal().post('/v1/records', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: foreign.performer.id,
    }),
  );
  return ok(foreign.performer.client.post(`/v1/records/${String(id)}/accept`));
};

describe('who delegates', () => {
  it.each<[string, () => Client, string]>([
    ['the performer', performer, 'agent'],
    ["an admin of the performer's org", () => api.world.admin, 'admin'],
    ['a platform key', () => api.world.platform, 'platform'],
  ])(
    "%s: the child is the performer's to judge, and both entries say who acted",
    async (_who, client, kind) => {
      const parent = await openJob(api.world);
      const { status, body, headers } = await delegate(client(), parent['id']);
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`/v1/records/${body['id']}`);
      expect(body).toMatchObject({
        status: 'ACTIVE',
        parentRecordId: parent['id'],
        rootRecordId: parent['id'],
        depth: 1,
        principalAgentId: api.world.performer.id,
        performerAgentId: worker.id,
        orgId: api.world.orgId,
      });
      expect((await chain(body['id']))[0]!['statement'].predicate.actor.kind).toBe(kind);
      expect((await chain(parent['id']))[1]!['statement'].predicate).toMatchObject({
        entryType: 'CHILD_DELEGATED',
        actor: { kind },
      });
    },
  );

  it('403 for the principal, which is told that the performer may', async () => {
    const { id } = await openJob(api.world);
    expectProblem(await delegate(principal(), id), 403, 'FORBIDDEN', {
      allowedActors: ['performer'],
      attemptedAction: 'delegate',
    });
    expect(await kinds(id)).toEqual(['RECORD_CREATED']);
  });

  it("403 for an admin of the principal's org where the performer is of another", async () => {
    const { id } = await openAcross();
    expectProblem(await delegate(api.world.admin, id), 403, 'FORBIDDEN', {
      allowedActors: ['performer'],
    });
  });

  it('422 for a parent that is not there, and the same for one that the caller may not read', async () => {
    const { id } = await openJob(api.world);
    const unknown = await delegate(worker.client, NOBODY, { performerAgentId: worker.id });
    const unreadable = await delegate(worker.client, id, { performerAgentId: worker.id });
    expectProblem(unknown, 422, String(unknown.body['code']), {
      parentRecordId: NOBODY,
      suggestion: expect.any(String),
    });
    expectProblem(unreadable, 422, String(unknown.body['code']), { parentRecordId: id });
    expectIndistinguishable(unknown, unreadable, [NOBODY, String(id)]);
    const elsewhere = await delegate(foreign.admin, id, { performerAgentId: foreign.performer.id });
    expectIndistinguishable(
      await delegate(foreign.admin, NOBODY, { performerAgentId: foreign.performer.id }),
      elsewhere,
      [NOBODY, String(id)],
    );
  });

  it('a key without records:write delegates nothing', async () => {
    const { id } = await openJob(api.world);
    const { client } = await mintKey(api.world.admin, api.world.performer.id, {
      scopeProfile: 'agent-readonly',
    });
    expectProblem(await delegate(client, id), 403, 'INSUFFICIENT_SCOPE');
  });
});

describe('the state of the parent', () => {
  it.each<[string, () => Promise<Body>]>([
    ['ACTIVE', () => openJob(api.world)],
    ['REVISION_REQUESTED', revised],
  ])('%s allows it and stays', async (state, open) => {
    const { id } = await open();
    const before = await kinds(id);
    const { status, body } = await delegate(performer(), id);
    expect(status).toBe(201);
    expect(await read(id)).toMatchObject({ status: state, awaiting: 'performer' });
    expect(await kinds(id)).toEqual([...before, 'CHILD_DELEGATED']);
    expect((await chain(id)).at(-1)!['statement'].predicate).toMatchObject({
      transition: { action: 'delegate', from: state, to: state },
      children: [{ id: body['id'] }],
    });
  });

  const cancelled = async (): Promise<Body> =>
    ok(principal().post(`/v1/records/${String((await openJob(api.world))['id'])}/cancel`));
  const expired = async (): Promise<Body> => {
    const { id } = await openJob(api.world, { ttlSeconds: 1 });
    await sleep(1100);
    return { id };
  };
  const remediated = async (): Promise<Body> => {
    const { id, completionId } = await openDecided(api.world, 'reject');
    return ok(principal().post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }));
  };
  it.each<[string, string, () => Promise<Body>, (() => Client)?]>([
    [
      'CREATED',
      'CREATED',
      () =>
        ok(
          principal().post('/v1/records', {
            type: 'job',
            criteria: GOAL,
            performerAgentId: api.world.principal.id,
          }),
        ),
      principal,
    ],
    ['PROPOSED', 'PROPOSED', () => proposeJob(api.world)],
    [
      'ACTIVE with a completion that waits for its verdict',
      'ACTIVE',
      () => openDelivered(api.world),
    ],
    [
      'RECORDED',
      'RECORDED',
      () =>
        ok(
          principal().post('/v1/records', {
            type: 'note',
            criteria: {},
            performerAgentId: api.world.performer.id,
          }),
        ),
    ],
    ['FULFILLED', 'FULFILLED', () => openDecided(api.world, 'accept')],
    ['FAILED', 'FAILED', () => openDecided(api.world, 'reject')],
    ['REMEDIATED', 'REMEDIATED', remediated],
    ['EXPIRED', 'EXPIRED', expired],
    ['CANCELLED', 'CANCELLED', cancelled],
    [
      'REJECTED',
      'REJECTED',
      async () =>
        ok(performer().post(`/v1/records/${String((await proposeJob(api.world))['id'])}/reject`)),
    ],
  ])(
    '%s refuses it, naming the parent and what it allows instead',
    async (_what, state, open, client = performer) => {
      const { id } = await open();
      const { nextActions } = await read(id);
      const before = await kinds(id);
      const problem = expectProblem(await delegate(client(), id), 422, 'UNPROCESSABLE_STATE', {
        type: '/problems/unprocessable-state',
        parentRecordId: id,
        currentState: state,
        attemptedTransition: 'delegate',
        validTransitions: expect.any(Array),
        allowedActions: expect.any(Array),
        suggestion: expect.any(String),
        detail: expect.stringContaining(String(id)),
      });
      expect(problem['allowedActions']).not.toContain('delegate');
      if (problem['allowedActions'].includes('export-audit'))
        expect(problem['allowedActions'].slice(0, 2)).toEqual(['view', 'export-audit']);
      expect(nextActions).not.toContain('delegate');
      expect(await kinds(id)).toEqual(before);
      expect(
        (await ok(api.world.platform.get(`/v1/records?parentRecordId=${String(id)}`)))['total'],
      ).toBe(0);
    },
  );

  it('is asked before the child is: a bad child under a parent that is final is the state of the parent', async () => {
    const { id } = await openDecided(api.world, 'accept');
    expectProblem(
      await delegate(performer(), id, { criteria: {}, type: 'nothing' }),
      422,
      'UNPROCESSABLE_STATE',
      { parentRecordId: id },
    );
  });
});

/** The performer delegates to itself, level by level, and says how far that went. */
const dig = async (
  at: Api,
  types: readonly string[],
): Promise<{ readonly ids: readonly string[]; readonly refusal: Answer<Body> | null }> => {
  const ids = [String((await openJob(at.world, { type: types[0] }))['id'])];
  for (const type of types.slice(1)) {
    const answer = await at.world.performer.client.post(
      '/v1/records',
      childBody(ids.at(-1), null, { type }),
    );
    if (answer.status !== 201) return { ids, refusal: answer };
    expect(answer.body).toMatchObject({
      depth: ids.length,
      rootRecordId: ids[0],
      parentRecordId: ids.at(-1),
    });
    ids.push(String(answer.body['id']));
  }
  return { ids, refusal: null };
};
const jobs = (count: number): string[] => Array.from({ length: count }, () => 'job');

describe('depth', () => {
  beforeAll(async () => {
    for (const depth of [1, 2, 3])
      await ok(
        api.world.admin.post('/v1/schemas', {
          ...JOB_TYPE,
          type: `depth-${depth}`,
          maxDelegationDepth: depth,
        }),
      );
    await ok(
      api.world.admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'depth-10',
        maxDelegationDepth: 10,
      }),
    );
  });

  it('is 5 below the root by default, and no further', async () => {
    const { ids, refusal } = await dig(api, jobs(7));
    expect(ids).toHaveLength(6);
    expectProblem(refusal!, 422, 'UNPROCESSABLE_STATE', {
      parentRecordId: ids[5],
      currentState: 'ACTIVE',
      allowedActions: expect.any(Array),
      suggestion: expect.any(String),
    });
  });

  it.each<[string, string[], number]>([
    ['the type of the root', ['depth-1', 'job', 'job', 'job'], 2],
    ['the type of the root, two levels down', ['depth-2', 'job', 'job', 'job'], 3],
    ['the type of a record between', ['job', 'depth-2', 'job', 'job'], 3],
    ['the type of a record between, at its own depth', ['job', 'depth-1', 'job'], 2],
    ['the lowest of all of them', ['depth-3', 'depth-10', 'depth-2', 'depth-10'], 3],
    [
      'the operator, where a type would allow more',
      ['depth-10', 'depth-10', 'depth-10', 'depth-10', 'depth-10', 'depth-10', 'depth-10'],
      6,
    ],
  ])('is bounded by %s', async (_by, types, levels) => {
    const { ids, refusal } = await dig(api, types);
    expect(ids).toHaveLength(levels);
    expectProblem(refusal!, 422, 'UNPROCESSABLE_STATE', { parentRecordId: ids.at(-1) });
  });

  describe('with MAX_DELEGATION_DEPTH=2', () => {
    const shallow = useApi({ MAX_DELEGATION_DEPTH: '2' });
    it('is 2', async () => {
      const { ids, refusal } = await dig(shallow, jobs(4));
      expect(ids).toHaveLength(3);
      expectProblem(refusal!, 422, 'UNPROCESSABLE_STATE', { parentRecordId: ids[2] });
    });
  });

  describe('with MAX_DELEGATION_DEPTH=10', () => {
    const deep = useApi({ MAX_DELEGATION_DEPTH: '10' });
    it('is 10 where every type allows it', async () => {
      await ok(
        deep.world.admin.post('/v1/schemas', {
          ...JOB_TYPE,
          type: 'depth-10',
          maxDelegationDepth: 10,
        }),
      );
      const { ids, refusal } = await dig(
        deep,
        Array.from({ length: 12 }, () => 'depth-10'),
      );
      expect(ids).toHaveLength(11);
      expectProblem(refusal!, 422, 'UNPROCESSABLE_STATE', { parentRecordId: ids[10] });
    });
  });
});

describe("a child's deadline", () => {
  const LATE = '2099-06-01T00:00:00.000Z';
  const PARENT = '2099-01-01T00:00:00.000Z';
  it.each<[string, Body, string]>([
    ["later than its parent's", { expiresAt: LATE }, PARENT],
    ['not given', {}, PARENT],
    ['later, of a child that is proposed', { expiresAt: LATE, autoActivate: false }, PARENT],
    ['earlier', { expiresAt: '2098-01-01T00:00:00.000Z' }, '2098-01-01T00:00:00.000Z'],
  ])("%s: never later than its parent's", async (_what, extra, expected) => {
    const { id } = await openJob(api.world, { expiresAt: PARENT });
    expect((await openChild(api.world, id, worker, extra))['expiresAt']).toBe(expected);
  });

  it('is its own where the parent has none', async () => {
    const { id } = await openJob(api.world);
    expect((await openChild(api.world, id, worker, { expiresAt: LATE }))['expiresAt']).toBe(LATE);
    expect((await openChild(api.world, id, worker))['expiresAt']).toBeNull();
  });
});

describe('what is sealed and told', () => {
  it('CHILD_DELEGATED carries the first hash of the child; the child opens with its own entry', async () => {
    const { id, criteriaHash } = await openJob(api.world);
    const child = await openChild(api.world, id, worker, {
      references: [{ kind: 'ticket', uri: 'https://tickets.example/1' }],
    });
    const [parentChain, childChain] = [await chain(id), await chain(child['id'])];
    expect(childChain.map(({ entryType }) => entryType)).toEqual([
      'RECORD_CREATED',
      'REFERENCE_ADDED',
    ]);
    expect(child['signedStatement']).toMatchObject({
      chainKey: child['id'],
      position: 1,
      hash: childChain[0]!['hash'],
    });
    expect(childChain[0]!['statement'].predicate).toMatchObject({
      parentRecordId: id,
      principalAgentId: api.world.performer.id,
      performerAgentId: worker.id,
    });
    expect(parentChain.map(({ entryType }) => entryType)).toEqual([
      'RECORD_CREATED',
      'CHILD_DELEGATED',
    ]);
    expect(parentChain[1]!['statement'].predicate.children).toEqual([
      expect.objectContaining({
        id: child['id'],
        status: 'ACTIVE',
        headHash: childChain[0]!['hash'],
      }),
    ]);
    expect(parentChain[1]!['statement'].subject).toEqual([
      { name: `record/${String(id)}`, digest: { sha256: criteriaHash } },
    ]);
  });

  it.each<[string, Body, string]>([
    ['ACTIVE', {}, 'record.created'],
    ['PROPOSED', { autoActivate: false }, 'record.proposed'],
    ['RECORDED', { type: 'note', criteria: {}, autoActivate: false }, 'record.recorded'],
  ])(
    'a child that opens %s emits its own event, besides record.delegated of the parent',
    async (status, extra, type) => {
      const { id } = await openJob(api.world, { platformRef: 'order-7' });
      const child = await openChild(api.world, id, worker, extra);
      expect(child['status']).toBe(status);
      const told = eventsOf(api, child['id']);
      expect(told.map((event) => event.type)).toEqual([type]);
      expect(told[0]!.data).toMatchObject({
        recordId: child['id'],
        parentRecordId: id,
        status,
        previousStatus: null,
        entry: { position: 1, hash: child['signedStatement'].hash },
      });
      const delegated = eventsOf(api, id).filter((event) => event.type === 'record.delegated');
      expect(delegated).toHaveLength(1);
      expect(delegated[0]!.data).toMatchObject({
        recordId: id,
        type: 'job',
        status: 'ACTIVE',
        previousStatus: 'ACTIVE',
        platformRef: 'order-7',
        childRecordId: child['id'],
        depth: 1,
        actor: { kind: 'agent', agentId: api.world.performer.id },
        entry: { position: 2, hash: expect.stringMatching(HEX_256) },
      });
    },
  );

  it('the exports of parent and child verify offline', async () => {
    const { id } = await openJob(api.world);
    const child = await openChild(api.world, id, worker);
    for (const recordId of [id, child['id']]) {
      const report = await verifyAuditExport(
        JSON.stringify(
          await ok(api.world.platform.get(`/v1/records/${recordId}/audit-export?evidence=true`)),
        ),
        { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) },
      );
      expect({ exitCode: report.exitCode, failures: report.failures }).toEqual({
        exitCode: 0,
        failures: [],
      });
    }
  });

  it('a child that is refused leaves nothing on its parent', async () => {
    const { id, version } = await openJob(api.world);
    expectProblem(
      await delegate(performer(), id, { criteria: {} }),
      422,
      'SCHEMA_VALIDATION_ERROR',
    );
    expectProblem(await delegate(performer(), id, { type: 'nothing' }), 422, 'VALIDATION_ERROR', {
      allowedValues: expect.arrayContaining(['job']),
    });
    expect(await read(id)).toMatchObject({ version });
    expect(await kinds(id)).toEqual(['RECORD_CREATED']);
  });
});

describe('a notarize-only child', () => {
  it('is RECORDED at birth, under its parent, which does not wait for it', async () => {
    const { id } = await openJob(api.world);
    const child = await openChild(api.world, id, worker, {
      type: 'note',
      criteria: { done: true },
    });
    expect(child).toMatchObject({
      status: 'RECORDED',
      parentRecordId: id,
      depth: 1,
      principalAgentId: api.world.performer.id,
      performerAgentId: worker.id,
      expiresAt: null,
      terminalAt: expect.any(String),
    });
    expect(await kinds(id)).toEqual(['RECORD_CREATED', 'CHILD_DELEGATED', 'CASCADE_VERIFIED']);
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', awaiting: 'performer' });
  });

  it('422 with a deadline, as without a parent', async () => {
    const { id } = await openJob(api.world);
    expectProblem(
      await delegate(performer(), id, { type: 'note', criteria: {}, ttlSeconds: 60 }),
      422,
      'VALIDATION_ERROR',
    );
  });
});

describe('across orgs', () => {
  it("the child's type resolves in the org of the performer that delegates", async () => {
    const { id } = await openAcross();
    const by = (type: string): Promise<Answer<Body>> =>
      foreign.performer.client.post('/v1/records', childBody(id, null, { type }));
    const { status, body } = await by('globex-only');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      orgId: foreign.orgId,
      principalAgentId: foreign.performer.id,
      parentRecordId: id,
      rootRecordId: id,
    });
    expectProblem(await by('acme-only'), 422, 'VALIDATION_ERROR', {
      allowedValues: expect.arrayContaining(['globex-only']),
    });
  });

  it('a performer of a third org is asked; autoActivate is refused', async () => {
    const { id } = await openAcross();
    const toThird = (autoActivate: boolean): Promise<Answer<Body>> =>
      foreign.performer.client.post(
        '/v1/records',
        childBody(id, third.performer, { autoActivate }),
      );
    expectProblem(await toThird(true), 422, 'VALIDATION_ERROR', {
      errors: [{ path: '/autoActivate' }],
    });
    const { body } = await toThird(false);
    expect(body).toMatchObject({ status: 'PROPOSED', awaiting: 'performer', orgId: foreign.orgId });
    expect(await ok(third.performer.client.post(`/v1/records/${body['id']}/accept`))).toMatchObject(
      { status: 'ACTIVE', parentRecordId: id },
    );
    // The principal of the parent is no party of the child.
    expect((await principal().get(`/v1/records/${body['id']}`)).status).toBe(404);
    expect((await third.performer.client.get(`/v1/records/${String(id)}`)).status).toBe(404);
  });

  it('an admin of the org of the performer delegates for it', async () => {
    const { id } = await openAcross();
    const answer = await foreign.admin.post('/v1/records', childBody(id, foreign.principal));
    expect(answer.body).toMatchObject({
      status: 'ACTIVE',
      principalAgentId: foreign.performer.id,
      performerAgentId: foreign.principal.id,
    });
  });
});

describe('the parties of a child', () => {
  it('a deactivated performer is refused, by its id and the time', async () => {
    const gone = await addAgent(api.world.admin, api.world.orgId, 'gone');
    const at = await deactivate(api, gone.id);
    const { id } = await openJob(api.world);
    const problem = expectProblem(
      await delegate(performer(), id, { performerAgentId: gone.id }),
      422,
      'VALIDATION_ERROR',
      { errors: [{ path: '/performerAgentId' }] },
    );
    expect(problem['detail']).toContain(gone.id);
    expect(problem['detail']).toContain(at);
    expect(await kinds(id)).toEqual(['RECORD_CREATED']);
  });

  it('nothing more is delegated by an agent that was deactivated midway, by whomever', async () => {
    const leaving = await addAgent(api.world.admin, api.world.orgId, 'leaving');
    const { id } = await openJob(api.world, { performerAgentId: leaving.id });
    const at = await deactivate(api, leaving.id);
    for (const client of [api.world.admin, api.world.platform]) {
      const problem = expectProblem(await delegate(client, id), 422, 'VALIDATION_ERROR');
      expect(problem['detail']).toContain(leaving.id);
      expect(problem['detail']).toContain(at);
    }
    expect(await read(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('another principal than the performer of the parent is refused; naming that one is not', async () => {
    const { id } = await openJob(api.world);
    for (const [client, other] of [
      [performer(), api.world.principal.id],
      [api.world.admin, worker.id],
      [api.world.platform, foreign.principal.id],
    ] as const) {
      expectProblem(
        await delegate(client, id, { principalAgentId: other }),
        422,
        'VALIDATION_ERROR',
        { errors: [{ path: '/principalAgentId' }] },
      );
    }
    expect(
      (await delegate(performer(), id, { principalAgentId: api.world.performer.id })).status,
    ).toBe(201);
  });

  it('a performer that does not declare the type is refused', async () => {
    const narrow = await addAgent(api.world.admin, api.world.orgId, 'narrow');
    await ok(
      api.world.admin.call('PUT', `/v1/agents/${narrow.id}/capabilities`, { types: ['auto-job'] }),
    );
    const { id } = await openJob(api.world);
    expectProblem(
      await delegate(performer(), id, { performerAgentId: narrow.id }),
      422,
      'VALIDATION_ERROR',
      { allowedValues: ['auto-job'] },
    );
  });

  it("without a performer the child is the delegating performer's own draft", async () => {
    const { id } = await openJob(api.world);
    const child = await openChild(api.world, id, null, { autoActivate: false });
    expect(child).toMatchObject({
      status: 'CREATED',
      principalAgentId: api.world.performer.id,
      performerAgentId: null,
    });
    expect(
      await ok(
        performer().post(`/v1/records/${String(child['id'])}/transition`, {
          action: 'propose',
          performerAgentId: worker.id,
        }),
      ),
    ).toMatchObject({ status: 'PROPOSED', parentRecordId: id });
  });
});

describe('in bulk and again', () => {
  it('each item with parentRecordId is delegated on its own; one that cannot be leaves the others', async () => {
    const { id } = await openJob(api.world);
    const final = await openDecided(api.world, 'accept');
    const items = [
      childBody(id, worker),
      childBody(NOBODY, worker),
      childBody(final.id, worker),
      childBody(id, worker, { criteria: {} }),
      { type: 'note', criteria: {} },
      childBody(id, worker, { autoActivate: false }),
    ];
    const { status, body } = await performer().post('/v1/records/bulk', items);
    expect(status).toBe(207);
    expect(body['data'].map((item: Body) => item['status'])).toEqual([
      201, 422, 422, 422, 201, 201,
    ]);
    expect(body['data'][1].error).toMatchObject({ parentRecordId: NOBODY });
    expect(body['data'][2].error).toMatchObject({
      code: 'UNPROCESSABLE_STATE',
      parentRecordId: final.id,
    });
    expect(body).toMatchObject({ total: 6, succeeded: 3, failed: 3 });
    expect(await kinds(id)).toEqual(['RECORD_CREATED', 'CHILD_DELEGATED', 'CHILD_DELEGATED']);
    const sealed = (await chain(id))
      .slice(1)
      .map((entry) => entry['statement'].predicate.children[0].id);
    expect(sealed).toEqual([body['data'][0].record.id, body['data'][5].record.id]);
  });

  it('the same Idempotency-Key delegates once and gives the same answer', async () => {
    const { id } = await openJob(api.world);
    const key = { 'idempotency-key': `delegate-${String(id)}` };
    const first = await delegate(performer(), id, {}, key);
    const again = await delegate(performer(), id, {}, key);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    expect(await kinds(id)).toEqual(['RECORD_CREATED', 'CHILD_DELEGATED']);
    expect((await delegate(performer(), id, { criteria: { goal: 'another' } }, key)).status).toBe(
      422,
    );
    expect((await ok(performer().get(`/v1/records?parentRecordId=${String(id)}`)))['total']).toBe(
      1,
    );
  });

  it('in bulk with an Idempotency-Key as well', async () => {
    const { id } = await openJob(api.world);
    const key = { 'idempotency-key': `bulk-${String(id)}` };
    const items = [childBody(id, worker), childBody(id, worker)];
    const first = await performer().post('/v1/records/bulk', items, key);
    expect((await performer().post('/v1/records/bulk', items, key)).body).toEqual(first.body);
    expect(await kinds(id)).toEqual(['RECORD_CREATED', 'CHILD_DELEGATED', 'CHILD_DELEGATED']);
  });
});

describe('reading a tree', () => {
  /** principal (Acme) → performer (Globex) → performer (Initech) → itself. */
  const tree = async (): Promise<readonly string[]> => {
    const root = String((await openAcross())['id']);
    const child = String(
      (
        await ok(
          foreign.performer.client.post(
            '/v1/records',
            childBody(root, third.performer, { autoActivate: false }),
          ),
        )
      )['id'],
    );
    await ok(third.performer.client.post(`/v1/records/${child}/accept`));
    const grandchild = String(
      (await ok(third.performer.client.post('/v1/records', childBody(child, null))))['id'],
    );
    return [root, child, grandchild];
  };
  const nodesFor = async (client: Client, id: string): Promise<Body> =>
    ok(client.get(`/v1/records/${id}/chain`));

  it('from any record of it: the root, the way down, and every record with the head of its chain', async () => {
    const [root, child, grandchild] = (await tree()) as [string, string, string];
    for (const [id, path] of [
      [root, [root]],
      [child, [root, child]],
      [grandchild, [root, child, grandchild]],
    ] as const) {
      const shown = await nodesFor(api.world.platform, id);
      expect({ root: shown['root'], path: shown['path'] }).toEqual({ root, path });
      expect(
        shown['nodes'].map((node: Body) => [
          node['id'],
          node['parentRecordId'],
          node['depth'],
          node['type'],
          node['status'],
        ]),
      ).toEqual([
        [root, null, 0, 'job', 'ACTIVE'],
        [child, root, 1, 'job', 'ACTIVE'],
        [grandchild, child, 2, 'job', 'ACTIVE'],
      ]);
      for (const node of shown['nodes'] as Body[]) {
        const head = (await chain(node['id'])).at(-1)!;
        expect({ headHash: node['headHash'], position: node['position'] }).toEqual({
          headHash: head['hash'],
          position: head['position'],
        });
      }
    }
  });

  it('of a record that the caller may not read it shows no more than that it is there and how it stands', async () => {
    const [root, child, grandchild] = (await tree()) as [string, string, string];
    const redacted = {
      id: expect.stringMatching(UUID),
      depth: expect.any(Number),
      status: 'ACTIVE',
      headHash: expect.stringMatching(HEX_256),
      position: expect.any(Number),
      redacted: true,
    };
    const asPrincipal = await nodesFor(principal(), root);
    expect(asPrincipal['nodes'][0]).toMatchObject({
      id: root,
      principalAgentId: api.world.principal.id,
    });
    expect(asPrincipal['nodes'].slice(1)).toEqual([
      { ...redacted, id: child, parentRecordId: root },
      { ...redacted, id: grandchild, parentRecordId: child },
    ]);
    const asThird = await nodesFor(third.performer.client, grandchild);
    expect(asThird['nodes'].map((node: Body) => node['redacted'] ?? false)).toEqual([
      true,
      false,
      false,
    ]);
    expect(asThird['nodes'][0]).toEqual({ ...redacted, id: root, parentRecordId: null });
    expect(JSON.stringify(asThird)).not.toContain(api.world.principal.id);
  });

  it('404 to whoever may read none of it, and for what is not there', async () => {
    const [root] = await tree();
    for (const id of [root, NOBODY])
      expectProblem(await worker.client.get(`/v1/records/${id}/chain`), 404, 'NOT_FOUND');
    // A party of one record of the tree does not read the tree by another.
    expectProblem(await third.performer.client.get(`/v1/records/${root}/chain`), 404, 'NOT_FOUND');
  });

  it('a record that delegates nothing is a tree of one', async () => {
    const { id } = await openJob(api.world);
    const shown = await nodesFor(principal(), String(id));
    expect({ root: shown['root'], path: shown['path'], count: shown['nodes'].length }).toEqual({
      root: id,
      path: [id],
      count: 1,
    });
  });

  it('the listing finds children by parentRecordId and the tree by rootRecordId', async () => {
    const { id } = await openJob(api.world);
    const child = await openChild(api.world, id, null);
    const grandchild = await openChild(api.world, child['id'], null);
    const ids = async (query: string): Promise<string[]> =>
      ((await ok(performer().get(`/v1/records?${query}`)))['data'] as Body[])
        .map((row) => String(row['id']))
        .sort();
    expect(await ids(`parentRecordId=${String(id)}`)).toEqual([child['id']]);
    expect(await ids(`rootRecordId=${String(id)}`)).toEqual(
      [id, child['id'], grandchild['id']].map(String).sort(),
    );
  });

  it('a child is worked on as any record is', async () => {
    const { id } = await openJob(api.world);
    const child = await openChild(api.world, id, worker);
    const { id: completionId } = await complete(worker, child['id']);
    expect(
      await ok(
        performer().post(`/v1/records/${String(child['id'])}/verdict`, {
          verdict: 'accept',
          completionId,
        }),
      ),
    ).toMatchObject({ status: 'FULFILLED' });
    await deliver(api.world, id);
    expect(await read(id)).toMatchObject({ awaiting: 'principal' });
  });
});
