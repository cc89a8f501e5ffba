import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { both, expectNoFault, RACE_ROUNDS, type Node } from '../support/runner/race.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import {
  freshSecrets,
  readStored,
  verifyExports,
  type Stored,
} from '../support/databases/stored-chains.ts';
import {
  childBody,
  registerTeams,
  teamName,
  type Mode,
  type Party,
  type Rule,
} from '../support/stories/tree.ts';
import {
  addAgent,
  Client,
  createWorld,
  GOAL,
  JOB_TYPE,
  ok,
  sleep,
  type Answer,
  type Body,
  type World,
} from '../support/service/world.ts';

const mysql = databases().find(({ name }) => name === 'mysql');
const sqlite = databases().find(({ name }) => name === 'sqlite')!;

/** On SQLite one process takes both calls; on MySQL two processes take one each. */
describe.each([
  { where: 'one process on SQLite', kind: sqlite, processes: 1 },
  ...(mysql ? [{ where: 'two processes on one MySQL database', kind: mysql, processes: 2 }] : []),
])('$where', ({ kind, processes }) => {
  let database: TestDatabase;
  const started: ServiceProcess[] = [];
  const nodes = {} as Record<Node, ServiceProcess>;
  let world: World;
  let worker: Party;
  let fingerprint: string;

  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    const env = { DATABASE_URL: database.url, ...freshSecrets() };
    for (let count = 0; count < processes; count++) started.push(new ServiceProcess(env));
    [nodes.a, nodes.b] = [started[0]!, started.at(-1)!];
    const first = await nodes.a.bootstrap();
    fingerprint = first.signingKeyFingerprint;
    await Promise.all(started.map((node) => node.start()));
    world = await createWorld(nodes.a.url, first.apiKey);
    worker = await addAgent(world.admin, world.orgId, 'worker');
    await registerTeams(world.admin);
    await ok(
      world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'brief', disputeWindowSeconds: 1 }),
    );
  });
  afterAll(async () => {
    await Promise.all(started.map((node) => node.stop('SIGKILL')));
    await database?.drop();
    for (const node of started) rmSync(node.directory, { recursive: true, force: true });
  });

  const at = (client: Client, node: Node): Client => new Client(nodes[node].url, client.key);
  const principal = (node: Node): Client => at(world.principal.client, node);
  const performer = (node: Node): Client => at(world.performer.client, node);
  const working = (node: Node): Client => at(worker.client, node);

  const openParent = async (rule: Rule, mode: Mode = 'principal'): Promise<string> =>
    String(
      (
        await ok(
          principal('a').post('/v1/records', {
            type: teamName(rule, mode),
            criteria: GOAL,
            performerAgentId: world.performer.id,
            autoActivate: true,
          }),
        )
      )['id'],
    );
  const openChild = async (parent: string): Promise<string> =>
    String((await ok(delegate(parent, 'b')))['id']);
  const delegate = (parent: string, node: Node): Promise<Answer<Body>> =>
    performer(node).post('/v1/records', childBody(parent, worker));
  const submit = (client: Client, id: string): Promise<Answer<Body>> =>
    client.post(`/v1/records/${id}/completions`, { evidence: { score: 9 } });
  const cancel = (client: Client, id: string, cascade?: boolean): Promise<Answer<Body>> =>
    client.post(`/v1/records/${id}/cancel`, cascade === undefined ? {} : { cascade });
  const verdict = (client: Client, id: string, completionId: string): Promise<Answer<Body>> =>
    client.post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId });
  const delivered = async (id: string): Promise<string> =>
    String((await ok(submit(working('b'), id)))['id']);
  const status = async (id: string): Promise<string> =>
    String((await ok(at(world.platform, 'b').get(`/v1/records/${id}`)))['status']);
  const entries = async (id: string): Promise<Body[]> =>
    (await ok(at(world.platform, 'a').get(`/v1/records/${id}/audit-export`)))['chain']
      .entries as Body[];
  const kinds = async (id: string): Promise<string[]> =>
    (await entries(id)).map(({ entryType }) => String(entryType));

  const rounds = async (race: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; round < RACE_ROUNDS; round++) await race(round);
  };

  /** The cascade was verified once, and lists each child as it ended, with the head that it had then. */
  const expectOneVerification = async (
    parent: string,
    children: readonly string[],
    statuses: readonly string[],
  ): Promise<void> => {
    const verified = (await entries(parent)).filter(
      ({ entryType }) => entryType === 'CASCADE_VERIFIED',
    );
    expect(verified).toHaveLength(1);
    const heads = await Promise.all(
      children.map(async (id, index) => ({
        id,
        status: statuses[index],
        headHash: (await entries(id)).at(-1)!['hash'],
        disputed: false,
      })),
    );
    expect(verified[0]!['statement'].predicate.children).toEqual(heads);
  };

  it('of two last children that end at once, one verifies the cascade, and lists both', async () => {
    await rounds(async (round) => {
      const parent = await openParent('all-fulfilled');
      const children = [await openChild(parent), await openChild(parent)] as const;
      const completions = [await delivered(children[0]), await delivered(children[1])] as const;
      const answers = await both(
        round,
        (node) => verdict(performer(node), children[0], completions[0]),
        (node) => verdict(performer(node), children[1], completions[1]),
      );
      expect(
        answers.map((answer) => answer.status),
        JSON.stringify(answers.map(({ body }) => body['detail'])),
      ).toEqual([200, 200]);
      await expectOneVerification(parent, children, ['FULFILLED', 'FULFILLED']);
      expect((await submit(performer('a'), parent)).status).toBe(201);
    });
  });

  it('of an acceptance and a cancel of the two last children as well', async () => {
    await rounds(async (round) => {
      const parent = await openParent('any-fulfilled', 'auto');
      const children = [await openChild(parent), await openChild(parent)] as const;
      const completionId = await delivered(children[0]);
      const answers = await both(
        round,
        (node) => verdict(performer(node), children[0], completionId),
        (node) => cancel(performer(node), children[1]),
      );
      expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
      await expectOneVerification(parent, children, ['FULFILLED', 'CANCELLED']);
      expect((await submit(performer('b'), parent)).body).toMatchObject({
        recordStatus: 'FULFILLED',
      });
    });
  });

  it('of six children that end at once, one end verifies the cascade, and lists all', async () => {
    for (let round = 0; round < 4; round++) {
      const parent = await openParent('quorum');
      const children: string[] = [];
      for (let child = 0; child < 6; child++) children.push(await openChild(parent));
      const answers = await Promise.all(
        children.map((id, index) => cancel(performer(index % 2 === 0 ? 'a' : 'b'), id)),
      );
      expect(answers.map((answer) => answer.status)).toEqual(children.map(() => 200));
      await expectOneVerification(
        parent,
        children,
        children.map(() => 'CANCELLED'),
      );
    }
  });

  it.each<[Rule, Mode]>([
    ['all-fulfilled', 'principal'],
    ['all-fulfilled', 'auto'],
    ['none', 'principal'],
  ])(
    'a delegation and a completion of the parent (%s, %s) take effect one after the other, or one alone',
    async (rule, mode) => {
      await rounds(async (round) => {
        const parent = await openParent(rule, mode);
        const [delegation, completion] = await both(
          round,
          (node) => delegate(parent, node),
          (node) => submit(performer(node), parent),
        );
        expectNoFault([delegation, completion]);
        const chain = await kinds(parent);
        expect(chain.filter((kind) => kind === 'CHILD_DELEGATED')).toHaveLength(
          delegation.status === 201 ? 1 : 0,
        );
        expect(chain.filter((kind) => kind === 'COMPLETION_SUBMITTED')).toHaveLength(
          completion.status === 201 ? 1 : 0,
        );
        if (completion.status === 201) {
          // What is delivered has nothing delegated after it, and nothing open before it where the rule waits.
          expect(chain.slice(chain.indexOf('COMPLETION_SUBMITTED'))).not.toContain(
            'CHILD_DELEGATED',
          );
          if (rule !== 'none') expect(delegation.status).toBe(422);
        } else {
          expect([completion.status, completion.body['reason'], delegation.status]).toEqual([
            422,
            'children_not_terminal',
            201,
          ]);
        }
        if (delegation.status !== 201)
          expect(delegation.body).toMatchObject({
            code: 'UNPROCESSABLE_STATE',
            parentRecordId: parent,
          });
      });
    },
  );

  it('a delegation and a cancel of the parent: a child stands only under a parent that was open', async () => {
    await rounds(async (round) => {
      const parent = await openParent('all-fulfilled');
      const [delegation, cancelled] = await both(
        round,
        (node) => delegate(parent, node),
        (node) => cancel(principal(node), parent),
      );
      expectNoFault([delegation, cancelled]);
      if (cancelled.status === 200) {
        expect(delegation.body).toMatchObject({
          code: 'UNPROCESSABLE_STATE',
          parentRecordId: parent,
          currentState: 'CANCELLED',
        });
        expect(await kinds(parent)).toEqual([
          'RECORD_CREATED',
          'RECORD_CANCELLED',
          'SIGNAL_EMITTED',
        ]);
      } else {
        expect([delegation.status, cancelled.status, cancelled.body['reason']]).toEqual([
          201,
          422,
          'children_not_terminal',
        ]);
        expect(await kinds(parent)).toEqual(['RECORD_CREATED', 'CHILD_DELEGATED']);
      }
    });
  });

  it('a delegation and a cancel with cascade: no child is left open below', async () => {
    await rounds(async (round) => {
      const parent = await openParent('all-fulfilled');
      const [delegation, cancelled] = await both(
        round,
        (node) => delegate(parent, node),
        (node) => cancel(principal(node), parent, true),
      );
      expectNoFault([delegation, cancelled]);
      expect([cancelled.status, cancelled.body['status']]).toEqual([200, 'CANCELLED']);
      if (delegation.status === 201)
        expect(await status(String(delegation.body['id']))).toBe('CANCELLED');
      else
        expect(delegation.body).toMatchObject({
          code: 'UNPROCESSABLE_STATE',
          currentState: 'CANCELLED',
        });
    });
  });

  it('a cancel with cascade and a completion of a child take effect one after the other, or the cancel alone', async () => {
    await rounds(async (round) => {
      const parent = await openParent('all-fulfilled');
      const child = await openChild(parent);
      const [cancelled, completion] = await both(
        round,
        (node) => cancel(principal(node), parent, true),
        (node) => submit(working(node), child),
      );
      expectNoFault([cancelled, completion]);
      expect(cancelled.status).toBe(200);
      expect(await kinds(child)).toEqual([
        'RECORD_CREATED',
        ...(completion.status === 201 ? ['COMPLETION_SUBMITTED'] : []),
        'RECORD_CANCELLED',
        'SIGNAL_EMITTED',
      ]);
      if (completion.status !== 201)
        expect(completion.body).toMatchObject({
          code: 'UNPROCESSABLE_STATE',
          currentState: 'CANCELLED',
        });
    });
  });

  it('of a cancel with cascade and the end of the last child, each takes effect once', async () => {
    await rounds(async (round) => {
      const parent = await openParent('all-fulfilled');
      const child = await openChild(parent);
      const completionId = await delivered(child);
      const [cancelled, ended] = await both(
        round,
        (node) => cancel(principal(node), parent, true),
        (node) => verdict(performer(node), child, completionId),
      );
      expectNoFault([cancelled, ended]);
      expect(cancelled.status).toBe(200);
      const states = [await status(parent), await status(child)];
      if (ended.status === 200) {
        expect(states).toEqual(['CANCELLED', 'FULFILLED']);
        expect(await kinds(parent)).toEqual([
          'RECORD_CREATED',
          'CHILD_DELEGATED',
          'CASCADE_VERIFIED',
          'RECORD_CANCELLED',
          'SIGNAL_EMITTED',
        ]);
      } else {
        expect(states).toEqual(['CANCELLED', 'CANCELLED']);
        expect(ended.body).toMatchObject({
          code: 'UNPROCESSABLE_STATE',
          currentState: 'CANCELLED',
        });
      }
    });
  });

  it('a completion of the parent and the end of its last child: delivered only once no child is open', async () => {
    await rounds(async (round) => {
      const parent = await openParent('all-fulfilled', 'auto');
      const child = await openChild(parent);
      const completionId = await delivered(child);
      const [completion, ended] = await both(
        round,
        (node) => submit(performer(node), parent),
        (node) => verdict(performer(node), child, completionId),
      );
      expectNoFault([completion, ended]);
      expect(ended.status).toBe(200);
      if (completion.status === 201)
        expect(completion.body).toMatchObject({ recordStatus: 'FULFILLED' });
      else expect(completion.body).toMatchObject({ reason: 'children_not_terminal' });
      await expectOneVerification(parent, [child], ['FULFILLED']);
    });
  });

  it('all over one tree at once, from both sides and on every level, nothing deadlocks into a fault', async () => {
    for (let round = 0; round < 4; round++) {
      const root = await openParent('all-fulfilled');
      const middles = await Promise.all(
        [0, 1, 2].map(async () =>
          String((await ok(performer('a').post('/v1/records', childBody(root, null))))['id']),
        ),
      );
      const leaves = await Promise.all(
        middles.flatMap((middle) => [openChild(middle), openChild(middle)]),
      );
      const answers = await Promise.all([
        ...leaves.map((leaf, index) =>
          index % 2 === 0 ? submit(working('a'), leaf) : cancel(performer('b'), leaf),
        ),
        ...middles.map((middle, index) =>
          index === 0 ? cancel(performer('b'), middle, true) : delegate(middle, 'a'),
        ),
        delegate(root, 'b'),
        performer('a').post(`/v1/records/${root}/transition`, { action: 'verify-cascade' }),
        principal('b').post(`/v1/records/${middles[1]}/references`, {
          kind: 'ticket',
          uri: 'https://tickets.example/4',
        }),
        performer('b').post(`/v1/records/${root}/references`, {
          kind: 'ticket',
          uri: 'https://tickets.example/5',
        }),
      ]);
      expectNoFault(answers);
      expect((await cancel(principal('b'), root, true)).status).toBe(200);
      const { nodes: shown } = await ok(at(world.platform, 'a').get(`/v1/records/${root}/chain`));
      expect(
        (shown as Body[]).filter((node) =>
          ['CREATED', 'PROPOSED', 'ACTIVE', 'REVISION_REQUESTED'].includes(String(node['status'])),
        ),
      ).toEqual([]);
    }
  });

  it('a window to dispute that goes by while both look releases once', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 10; count++) {
      const { id } = await ok(
        principal('a').post('/v1/records', {
          type: 'brief',
          criteria: GOAL,
          performerAgentId: worker.id,
          autoActivate: true,
        }),
      );
      await ok(
        principal('b').post(`/v1/records/${id}/verdict`, {
          verdict: 'reject',
          completionId: await delivered(String(id)),
        }),
      );
      ids.push(String(id));
    }
    await sleep(1050);
    expectNoFault(
      await Promise.all(
        ids.flatMap((id) => [
          principal('a').get(`/v1/records/${id}`),
          principal('b').get(`/v1/records/${id}`),
        ]),
      ),
    );
    await expect
      .poll(async () => (await Promise.all(ids.map(kinds))).filter(({ length }) => length < 5))
      .toEqual([]);
    await sleep(1500);
    for (const id of ids) {
      expect(
        (await entries(id))
          .filter(({ entryType }) => entryType === 'SIGNAL_EMITTED')
          .map((entry) => entry['statement'].predicate.recommendation),
      ).toEqual(['HOLD', 'RELEASE']);
    }
  });

  it('after all of it there is no fork and no gap, and every chain verifies by the pinned fingerprint', async () => {
    const stored: Stored = await readStored(database);
    expect(stored.faults).toEqual([]);
    expect(
      await verifyExports(at(world.platform, 'b'), [...stored.records.keys()], fingerprint),
    ).toEqual([]);
  });
});
