import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { submitAndDie } from '../support/attackers/left-behind.ts';
import { eventsOf } from '../support/databases/outbox.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  childBody,
  complete,
  ENDS,
  endedChild,
  fulfilled,
  judged,
  openChild,
  openTeam,
  registerTeams,
  RULES,
  teamType,
  type End,
  type Mode,
  type Party,
  type Rule,
} from '../support/stories/tree.ts';
import {
  addAgent,
  chainOf,
  createWorld,
  deliver,
  entryTypes,
  JOB_TYPE,
  ok,
  openDelivered,
  openJob,
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

beforeAll(async () => {
  const { world } = api;
  worker = await addAgent(world.admin, world.orgId, 'worker');
  foreign = await createWorld(world.url, String(world.platform.key), 'Globex');
  await registerTeams(world.admin);
});

const at = (id: unknown, path = ''): string => `/v1/records/${String(id)}${path}`;
const read = (id: unknown, client: Client = api.world.platform): Promise<Body> =>
  ok(client.get(at(id)));
const chain = (id: unknown): Promise<Body[]> => chainOf(api.world.platform, id);
const kinds = (id: unknown): Promise<string[]> => entryTypes(api.world.platform, id);
const transition = (
  client: Client,
  id: unknown,
  action: string,
  more: Body = {},
): Promise<Answer<Body>> => client.post(at(id, '/transition'), { action, ...more });
const submit = (id: unknown): Promise<Answer<Body>> =>
  performer().post(at(id, '/completions'), { evidence: { score: 9 } });
const verifications = async (id: unknown): Promise<Body[]> =>
  (await chain(id))
    .filter(({ entryType }) => entryType === 'CASCADE_VERIFIED')
    .map((entry) => entry['statement'].predicate as Body);
const headOf = async (id: unknown): Promise<string> => String((await chain(id)).at(-1)!['hash']);
/** A reference moves the head of a record, whatever its state. */
const refer = (id: unknown): Promise<Body> =>
  ok(
    performer().post(at(id, '/references'), {
      kind: 'ticket',
      uri: 'https://tickets.example/moved',
    }),
  );
const cascadeEvents = (id: unknown): Body[] =>
  eventsOf(api, id)
    .filter(({ type }) => type === 'cascading.verification.complete')
    .map(({ data }) => data);

/** A parent of the rule and mode whose children ended so, one after the other. */
const withEnded = async (
  rule: Rule,
  mode: Mode,
  ends: readonly End[],
): Promise<{ id: string; children: string[] }> => {
  const id = String((await openTeam(api.world, rule, mode))['id']);
  const children: string[] = [];
  for (const end of ends) children.push(await endedChild(api.world, worker, id, end));
  return { id, children };
};

/** By the words of the specification, not by the code. */
const isMet = (rule: Rule, ends: readonly End[]): boolean => {
  const counted = ends.filter((end) => ENDS[end].counts);
  const satisfying = counted.filter((end) => ENDS[end].satisfies).length;
  return {
    none: true,
    'all-fulfilled': satisfying === counted.length,
    'any-fulfilled': satisfying > 0,
    quorum: satisfying >= 2,
  }[rule];
};

const SINGLE = Object.keys(ENDS) as End[];
const MIXED: readonly (readonly End[])[] = [
  [],
  ['fulfilled', 'fulfilled'],
  ['fulfilled', 'failed'],
  ['failed', 'fulfilled'],
  ['fulfilled', 'recorded'],
  ['remediated', 'fulfilled'],
  ['remediated', 'failed'],
  ['fulfilled', 'fulfilled', 'failed'],
  ['fulfilled', 'cancelled without a completion'],
  ['fulfilled', 'cancelled with a completion'],
  ['rejected', 'cancelled without a completion'],
  ['recorded', 'recorded', 'rejected'],
];
const CASES = [...SINGLE.map((end) => [end] as const), ...MIXED].map((ends) => ({
  ends,
  what: ends.length === 0 ? 'no child' : `children ${ends.join(', ')}`,
}));

// Each on a tree of its own, so that they wait for their deadlines together.
describe.concurrent.each(RULES)('the rule %s', (rule) => {
  it.each(CASES)('in auto mode decides on $what', async ({ ends }) => {
    const { id, children } = await withEnded(rule, 'auto', ends);
    const { body } = await submit(id);
    expect(body).toMatchObject({
      recordStatus: isMet(rule, ends) ? 'FULFILLED' : 'FAILED',
      gate: { state: isMet(rule, ends) ? 'PASSED' : 'FAILED' },
    });
    expect((await read(id))['status']).toBe(isMet(rule, ends) ? 'FULFILLED' : 'FAILED');
    const results = body['gate'].results as Body[];
    expect(results.find(({ gateId }) => gateId === 'score')).toMatchObject({ outcome: 'pass' });
    if (isMet(rule, ends)) expect(results.map(({ gateId }) => gateId)).not.toContain('cascade');
    else
      expect(results.find(({ gateId }) => gateId === 'cascade')).toMatchObject({
        outcome: 'fail',
        severity: 'block',
        description: expect.any(String),
        expression: expect.stringContaining(rule),
        detail: expect.any(String),
      });
    if (children.length > 0)
      expect(
        (await verifications(id))
          .at(-1)!
          ['children'].map((child: Body) => [child['id'], child['status']]),
      ).toEqual(children.map((child, index) => [child, ENDS[ends[index]!].status]));
    if (children.length > 0)
      expect(cascadeEvents(id).at(-1)).toMatchObject({
        recordId: id,
        rule,
        satisfied: isMet(rule, ends),
      });
  });

  it.each<[readonly End[]]>([[['failed']], [['fulfilled', 'fulfilled']], [[]]])(
    "in principal mode advises on %j, and the verdict is the principal's",
    async (ends) => {
      const { id } = await withEnded(rule, 'principal', ends);
      const met = isMet(rule, ends);
      const { body } = await submit(id);
      expect(body).toMatchObject({
        recordStatus: 'ACTIVE',
        gate: { state: met ? 'ADVISORY_PASSED' : 'ADVISORY_FAILED' },
      });
      expect(
        (body['gate'].results as Body[]).some(
          ({ gateId, outcome }) => gateId === 'cascade' && outcome === 'fail',
        ),
      ).toBe(!met);
      const status = await ok(principal().get(at(id, '/gate-status')));
      expect(status['phase2']).toMatchObject({
        state: met ? 'ADVISORY_PASSED' : 'ADVISORY_FAILED',
      });
      expect((status['phase2'].results as Body[]).some(({ gateId }) => gateId === 'cascade')).toBe(
        !met,
      );
      expect(
        await ok(
          principal().post(at(id, '/verdict'), { verdict: 'accept', completionId: body['id'] }),
        ),
      ).toMatchObject({ status: 'FULFILLED' });
    },
  );
});

it('a cascade that is met does not save a completion whose own gates fail', async () => {
  const { id } = await withEnded('all-fulfilled', 'auto', ['fulfilled']);
  expect(
    (await performer().post(at(id, '/completions'), { evidence: { score: 1 } })).body,
  ).toMatchObject({ recordStatus: 'FAILED' });
});

it('the unmet rule is sealed among the results of the evaluation, and the export verifies', async () => {
  const { id, children } = await withEnded('all-fulfilled', 'auto', ['failed', 'fulfilled']);
  await submit(id);
  const evaluated = (await chain(id)).find(({ entryType }) => entryType === 'GATE_EVALUATED')![
    'statement'
  ].predicate as Body;
  expect(evaluated['gate'].results).toContainEqual(
    expect.objectContaining({ gateId: 'cascade', outcome: 'fail', severity: 'block' }),
  );
  for (const recordId of [id, ...children]) {
    const report = await verifyAuditExport(
      JSON.stringify(await ok(api.world.platform.get(at(recordId, '/audit-export?evidence=true')))),
      { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) },
    );
    expect({ exitCode: report.exitCode, failures: report.failures }).toEqual({
      exitCode: 0,
      failures: [],
    });
  }
});

it('a gate sees the children', async () => {
  await ok(
    api.world.admin.post('/v1/schemas', {
      ...teamType('none', 'auto'),
      type: 'counting',
      gates: [
        {
          id: 'two',
          description: 'Two children are fulfilled',
          expression: 'children.filter(c, c.status == "FULFILLED").size() == 2',
        },
      ],
    }),
  );
  for (const [count, status] of [
    [1, 'FAILED'],
    [2, 'FULFILLED'],
  ] as const) {
    const { id } = await openJob(api.world, { type: 'counting' });
    for (let child = 0; child < count; child++)
      await endedChild(api.world, worker, id, 'fulfilled');
    await deliver(api.world, id);
    expect((await read(id))['status']).toBe(status);
  }
});

describe('the end of the last open child', () => {
  it('seals CASCADE_VERIFIED by the service: each child, how it stands, and the real head of its chain at that moment', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled');
    const one = await openChild(api.world, id, worker);
    const other = await openChild(api.world, id, worker);
    const cancelled = await endedChild(api.world, worker, id, 'cancelled without a completion');
    await judged(api.world, worker, String(one['id']), 'accept');
    expect(await verifications(id)).toEqual([]);
    expect(await read(id)).toMatchObject({ awaiting: 'children' });
    await judged(api.world, worker, String(other['id']), 'reject');
    const [verified, ...more] = await verifications(id);
    expect(more).toEqual([]);
    const expected = await Promise.all(
      [
        [one['id'], 'FULFILLED'],
        [other['id'], 'FAILED'],
        [cancelled, 'CANCELLED'],
      ].map(async ([child, status]) => ({
        id: child,
        status,
        headHash: await headOf(child),
        disputed: false,
      })),
    );
    expect(verified).toMatchObject({
      actor: { kind: 'system' },
      transition: { action: 'verify-cascade', from: 'ACTIVE', to: 'ACTIVE' },
    });
    expect(verified!['children']).toEqual(expected);
    expect(cascadeEvents(id)).toEqual([
      expect.objectContaining({
        recordId: id,
        rule: 'all-fulfilled',
        satisfied: false,
        children: expected.map(({ id: child, status }) => ({ id: child, status })),
      }),
    ]);
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', awaiting: 'performer' });
    // What happens on a child afterwards does not change what was sealed.
    await ok(
      performer().post(at(one['id'], '/references'), {
        kind: 'ticket',
        uri: 'https://tickets.example/3',
      }),
    );
    expect((await verifications(id))[0]).toEqual(verified);
    expect(await headOf(one['id'])).not.toBe(expected[0]!.headHash);
  });

  it.each(SINGLE)('is seen where it %s', async (end) => {
    const {
      id,
      children: [child],
    } = await withEnded('all-fulfilled', 'principal', [end]);
    const last = (await verifications(id)).at(-1)!;
    expect(last['children']).toEqual([
      { id: child, status: ENDS[end].status, headHash: await headOf(child), disputed: false },
    ]);
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', awaiting: 'performer' });
  });

  it('in a revision of the parent: it goes back to its performer', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled');
    await deliver(api.world, id);
    await ok(principal().post(at(id, '/revision'), {}));
    const child = await openChild(api.world, id, worker);
    expect(await read(id)).toMatchObject({ status: 'REVISION_REQUESTED', awaiting: 'children' });
    expectProblem(await submit(id), 422, 'UNPROCESSABLE_STATE', {
      reason: 'children_not_terminal',
      currentState: 'REVISION_REQUESTED',
    });
    await judged(api.world, worker, String(child['id']), 'accept');
    expect((await verifications(id)).at(-1)).toMatchObject({
      transition: { from: 'REVISION_REQUESTED', to: 'REVISION_REQUESTED' },
    });
    expect(await read(id)).toMatchObject({ status: 'REVISION_REQUESTED', awaiting: 'performer' });
    expect((await submit(id)).status).toBe(201);
  });

  it('goes up one level, and no further', async () => {
    const { id: root } = await openTeam(api.world, 'all-fulfilled');
    const { id: middle } = await openChild(api.world, root, null, {
      type: 'team-all-fulfilled-principal',
    });
    const { id: leaf } = await openChild(api.world, middle, worker);
    await judged(api.world, worker, String(leaf), 'accept');
    expect(await verifications(middle)).toHaveLength(1);
    expect(await verifications(root)).toHaveLength(0);
    const { id: completionId } = await ok(
      performer().post(at(middle, '/completions'), { evidence: { score: 9 } }),
    );
    await ok(performer().post(at(middle, '/verdict'), { verdict: 'accept', completionId }));
    expect(
      (await verifications(root)).map((each) =>
        each['children'].map((child: Body) => [child['id'], child['status']]),
      ),
    ).toEqual([[[middle, 'FULFILLED']]]);
    expect((await verifications(root))[0]!['children'][0].headHash).toBe(await headOf(middle));
    await fulfilled(api.world, root);
    expect(await read(root)).toMatchObject({ status: 'FULFILLED' });
  });
});

describe('what a parent waits for', () => {
  it.each(RULES.filter((rule) => rule !== 'none'))(
    '%s: its children, while one is open',
    async (rule) => {
      const { id } = await openTeam(api.world, rule);
      expect(await read(id)).toMatchObject({ awaiting: 'performer' });
      await openChild(api.world, id, worker, { type: 'note', criteria: {} });
      expect(await read(id)).toMatchObject({ awaiting: 'performer' });
      const child = await openChild(api.world, id, worker);
      expect(await read(id)).toMatchObject({ awaiting: 'children' });
      await openChild(api.world, id, worker, { type: 'note', criteria: {} });
      expect(await read(id)).toMatchObject({ awaiting: 'children' });
      await ok(performer().post(at(child['id'], '/cancel')));
      expect(await read(id)).toMatchObject({ awaiting: 'performer' });
    },
  );

  it('none: its performer', async () => {
    const { id } = await openTeam(api.world, 'none');
    await openChild(api.world, id, worker);
    expect(await read(id)).toMatchObject({ awaiting: 'performer' });
    expect((await submit(id)).status).toBe(201);
  });

  it('delegate and verify-cascade are offered only where the rule is not none', async () => {
    const shown = async (id: unknown): Promise<unknown> =>
      (await read(id, performer()))['nextActions'];
    const plain = await openTeam(api.world, 'none');
    expect(await shown(plain['id'])).toEqual(['submit-completion', 'cancel']);
    await endedChild(api.world, worker, plain['id'], 'fulfilled');
    expect(await shown(plain['id'])).toEqual(['submit-completion', 'cancel']);
    const team = await openTeam(api.world, 'all-fulfilled');
    expect(await shown(team['id'])).toEqual(['submit-completion', 'delegate', 'cancel']);
    const child = await openChild(api.world, team['id'], worker);
    const waiting = await read(team['id'], performer());
    expect(waiting['nextActions']).not.toContain('submit-completion');
    expect(waiting['nextActions']).toContain('delegate');
    expect(waiting['nextActions'].at(-1)).toBe('cancel');
    expect(waiting['nextSteps'][0].action).toBe('view');
    expect((await read(team['id'], principal()))['nextSteps'][0].action).toBe('view');
    await judged(api.world, worker, String(child['id']), 'accept');
    const ready = await read(team['id'], performer());
    expect([...ready['nextActions']].sort()).toEqual([
      'cancel',
      'delegate',
      'submit-completion',
      'verify-cascade',
    ]);
    expect([ready['nextActions'][0], ready['nextActions'].at(-1)]).toEqual([
      'submit-completion',
      'cancel',
    ]);
    expect(ready['nextSteps'][0].action).toBe('submit-completion');
  });
});

describe('verify-cascade', () => {
  it.each<[string, () => Client, string]>([
    ['the principal', principal, 'agent'],
    ['the performer', performer, 'agent'],
    ['an admin', () => api.world.admin, 'admin'],
    ['a platform key', () => api.world.platform, 'platform'],
  ])('by %s: 200, and a further entry where a child moved on', async (_who, client, kind) => {
    const { id, children } = await withEnded('any-fulfilled', 'principal', ['fulfilled', 'failed']);
    await refer(children[0]);
    const before = await kinds(id);
    const { status, body } = await transition(client(), id, 'verify-cascade');
    expect([status, body['status'], body['signedStatement']?.entryType]).toEqual([
      200,
      'ACTIVE',
      'CASCADE_VERIFIED',
    ]);
    expect(await kinds(id)).toEqual([...before, 'CASCADE_VERIFIED']);
    expect((await verifications(id)).at(-1)).toMatchObject({
      actor: { kind },
      children: await Promise.all(
        children.map(async (child, index) => ({
          id: child,
          status: ['FULFILLED', 'FAILED'][index],
          headHash: await headOf(child),
          disputed: false,
        })),
      ),
    });
    expect(cascadeEvents(id).at(-1)).toMatchObject({ rule: 'any-fulfilled', satisfied: true });
  });

  it('with nothing new since the last one: 200 with that entry, and nothing is written', async () => {
    const { id, children } = await withEnded('any-fulfilled', 'principal', ['fulfilled', 'failed']);
    const written = async (): Promise<unknown> => [
      await kinds(id),
      cascadeEvents(id),
      await read(id),
    ];
    const expectNothingWritten = async (clients: readonly Client[]): Promise<void> => {
      const before = await written();
      const newest = (await chain(id)).at(-1)!;
      const answers = await Promise.all(
        clients.map((client) => transition(client, id, 'verify-cascade')),
      );
      for (const { status, body } of answers) {
        expect(status).toBe(200);
        expect(body).toMatchObject({
          status: 'ACTIVE',
          nextActions: expect.any(Array),
          signedStatement: {
            entryType: 'CASCADE_VERIFIED',
            position: newest['position'],
            hash: newest['hash'],
          },
        });
      }
      expect(await written()).toEqual(before);
    };
    // The service sealed one when the last child ended.
    await expectNothingWritten([principal(), performer(), api.world.admin, api.world.platform]);
    await refer(children[1]);
    expect((await transition(performer(), id, 'verify-cascade')).status).toBe(200);
    await expectNothingWritten([principal(), performer()]);
  });

  it('asked by many at once after something new: one further entry', async () => {
    const { id, children } = await withEnded('any-fulfilled', 'principal', ['fulfilled', 'failed']);
    await refer(children[0]);
    const before = (await verifications(id)).length;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        transition(at % 2 ? principal() : performer(), id, 'verify-cascade'),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body['signedStatement'].hash)).size).toBe(1);
    expect(await verifications(id)).toHaveLength(before + 1);
  });

  it('under an Idempotency-Key gives the same answer again', async () => {
    const { id } = await withEnded('any-fulfilled', 'principal', ['fulfilled']);
    const ask = (): Promise<Answer<Body>> =>
      principal().post(
        at(id, '/transition'),
        { action: 'verify-cascade' },
        { 'idempotency-key': `again-${id}` },
      );
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(await verifications(id)).toHaveLength(1);
  });

  it('an admin of the org of the other side as well; who is no party of it: 404', async () => {
    const { id } = await ok(
      principal().post('/v1/records', {
        type: 'team-all-fulfilled-principal',
        criteria: { goal: 'g' },
        performerAgentId: foreign.performer.id,
      }),
    );
    await ok(foreign.performer.client.post(at(id, '/accept')));
    const { id: child } = await ok(
      foreign.performer.client.post('/v1/records', childBody(id, foreign.principal)),
    );
    await ok(foreign.performer.client.post(at(child, '/cancel')));
    expect((await transition(foreign.admin, id, 'verify-cascade')).status).toBe(200);
    expectProblem(
      await transition(foreign.principal.client, id, 'verify-cascade'),
      404,
      'NOT_FOUND',
    );
    expectProblem(await transition(worker.client, id, 'verify-cascade'), 404, 'NOT_FOUND');
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'REVISION_REQUESTED',
      async () => {
        const { id } = await openTeam(api.world, 'all-fulfilled');
        await deliver(api.world, id);
        await ok(principal().post(at(id, '/revision'), {}));
        return id;
      },
      'REVISION_REQUESTED',
    ],
    [
      'FULFILLED',
      async () =>
        (
          await fulfilled(
            api.world,
            (await withEnded('all-fulfilled', 'principal', ['fulfilled'])).id,
          )
        )['id'],
      'FULFILLED',
    ],
  ])('%s: INVALID_ACTION', async (_what, open, state) => {
    const id = await open();
    expectProblem(await transition(performer(), id, 'verify-cascade'), 422, 'INVALID_ACTION', {
      attemptedAction: 'verify-cascade',
      currentState: state,
      allowedActions: expect.any(Array),
    });
  });

  describe('with a completion that a crash left to its gates', () => {
    const leftBehind = async (rule: Rule, end: End): Promise<string> => {
      const { id } = await withEnded(rule, 'auto', [end]);
      await submitAndDie(api, id);
      return id;
    };
    it.each<[Rule, End, string]>([
      ['all-fulfilled', 'fulfilled', 'FULFILLED'],
      ['all-fulfilled', 'failed', 'FAILED'],
      ['any-fulfilled', 'rejected', 'FAILED'],
      ['none', 'failed', 'FULFILLED'],
    ])('decides: %s with a child %s is %s', async (rule, end, status) => {
      const id = await leftBehind(rule, end);
      const before = await kinds(id);
      const answer = await transition(performer(), id, 'verify-cascade');
      expect(answer.body).toMatchObject({
        status,
        signedStatement: { entryType: 'GATE_EVALUATED' },
      });
      expect(await kinds(id)).toEqual([
        ...before,
        'CASCADE_VERIFIED',
        'GATE_EVALUATED',
        'SIGNAL_EMITTED',
      ]);
      // The two entries were decided at one moment, and the row ended at that: another process would refuse it otherwise.
      const times = (await chain(id))
        .slice(-3)
        .map((entry) => entry['statement'].predicate.at as string);
      expect(times).toEqual(Array(3).fill(answer.body['terminalAt']));
      expect(
        eventsOf(api, id)
          .slice(-3)
          .map(({ type }) => type),
      ).toEqual([
        'cascading.verification.complete',
        status === 'FULFILLED' ? 'record.fulfilled' : 'record.failed',
        'signal.emitted',
      ]);
    });

    it('is decided by the job where nobody asks', async () => {
      const id = await leftBehind('all-fulfilled', 'failed');
      const reads = api.service.container.get(TOKENS.recordReads);
      await expect
        .poll(async () => (await reads.find(id))?.record.status, { interval: 100 })
        .not.toBe('ACTIVE');
      expect(await read(id)).toMatchObject({ status: 'FAILED' });
      expect((await kinds(id)).filter((kind) => kind === 'GATE_EVALUATED')).toHaveLength(1);
    });
  });
});

describe('422 by guard', () => {
  const MEMBERS = {
    currentState: 'ACTIVE',
    validTransitions: expect.any(Array),
    allowedActions: expect.any(Array),
    suggestion: expect.any(String),
  };
  const openParent = async (
    rule: Rule = 'all-fulfilled',
    mode: Mode = 'principal',
  ): Promise<string> => {
    const { id } = await openTeam(api.world, rule, mode);
    await openChild(api.world, id, worker);
    return String(id);
  };
  const left = async (ends: readonly End[]): Promise<string> => {
    const { id } = await withEnded('all-fulfilled', 'auto', ends);
    await submitAndDie(api, id);
    return id;
  };
  it.each<[string, string, () => Promise<string>, (id: string) => Promise<Answer<Body>>]>([
    [
      'has_children_leaf_only',
      'evaluate by the principal',
      () => left(['fulfilled']),
      (id) => transition(principal(), id, 'evaluate'),
    ],
    [
      'has_children_leaf_only',
      'evaluate by an admin',
      () => left(['fulfilled']),
      (id) => transition(api.world.admin, id, 'evaluate'),
    ],
    [
      'leaf_record',
      'verify-cascade on a child without children',
      async () =>
        String(
          (await openChild(api.world, (await openTeam(api.world, 'all-fulfilled'))['id'], worker))[
            'id'
          ],
        ),
      (id) => transition(worker.client, id, 'verify-cascade'),
    ],
    [
      'no_children',
      'verify-cascade on a root without children',
      async () => String((await openTeam(api.world, 'all-fulfilled'))['id']),
      (id) => transition(principal(), id, 'verify-cascade'),
    ],
    [
      'children_not_terminal',
      'verify-cascade',
      openParent,
      (id) => transition(performer(), id, 'verify-cascade'),
    ],
    [
      'children_not_terminal',
      'verify-cascade where the rule is none',
      () => openParent('none'),
      (id) => transition(performer(), id, 'verify-cascade'),
    ],
    ['children_not_terminal', 'a completion', openParent, submit],
    [
      'children_not_terminal',
      'a completion in auto mode',
      () => openParent('any-fulfilled', 'auto'),
      submit,
    ],
    ['children_not_terminal', 'cancel', openParent, (id) => principal().post(at(id, '/cancel'))],
    [
      'children_not_terminal',
      'cancel by the performer',
      openParent,
      (id) => performer().post(at(id, '/cancel'), { cascade: false }),
    ],
    [
      'children_not_terminal',
      'cancel as a transition',
      openParent,
      (id) => transition(principal(), id, 'cancel'),
    ],
    [
      'children_not_terminal',
      'cancel where the rule is none',
      () => openParent('none'),
      (id) => principal().post(at(id, '/cancel')),
    ],
    [
      'mode_not_auto',
      'evaluate in principal mode',
      async () => (await openDelivered(api.world)).id,
      (id) => transition(principal(), id, 'evaluate'),
    ],
    [
      'mode_not_principal',
      'a verdict in auto mode',
      () => left([]),
      async (id) =>
        principal().post(at(id, '/verdict'), {
          verdict: 'accept',
          completionId: (await read(id))['latestCompletionId'],
        }),
    ],
    [
      'mode_not_principal',
      'a rejection in auto mode',
      () => left([]),
      async (id) =>
        principal().post(at(id, '/verdict'), {
          verdict: 'reject',
          completionId: (await read(id))['latestCompletionId'],
        }),
    ],
    [
      'mode_not_principal',
      'a revision in auto mode',
      () => left([]),
      (id) => principal().post(at(id, '/revision'), {}),
    ],
    [
      'mode_not_principal',
      'a revision as a transition',
      () => left([]),
      (id) => transition(principal(), id, 'revision'),
    ],
  ])('%s: %s', async (reason, _route, open, attempt) => {
    const id = await open();
    const before = await kinds(id);
    const answer = await attempt(id);
    expectProblem(answer, 422, 'UNPROCESSABLE_STATE', { ...MEMBERS, reason });
    expect(await kinds(id)).toEqual(before);
  });

  it('the problem type of a guard follows the path, as that of a wrong state does', async () => {
    const id = await openParent();
    expect((await principal().post(at(id, '/cancel'))).body['type']).toBe(
      '/problems/invalid-transition',
    );
    expect((await submit(id)).body['type']).toBe('/problems/unprocessable-state');
  });

  it('the side comes before the guard, the state before it as well', async () => {
    const id = await openParent();
    expectProblem(await transition(performer(), id, 'evaluate'), 403, 'FORBIDDEN', {
      allowedActors: expect.any(Array),
    });
    expectProblem(await transition(principal(), id, 'evaluate'), 422, 'INVALID_ACTION', {
      attemptedAction: 'evaluate',
    });
  });
});

describe('cancel with cascade: true', () => {
  it('ends the open subtree in any org, the deepest first, and tells how many, not which', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled');
    const { id: near } = await openChild(api.world, id, null);
    const { id: done } = await openChild(api.world, id, worker);
    await judged(api.world, worker, String(done), 'accept');
    // One in another org, which delegates on.
    const { id: abroad } = await openChild(api.world, near, foreign.performer, {
      autoActivate: false,
    });
    await ok(foreign.performer.client.post(at(abroad, '/accept')));
    const { id: deepest } = await ok(
      foreign.performer.client.post('/v1/records', childBody(abroad, foreign.principal)),
    );
    const { id: proposed } = await openChild(api.world, id, worker, { autoActivate: false });
    const untouched = await chain(done);
    const { status, body } = await principal().post(at(id, '/cancel'), {
      cascade: true,
      reason: 'no longer needed',
    });
    expect([status, body['status']]).toEqual([200, 'CANCELLED']);
    expect(JSON.stringify(body)).toMatch(/"cancelled":4\b/);
    for (const other of [near, done, abroad, deepest, proposed])
      expect(JSON.stringify(body)).not.toContain(other);
    const actor = { kind: 'agent', agentId: api.world.principal.id };
    for (const below of [near, abroad, deepest, proposed]) {
      expect(await read(below)).toMatchObject({ status: 'CANCELLED', awaiting: null });
      const entry = (await chain(below)).find(({ entryType }) => entryType === 'RECORD_CANCELLED')!;
      expect(entry['statement'].predicate).toMatchObject({
        reason: 'parent_cancelled',
        actor,
        transition: { action: 'cancel', to: 'CANCELLED' },
        cancelledBy: expect.any(String),
      });
    }
    expect(
      (await chain(id)).find(({ entryType }) => entryType === 'RECORD_CANCELLED')!['statement']
        .predicate,
    ).toMatchObject({ reason: 'no longer needed', actor, cancelledBy: 'principal' });
    expect(await chain(done)).toEqual(untouched);
    const tree = new Set([id, near, abroad, deepest, proposed]);
    const order = eventsOf(api)
      .filter(({ type, recordId }) => type === 'record.cancelled' && tree.has(recordId))
      .map(({ recordId }) => recordId);
    expect(order).toHaveLength(5);
    const depths = await Promise.all(order.map(async (one) => Number((await read(one))['depth'])));
    expect(depths).toEqual([3, 2, 1, 1, 0]);
    expect(
      new Set(
        await Promise.all(
          [id, near, abroad, deepest, proposed].map(
            async (one) => (await read(one))['terminalAt'] !== null,
          ),
        ),
      ),
    ).toEqual(new Set([true]));
    for (const one of [id, near, abroad, deepest, proposed]) {
      const report = await verifyAuditExport(
        JSON.stringify(await ok(api.world.platform.get(at(one, '/audit-export')))),
        { trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }) },
      );
      expect(report.exitCode).toBe(0);
    }
  });

  it('finds an open record below one that ended', async () => {
    const { id } = await openTeam(api.world, 'none');
    const { id: middle } = await openChild(api.world, id, null);
    const { id: leaf } = await openChild(api.world, middle, worker);
    await ok(
      performer()
        .post(at(middle, '/completions'), { evidence: { score: 9 } })
        .then((answer) =>
          performer().post(at(middle, '/verdict'), {
            verdict: 'accept',
            completionId: answer.body['id'],
          }),
        ),
    );
    await ok(principal().post(at(id, '/cancel'), { cascade: true }));
    expect([
      (await read(middle))['status'],
      (await read(leaf))['status'],
      (await read(id))['status'],
    ]).toEqual(['FULFILLED', 'CANCELLED', 'CANCELLED']);
  });

  it('of a record between: what is above learns of it once, what is beside goes on', async () => {
    const { id: root } = await openTeam(api.world, 'all-fulfilled');
    const { id: middle } = await openChild(api.world, root, null);
    const { id: leaf } = await openChild(api.world, middle, worker);
    const { id: beside } = await openChild(api.world, root, worker);
    await ok(performer().post(at(middle, '/cancel'), { cascade: true }));
    expect([
      (await read(leaf))['status'],
      (await read(middle))['status'],
      (await read(beside))['status'],
      (await read(root))['status'],
    ]).toEqual(['CANCELLED', 'CANCELLED', 'ACTIVE', 'ACTIVE']);
    expect(await verifications(root)).toEqual([]);
    await ok(performer().post(at(beside, '/cancel'), { cascade: true }));
    expect(
      (await verifications(root)).map((each) =>
        each['children'].map((child: Body) => child['status']),
      ),
    ).toEqual([['CANCELLED', 'CANCELLED']]);
  });

  it('with a completion that waits below: it is the principal of that record that called it off', async () => {
    const { id } = await openTeam(api.world, 'none');
    const { id: child } = await openChild(api.world, id, worker);
    await complete(worker, child);
    await ok(principal().post(at(id, '/cancel'), { cascade: true }));
    expect(
      (await chain(child)).find(({ entryType }) => entryType === 'RECORD_CANCELLED')!['statement']
        .predicate,
    ).toMatchObject({ cancelledBy: 'principal' });
  });

  it('by who may not cancel, nothing at all ends', async () => {
    const { id } = await openTeam(api.world, 'none');
    const { id: child } = await openChild(api.world, id, worker);
    await deliver(api.world, id);
    expectProblem(await performer().post(at(id, '/cancel'), { cascade: true }), 403, 'FORBIDDEN', {
      allowedActors: ['principal'],
    });
    expect([(await read(id))['status'], (await read(child))['status']]).toEqual([
      'ACTIVE',
      'ACTIVE',
    ]);
  });

  it('without children it is a cancel', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled');
    expect(await ok(principal().post(at(id, '/cancel'), { cascade: true }))).toMatchObject({
      status: 'CANCELLED',
    });
  });

  it('the same Idempotency-Key cancels once', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled');
    const { id: child } = await openChild(api.world, id, worker);
    const key = { 'idempotency-key': `cancel-${String(id)}` };
    const first = await principal().post(at(id, '/cancel'), { cascade: true }, key);
    expect((await principal().post(at(id, '/cancel'), { cascade: true }, key)).body).toEqual(
      first.body,
    );
    expect((await kinds(child)).filter((kind) => kind === 'RECORD_CANCELLED')).toHaveLength(1);
  });
});

describe('the end of a parent', () => {
  const ended = async (id: unknown, child: unknown, status: string): Promise<void> => {
    expect(await read(id)).toMatchObject({ status });
    const sealed = await chain(id);
    const before = await read(id);
    expect(await read(child)).toMatchObject({ status: 'ACTIVE' });
    await judged(api.world, worker, String(child), 'accept');
    expect(await read(child)).toMatchObject({ status: 'FULFILLED' });
    // And nothing of that reaches a parent that is final.
    expect(await chain(id)).toEqual(sealed);
    expect(await read(id)).toMatchObject({
      status,
      version: before['version'],
      updatedAt: before['updatedAt'],
    });
  };

  it.each<['accept' | 'reject', string]>([
    ['accept', 'FULFILLED'],
    ['reject', 'FAILED'],
  ])('by a verdict to %s leaves its children as they are', async (verdict, status) => {
    const { id } = await openTeam(api.world, 'none');
    const child = await openChild(api.world, id, worker);
    const untouched = await chain(child['id']);
    const { id: completionId } = await deliver(api.world, id);
    await ok(principal().post(at(id, '/verdict'), { verdict, completionId }));
    expect(await chain(child['id'])).toEqual(untouched);
    await ended(id, child['id'], status);
  });

  it('by its gates leaves its children as they are', async () => {
    const { id } = await openTeam(api.world, 'none', 'auto');
    const child = await openChild(api.world, id, worker);
    await deliver(api.world, id);
    await ended(id, child['id'], 'FULFILLED');
  });

  it('by expiry leaves a child whose own deadline is later', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled', 'principal', { ttlSeconds: 6 });
    const child = await openChild(api.world, id, worker);
    const { id: completionId } = await complete(worker, child['id']);
    await expect
      .poll(async () => (await read(id))['status'] as unknown, { interval: 100 })
      .toBe('EXPIRED');
    expect(await read(child['id'])).toMatchObject({ status: 'ACTIVE' });
    const sealed = await chain(id);
    await ok(performer().post(at(child['id'], '/verdict'), { verdict: 'accept', completionId }));
    expect(await chain(id)).toEqual(sealed);
  });

  it('lets nobody delegate under it again, while its open children delegate on', async () => {
    const { id } = await openTeam(api.world, 'none');
    const { id: child } = await openChild(api.world, id, null);
    await fulfilled(api.world, id);
    expectProblem(
      await performer().post('/v1/records', childBody(id, worker)),
      422,
      'UNPROCESSABLE_STATE',
      { parentRecordId: id },
    );
    expect((await performer().post('/v1/records', childBody(child, worker))).status).toBe(201);
  });

  it('a child that is remediated after its parent ended writes nothing on it', async () => {
    const {
      id,
      children: [child],
    } = await withEnded('none', 'principal', ['failed']);
    await fulfilled(api.world, id);
    const sealed = await chain(id);
    const { latestCompletionId } = await read(child);
    await ok(
      performer().post(at(child, '/verdict'), {
        verdict: 'accept',
        completionId: latestCompletionId,
      }),
    );
    expect(await chain(id)).toEqual(sealed);
  });
});

it('a notarize-only type cannot wait for children, and the gate id cascade is taken', async () => {
  expect(
    (
      await api.world.admin.post('/v1/schemas', {
        type: 'sealed-team',
        completionSchema: {},
        cascade: { rule: 'all-fulfilled' },
      })
    ).status,
  ).toBe(422);
  expect(
    (
      await api.world.admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'own-cascade',
        gates: [{ id: 'cascade', description: 'x', expression: 'true' }],
      })
    ).status,
  ).toBe(422);
});
