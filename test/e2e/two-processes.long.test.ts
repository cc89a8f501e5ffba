import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORM_CHAIN, schemaChain } from '../../domain/vault/chain-key.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { until } from '../support/peers/receiver.ts';
import { RACE_ROUNDS } from '../support/runner/race.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import {
  freshSecrets,
  inParallel,
  readStored,
  verifyExports,
  type Stored,
} from '../support/databases/stored-chains.ts';
import {
  Client,
  JOB_TYPE,
  createWorld,
  ok,
  type Answer,
  type Body,
  type World,
} from '../support/service/world.ts';

const mysql = databases().find(({ name }) => name === 'mysql');

type Node = 'a' | 'b';
type Side = 'principal' | 'performer';

describe.skipIf(!mysql)('two processes on one MySQL database', () => {
  let database: TestDatabase;
  const nodes = {} as Record<Node, ServiceProcess>;
  let world: World;
  let apiKey: string;
  let fingerprint: string;

  beforeAll(async () => {
    database = await mysql!.open({ migrated: false });
    const env = { DATABASE_URL: database.url, ...freshSecrets() };
    nodes.a = new ServiceProcess(env);
    nodes.b = new ServiceProcess(env);
    await Promise.all([nodes.a.start(), nodes.b.start()]);
    const firsts = await Promise.all([
      nodes.a.run('bootstrap', '--json'),
      nodes.b.run('bootstrap', '--json'),
    ]);
    expect(firsts.map(({ code }) => code).sort(), JSON.stringify(firsts)).toEqual([0, 1]);
    const first = JSON.parse(firsts.find(({ code }) => code === 0)!.stdout) as {
      apiKey: string;
      signingKeyFingerprint: string;
    };
    ({ apiKey, signingKeyFingerprint: fingerprint } = first);
    world = await createWorld(nodes.a.url, apiKey);
  });
  afterAll(async () => {
    await Promise.all([nodes.a?.stop('SIGKILL'), nodes.b?.stop('SIGKILL')]);
    await database?.drop();
    for (const node of Object.values(nodes))
      rmSync(node.directory, { recursive: true, force: true });
  });

  const as = (side: Side | 'admin' | 'platform', node: Node): Client =>
    new Client(
      nodes[node].url,
      side === 'admin' || side === 'platform' ? world[side].key : world[side].client.key,
    );

  /** Two calls at once, one to each process; every other round the processes change places. */
  const both = (
    round: number,
    one: (node: Node) => Promise<Answer<Body>>,
    other: (node: Node) => Promise<Answer<Body>>,
  ): Promise<readonly [Answer<Body>, Answer<Body>]> =>
    round % 2 === 0 ? Promise.all([one('a'), other('b')]) : Promise.all([one('b'), other('a')]);

  const active = async (type = 'job'): Promise<Body> =>
    ok(
      as('principal', 'a').post('/v1/records', {
        type,
        criteria: { goal: 'g', threshold: 5 },
        performerAgentId: world.performer.id,
        autoActivate: true,
      }),
    );
  const submit = (id: string, node: Node): Promise<Answer<Body>> =>
    as('performer', node).post(`/v1/records/${id}/completions`, { evidence: { score: 7 } });
  const pending = async (): Promise<{ id: string; completionId: string; version: number }> => {
    const { id } = await active();
    const { id: completionId } = await ok(submit(id, 'b'));
    return { id, completionId, version: 2 };
  };
  const verdict = (
    record: { id: string; completionId: string },
    decision: 'accept' | 'reject',
    node: Node,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> =>
    as('principal', node).post(
      `/v1/records/${record.id}/verdict`,
      { verdict: decision, completionId: record.completionId },
      headers,
    );
  const act = (side: Side, id: string, action: string, node: Node): Promise<Answer<Body>> =>
    as(side, node).post(`/v1/records/${id}/${action}`, {});

  const rounds = async (
    race: (round: number) => Promise<string>,
  ): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const outcome = await race(round);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    return counts;
  };

  /** Exactly one was carried out; the other is a refusal of the catalogue that names the state it met. */
  const oneWinner = (answers: readonly Answer<Body>[], state: string): number => {
    const told = answers
      .map(
        ({ status, body }) =>
          `${status} ${body['code'] ?? body['status'] ?? ''} ${body['detail'] ?? ''}`,
      )
      .join(' | ');
    const winner = answers.findIndex(({ status }) => status < 300);
    expect(
      answers.filter(({ status }) => status < 300),
      told,
    ).toHaveLength(1);
    const loser = answers[1 - winner]!;
    expect([409, 422], told).toContain(loser.status);
    expect(loser.body, told).toMatchObject({
      code: 'UNPROCESSABLE_STATE',
      currentState: state,
      retryable: false,
    });
    return winner;
  };

  /** What happened to a record; the signals that follow from it are left out. */
  const entriesOf = async (id: string): Promise<readonly string[]> => {
    const audit = await ok(as('platform', 'b').get(`/v1/records/${id}/audit-export`));
    return (audit['chain'].entries as Body[])
      .map((entry) => String(entry['entryType']))
      .filter((type) => type !== 'SIGNAL_EMITTED');
  };

  it('started at once on an empty database, they end with one hub, one signing key and one first platform key', async () => {
    const [a, b] = await Promise.all([
      as('platform', 'a').get('/v1/verification-keys'),
      as('platform', 'b').get('/v1/verification-keys'),
    ]);
    expect(a.body['data']).toHaveLength(1);
    expect(b.body['data']).toEqual(a.body['data']);
    const keys = await database.raw("SELECT id FROM api_keys WHERE role = 'platform'");
    expect(keys).toHaveLength(1);
    expect((await readStored(database)).faults).toEqual([]);
  });

  it.each(['accept', 'reject'] as const)(
    'of two verdicts to %s, one is rendered',
    async (decision) => {
      await rounds(async (round) => {
        const record = await pending();
        const answers = await both(
          round,
          (node) => verdict(record, decision, node),
          (node) => verdict(record, decision, node),
        );
        // A rejection may be overridden by an acceptance, never repeated.
        const winner = oneWinner(answers, decision === 'accept' ? 'FULFILLED' : 'FAILED');
        expect(await entriesOf(record.id)).toEqual([
          'RECORD_CREATED',
          'COMPLETION_SUBMITTED',
          'VERDICT_RENDERED',
        ]);
        return String(winner);
      });
    },
  );

  it('of an acceptance and a rejection of the same version, one is rendered', async () => {
    await rounds(async (round) => {
      const record = await pending();
      const ifMatch = { 'If-Match': `"${record.version}"` };
      const answers = await both(
        round,
        (node) => verdict(record, 'accept', node, ifMatch),
        (node) => verdict(record, 'reject', node, ifMatch),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      expect(await entriesOf(record.id)).toEqual([
        'RECORD_CREATED',
        'COMPLETION_SUBMITTED',
        'VERDICT_RENDERED',
      ]);
      return String(answers[0].status);
    });
  });

  it('an acceptance and a rejection take effect one after the other: the later one gets the answer of the new state', async () => {
    await rounds(async (round) => {
      const record = await pending();
      const [accepted, rejected] = await both(
        round,
        (node) => verdict(record, 'accept', node),
        (node) => verdict(record, 'reject', node),
      );
      if (rejected.status === 200) {
        // An acceptance after a rejection overrides it: records.md part 3.
        expect([accepted.status, accepted.body['status'], rejected.body['status']]).toEqual([
          200,
          'REMEDIATED',
          'FAILED',
        ]);
        expect(await entriesOf(record.id)).toEqual([
          'RECORD_CREATED',
          'COMPLETION_SUBMITTED',
          'VERDICT_RENDERED',
          'VERDICT_RENDERED',
        ]);
        return 'rejected, then overridden';
      }
      oneWinner([accepted, rejected], 'FULFILLED');
      expect(await entriesOf(record.id)).toEqual([
        'RECORD_CREATED',
        'COMPLETION_SUBMITTED',
        'VERDICT_RENDERED',
      ]);
      return 'accepted';
    });
  });

  it('of a cancel and a verdict, one wins', async () => {
    await rounds(async (round) => {
      const record = await pending();
      const answers = await both(
        round,
        (node) => act('principal', record.id, 'cancel', node),
        (node) => verdict(record, 'accept', node),
      );
      const winner = oneWinner(answers, answers[0].status === 200 ? 'CANCELLED' : 'FULFILLED');
      expect(await entriesOf(record.id)).toEqual([
        'RECORD_CREATED',
        'COMPLETION_SUBMITTED',
        winner === 0 ? 'RECORD_CANCELLED' : 'VERDICT_RENDERED',
      ]);
      return String(winner);
    });
  });

  it('a submission and a cancel of the principal take effect one after the other, or the cancel alone', async () => {
    await rounds(async (round) => {
      const { id } = await active();
      const [submitted, cancelled] = await both(
        round,
        (node) => submit(id, node),
        (node) => act('principal', id, 'cancel', node),
      );
      expect([cancelled.status, cancelled.body['status']]).toEqual([200, 'CANCELLED']);
      if (submitted.status === 201) {
        expect(await entriesOf(id)).toEqual([
          'RECORD_CREATED',
          'COMPLETION_SUBMITTED',
          'RECORD_CANCELLED',
        ]);
        return 'both';
      }
      oneWinner([submitted, cancelled], 'CANCELLED');
      expect(await entriesOf(id)).toEqual(['RECORD_CREATED', 'RECORD_CANCELLED']);
      return 'cancel';
    });
  });

  it('of a submission and a cancel of the performer, one wins', async () => {
    await rounds(async (round) => {
      const { id } = await active();
      const [submitted, cancelled] = await both(
        round,
        (node) => submit(id, node),
        (node) => act('performer', id, 'cancel', node),
      );
      if (submitted.status === 201) {
        // Once a completion is pending, a cancel is the principal's alone: a matter of the side, not of the state.
        expect([cancelled.status, cancelled.body['allowedActors']]).toEqual([403, ['principal']]);
      } else oneWinner([submitted, cancelled], 'CANCELLED');
      expect(await entriesOf(id)).toEqual([
        'RECORD_CREATED',
        submitted.status === 201 ? 'COMPLETION_SUBMITTED' : 'RECORD_CANCELLED',
      ]);
      return String(submitted.status);
    });
  });

  it('of an acceptance and a rejection of one proposal, one wins', async () => {
    await rounds(async (round) => {
      const { id } = await ok(
        as('principal', 'a').post('/v1/records', {
          type: 'job',
          criteria: { goal: 'g', threshold: 5 },
          performerAgentId: world.performer.id,
        }),
      );
      const answers = await both(
        round,
        (node) => act('performer', id as string, 'accept', node),
        (node) => act('performer', id as string, 'reject', node),
      );
      const winner = oneWinner(answers, answers[0].status === 200 ? 'ACTIVE' : 'REJECTED');
      expect(await entriesOf(id as string)).toEqual([
        'RECORD_PROPOSED',
        winner === 0 ? 'PROPOSAL_ACCEPTED' : 'PROPOSAL_REJECTED',
      ]);
      return String(winner);
    });
  });

  it('of two submissions, one is delivered', async () => {
    await rounds(async (round) => {
      const { id } = await active();
      const answers = await both(
        round,
        (node) => submit(id as string, node),
        (node) => submit(id as string, node),
      );
      const winner = oneWinner(answers, 'ACTIVE');
      expect(await entriesOf(id as string)).toEqual(['RECORD_CREATED', 'COMPLETION_SUBMITTED']);
      return String(winner);
    });
  });

  it('a submission in auto mode and two evaluations of it decide once', async () => {
    const holder = await createConnection(database.url);
    /** How many transactions wait for a lock. */
    const inLine = async (): Promise<number> => {
      const [row] = await database.raw(
        "SELECT COUNT(*) AS count FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE() AND t.trx_state = 'LOCK WAIT'",
      );
      return Number(row!['count']);
    };
    try {
      const outcomes = await rounds(async (round) => {
        const [near, far] = round % 2 === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const);
        const { id } = await active('auto-job');
        // The row is held until both processes wait for it in line, so that an evaluation meets the submission before it decides by itself. Within a process one waits for the other.
        await holder.beginTransaction();
        await holder.query('SELECT id FROM records WHERE id = ? FOR UPDATE', [
          Buffer.from((id as string).replaceAll('-', ''), 'hex'),
        ]);
        const submission = submit(id as string, near);
        await until(async () => (await inLine()) >= 1);
        const evaluations = [far, near].map((node) =>
          as('principal', node).post(`/v1/records/${id}/transition`, { action: 'evaluate' }),
        );
        await until(async () => (await inLine()) >= 2);
        await holder.commit();
        const submitted = await submission;
        const evaluated = await Promise.all(evaluations);
        expect(submitted.status, JSON.stringify(submitted.body)).toBe(201);
        for (const { status, body } of evaluated.filter((answer) => answer.status !== 200)) {
          expect([status, body['code'], body['currentState']]).toEqual([
            422,
            'INVALID_ACTION',
            expect.stringMatching(/^(ACTIVE|FULFILLED)$/),
          ]);
        }
        const won = evaluated.filter(({ status }) => status === 200).length;
        expect(won).toBeLessThanOrEqual(1);
        expect(await entriesOf(id as string)).toEqual([
          'RECORD_CREATED',
          'COMPLETION_SUBMITTED',
          'GATE_EVALUATED',
        ]);
        return won === 1 ? 'an evaluation' : 'the submission';
      });
      expect(
        outcomes.get('an evaluation') ?? 0,
        'no evaluation ever met an undecided completion',
      ).toBeGreaterThan(0);
    } finally {
      await holder.end();
    }
  });

  it('a hundred administrative acts through both are a hundred entries of one platform chain', async () => {
    const before = platformChain(await readStored(database)).length;
    const names = Array.from({ length: 100 }, (_, index) => `agent-${index}`);
    const answers: Answer<Body>[] = [];
    await inParallel(16, names, async (name) => {
      answers.push(
        await as('admin', Number(name.slice(6)) % 2 === 0 ? 'a' : 'b').post('/v1/admin/agents', {
          name,
          orgId: world.orgId,
        }),
      );
    });
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const stored = await readStored(database);
    expect(stored.faults).toEqual([]);
    const added = platformChain(stored).slice(before);
    expect(added.map(({ entryType }) => entryType)).toEqual(names.map(() => 'AGENT_CREATED'));
    expect(new Set(added.map(({ predicate }) => predicate['agentId']))).toEqual(
      new Set(answers.map(({ body }) => body['id'])),
    );
  });

  it('the first entries of a chain that nobody wrote before can come through both at once', async () => {
    await rounds(async (round) => {
      const org = await ok(
        as('platform', 'a').post('/v1/admin/orgs', {
          name: `Fresh ${round}`,
          bootstrapAdmin: true,
        }),
      );
      const register = (type: string) => (node: Node) =>
        new Client(nodes[node].url, org['bootstrapKey'].apiKey as string).post('/v1/schemas', {
          ...JOB_TYPE,
          type,
        });
      const answers = await both(round, register('one'), register('other'));
      expect(
        answers.map(({ status }) => status),
        JSON.stringify(answers.map(({ body }) => body['detail'])),
      ).toEqual([201, 201]);
      expect(answers.map(({ body }) => body['signedStatement'].position).sort()).toEqual([1, 2]);
      return '';
    });
  });

  it('a key that one revoked opens nothing at the other within a second', async () => {
    const minted = await ok(
      as('admin', 'a').post('/v1/admin/api-keys', {
        role: 'agent',
        ownerType: 'agent',
        ownerId: world.principal.id,
        scopeProfile: 'agent-full',
      }),
    );
    const elsewhere = new Client(nodes.b.url, minted['apiKey'] as string);
    expect((await elsewhere.get('/v1/auth/me')).status).toBe(200);
    expect(
      (
        await as('admin', 'a').call('PATCH', `/v1/admin/api-keys/${minted['keyId']}`, {
          isActive: false,
          reason: 'lost',
        })
      ).status,
    ).toBe(200);
    await sleep(1000);
    expect((await elsewhere.get('/v1/auth/me')).status).toBe(401);
  });

  it('of two manifests for one version of a type, one is registered', async () => {
    await rounds(async (round) => {
      const register = (title: string) => (node: Node) =>
        as('admin', node).post('/v1/schemas', {
          ...JOB_TYPE,
          type: `raced-${round}`,
          version: 1,
          title,
        });
      const answers = await both(round, register('one'), register('other'));
      const told = JSON.stringify(
        answers.map(({ status, body }) => [status, body['code'], body['detail']]),
      );
      expect(answers.map(({ status }) => status).sort(), told).toEqual([201, 409]);
      const [winner, loser] = answers[0].status === 201 ? answers : [answers[1], answers[0]];
      expect(loser.body).toMatchObject({
        code: 'CONFLICTING_VERSION',
        existingDigest: winner.body['manifestDigest'],
      });
      return String(answers[0].status);
    });
    const schemas = (await readStored(database)).chains.get(schemaChain(world.orgId)) ?? [];
    expect(
      schemas.filter(({ predicate }) => String(predicate['type']).startsWith('raced-')),
    ).toHaveLength(RACE_ROUNDS);
  });

  it('a deadline takes effect once, on whichever node sees it first, and a completion that races it has one winner', async () => {
    const ref = `deadline-${randomUUID()}`;
    const open = (ttlSeconds: number): Promise<Body> =>
      ok(
        as('principal', 'a').post('/v1/records', {
          type: 'job',
          criteria: { goal: 'g', threshold: 5 },
          performerAgentId: world.performer.id,
          autoActivate: true,
          ttlSeconds,
          platformRef: ref,
        }),
      );
    const records = await Promise.all(Array.from({ length: 30 }, () => open(2)));
    // Half of them are delivered at about the moment of their deadline.
    const raced = records.slice(0, 15).map(async ({ id, expiresAt }, index) => {
      await sleep(Math.max(0, Date.parse(expiresAt) - Date.now() - 20 + index * 3));
      return submit(String(id), index % 2 === 0 ? 'a' : 'b');
    });
    const answers = await Promise.all(raced);
    for (const { status, body } of answers)
      expect([201, 422], JSON.stringify(body)).toContain(status);
    const due = records.length - answers.filter(({ status }) => status === 201).length;
    await until(async () => {
      const { total } = await ok(
        as('principal', 'b').get(`/v1/records?platformRef=${ref}&status=EXPIRED`),
      );
      return Number(total) >= due;
    });
    const { chains } = await readStored(database);
    for (const { id } of records) {
      const types = (chains.get(String(id)) ?? []).map(({ predicate }) =>
        String(predicate['entryType']),
      );
      expect([
        ['RECORD_CREATED', 'RECORD_EXPIRED', 'SIGNAL_EMITTED'],
        ['RECORD_CREATED', 'COMPLETION_SUBMITTED'],
      ]).toContainEqual(types);
    }
  });

  it('a version that one registers while the other disables all of them is seen or comes after, and each act is one entry', async () => {
    const ends = new Map<string, string>();
    await rounds(async (round) => {
      const type = `turned-${round}`;
      const admin = (node: Node): Client => as('admin', node);
      await ok(admin('a').post('/v1/schemas', { ...JOB_TYPE, type }));
      const [registered, disabled] = await both(
        round,
        (node) => admin(node).post('/v1/schemas', { ...JOB_TYPE, type, title: 'second' }),
        (node) => admin(node).patch(`/v1/schemas/${type}`, { status: 'disabled' }),
      );
      expect(
        [registered.status, disabled.status],
        JSON.stringify([registered.body, disabled.body]),
      ).toEqual([201, 200]);
      const meant = disabled.body['versions'] as Body[];
      const after =
        registered.body['signedStatement'].position >
        disabled.body['versions'].at(-1).signedStatement.position;
      expect(meant).toHaveLength(after ? 1 : 2);
      ends.set(type, after ? 'active' : 'disabled');
      return after ? 'after' : 'before';
    });
    await sleep(1000);
    for (const [type, status] of ends)
      expect((await ok(as('admin', 'a').get(`/v1/schemas/${type}?version=2`)))['status']).toBe(
        status,
      );
    expect((await readStored(database)).faults).toEqual([]);
  });

  it('of two deletions of a type, one deletes; no record loses its manifest to one', async () => {
    for (let round = 0; round < 3; round++) {
      const type = `dropped-${round}`;
      await ok(as('admin', 'a').post('/v1/schemas', { ...JOB_TYPE, type }));
      // The other process has the type in its cache and goes on using it for a while.
      const create = (): Promise<Answer<Body>> =>
        as('principal', 'b').post('/v1/records', {
          type,
          criteria: { goal: 'g', threshold: 5 },
          performerAgentId: world.performer.id,
          autoActivate: true,
        });
      expect(round === 0 ? (await create()).status : 201).toBe(201);
      await ok(as('admin', 'a').patch(`/v1/schemas/${type}`, { status: 'disabled' }));
      const [created, ...removed] = await Promise.all([
        create(),
        ...(['a', 'b'] as const).map((node) =>
          as('admin', node).call<Body>('DELETE', `/v1/schemas/${type}`),
        ),
      ]);
      const statuses = removed.map(({ status }) => status).sort();
      expect(statuses, JSON.stringify(removed.map(({ body }) => body['detail']))).toEqual(
        round === 0 || created.status === 201 ? [409, 409] : [200, 404],
      );
      if (created.status === 201)
        expect((await submit(created.body['id'] as string, 'a')).status).toBe(201);
    }
  });

  it('of two imports of one bundle, one creates', async () => {
    await ok(as('admin', 'a').post('/v1/schemas', { ...JOB_TYPE, type: 'shared' }));
    await sleep(1000);
    const bundle = await ok(as('admin', 'b').get('/v1/schemas/export?type=shared'));
    await rounds(async (round) => {
      const org = await ok(
        as('platform', 'a').post('/v1/admin/orgs', { name: `Importer ${round}` }),
      );
      const answers = await both(
        round,
        ...(['one', 'other'].map(
          () => (node: Node) =>
            as('platform', node).post(`/v1/schemas/import?orgId=${String(org['id'])}`, bundle),
        ) as [(node: Node) => Promise<Answer<Body>>, (node: Node) => Promise<Answer<Body>>]),
      );
      expect(
        answers.map(({ status, body }) => [status, (body['created'] as Body[])?.length]).sort(),
        JSON.stringify(answers.map(({ body }) => body['detail'])),
      ).toEqual([
        [200, 0],
        [200, 1],
      ]);
      return '';
    });
    expect((await readStored(database)).faults).toEqual([]);
  });

  describe('the same Idempotency-Key to both at once has one effect, and both are told of it:', () => {
    /** Both get the one answer; who is told that the first still runs asks again. */
    const sameAnswer = async (
      round: number,
      send: (node: Node, key: string) => Promise<Answer<Body>>,
    ): Promise<readonly Answer<Body>[]> => {
      const key = randomUUID();
      const patient = async (node: Node): Promise<Answer<Body>> => {
        for (let tries = 0; ; tries++) {
          const answer = await send(node, key);
          if (answer.status !== 409 || tries === 600) return answer;
          expect(answer.headers.get('retry-after'), JSON.stringify(answer.body)).toMatch(/^\d+$/);
          await sleep(100);
        }
      };
      const answers = await both(round, patient, patient);
      const told = JSON.stringify(
        answers.map(({ status, body }) => [status, body['code'], body['detail']]),
      );
      expect(answers[0].status, told).toBeLessThan(300);
      expect(answers[1].status, told).toBe(answers[0].status);
      expect(answers[1].body).toEqual(answers[0].body);
      return answers;
    };
    const once = (key: string): Record<string, string> => ({ 'Idempotency-Key': key });

    it('a creation', async () => {
      await rounds(async (round) => {
        const platformRef = randomUUID();
        await sameAnswer(round, (node, key) =>
          as('principal', node).post(
            '/v1/records',
            { type: 'note', criteria: {}, platformRef },
            once(key),
          ),
        );
        expect(
          (await ok(as('principal', 'a').get(`/v1/records?platformRef=${platformRef}`)))['data'],
        ).toHaveLength(1);
        return '';
      });
    });

    it('a bulk of records', async () => {
      await rounds(async (round) => {
        const platformRef = randomUUID();
        const items = Array.from({ length: 6 }, (_, item) => ({
          type: 'note',
          criteria: { item },
          platformRef,
        }));
        const [one] = await sameAnswer(round, (node, key) =>
          as('principal', node).post('/v1/records/bulk', items, once(key)),
        );
        expect(one!.body).toMatchObject({ total: 6, succeeded: 6 });
        expect(
          (await ok(as('principal', 'a').get(`/v1/records?platformRef=${platformRef}`)))['data'],
        ).toHaveLength(6);
        return '';
      });
    });

    it('a submission', async () => {
      await rounds(async (round) => {
        const { id } = await active();
        await sameAnswer(round, (node, key) =>
          as('performer', node).post(
            `/v1/records/${id}/completions`,
            { evidence: { score: 7 } },
            once(key),
          ),
        );
        expect(await entriesOf(id as string)).toEqual(['RECORD_CREATED', 'COMPLETION_SUBMITTED']);
        return '';
      });
    });

    it('a submission in auto mode', async () => {
      await rounds(async (round) => {
        const { id } = await active('auto-job');
        await sameAnswer(round, (node, key) =>
          as('performer', node).post(
            `/v1/records/${id}/completions`,
            { evidence: { score: 7 } },
            once(key),
          ),
        );
        expect(await entriesOf(id as string)).toEqual([
          'RECORD_CREATED',
          'COMPLETION_SUBMITTED',
          'GATE_EVALUATED',
        ]);
        return '';
      });
    });

    it('a verdict', async () => {
      await rounds(async (round) => {
        const record = await pending();
        await sameAnswer(round, (node, key) => verdict(record, 'accept', node, once(key)));
        expect(await entriesOf(record.id)).toEqual([
          'RECORD_CREATED',
          'COMPLETION_SUBMITTED',
          'VERDICT_RENDERED',
        ]);
        return '';
      });
    });

    it('a new agent', async () => {
      const before = platformChain(await readStored(database)).length;
      await rounds(async (round) => {
        await sameAnswer(round, (node, key) =>
          as('admin', node).post(
            '/v1/admin/agents',
            { name: `once-${round}`, orgId: world.orgId },
            once(key),
          ),
        );
        return '';
      });
      expect(platformChain(await readStored(database))).toHaveLength(before + RACE_ROUNDS);
    });
  });

  it('a node that is stopped while it numbers events and goes on later gives no number twice and leaves none out', async () => {
    const note = (node: Node): Promise<Body> =>
      ok(as('principal', node).post('/v1/records', { type: 'note', criteria: {} }));
    const many = (node: Node): Promise<unknown> =>
      Promise.all(Array.from({ length: 20 }, () => note(node)));
    for (let round = 0; round < RACE_ROUNDS; round++) {
      const before = many('a');
      await sleep(Math.random() * 60);
      process.kill(nodes.a.pid, 'SIGSTOP');
      try {
        await many('b');
        await sleep(300);
      } finally {
        process.kill(nodes.a.pid, 'SIGCONT');
      }
      await Promise.all([before, many('a'), many('b')]);
      expect((await readStored(database)).faults).toEqual([]);
    }
  });

  it('after all of it there is no fork and no gap, and every chain verifies by the pinned fingerprint', async () => {
    const stored = await readStored(database);
    expect(stored.faults).toEqual([]);
    const ids = [...stored.records.keys()];
    const half = Math.ceil(ids.length / 2);
    expect(await verifyExports(as('platform', 'a'), ids.slice(0, half), fingerprint)).toEqual([]);
    expect(await verifyExports(as('platform', 'b'), ids.slice(half), fingerprint)).toEqual([]);
    // Closing checkpoints were sealed through both, into one log.
    const [one, other] = await Promise.all([
      verifyExports(as('platform', 'a'), ids.slice(0, 40), fingerprint),
      verifyExports(as('platform', 'b'), ids.slice(0, 40), fingerprint),
    ]);
    expect([...one, ...other]).toEqual([]);
    expect((await readStored(database)).faults).toEqual([]);
  });
});

const platformChain = (stored: Stored): NonNullable<ReturnType<Stored['chains']['get']>> =>
  stored.chains.get(PLATFORM_CHAIN) ?? [];
