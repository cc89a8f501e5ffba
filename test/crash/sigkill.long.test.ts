import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { until } from '../support/peers/receiver.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import {
  freshSecrets,
  inParallel,
  readStored,
  verifyExports,
} from '../support/databases/stored-chains.ts';
import {
  Client,
  createWorld,
  type Answer,
  type Body,
  type World,
} from '../support/service/world.ts';

const ROUNDS = 4;
/** Calls of a round that are acknowledged before its kill. */
const ACKNOWLEDGED = 20;
/** Between two calls of one writer, ms: the rounds must end with few enough records to verify each. */
const PAUSE = 12;

/** One call of a writer, and the answer where it arrived. */
interface Attempt {
  readonly by: 'principal' | 'performer';
  readonly path: string;
  readonly body: unknown;
  readonly key: string | null;
  answer: Answer<Body> | null;
}

type Call = (attempt: Omit<Attempt, 'answer'>) => Promise<Answer<Body>>;
type Writer = (call: Call, ref: () => string, key: () => string | null) => Promise<void>;

const notarize: Writer = async (call, ref, key) => {
  await call({
    by: 'principal',
    path: '/v1/records',
    body: { type: 'note', platformRef: ref(), criteria: { action: 'pay', amount: '12.50' } },
    key: key(),
  });
};

const bulk: Writer = async (call, ref, key) => {
  await call({
    by: 'principal',
    path: '/v1/records/bulk',
    body: Array.from({ length: 5 }, (_, item) => ({
      type: 'note',
      platformRef: ref(),
      criteria: { item },
    })),
    key: key(),
  });
};

const gate =
  (performerAgentId: string): Writer =>
  async (call, ref, key) => {
    const record = await call({
      by: 'principal',
      path: '/v1/records',
      body: {
        type: 'job',
        platformRef: ref(),
        criteria: { goal: 'g', threshold: 5 },
        performerAgentId,
        autoActivate: true,
      },
      key: key(),
    });
    const { id } = record.body;
    const completion = await call({
      by: 'performer',
      path: `/v1/records/${id}/completions`,
      body: { evidence: { score: 7, log: 'done' } },
      key: key(),
    });
    await call({
      by: 'principal',
      path: `/v1/records/${id}/verdict`,
      body: { verdict: 'accept', completionId: completion.body['id'] },
      key: key(),
    });
  };

const auto =
  (performerAgentId: string): Writer =>
  async (call, ref, key) => {
    const record = await call({
      by: 'principal',
      path: '/v1/records',
      body: {
        type: 'auto-job',
        platformRef: ref(),
        criteria: { goal: 'g', threshold: 5 },
        performerAgentId,
        autoActivate: true,
      },
      key: key(),
    });
    await call({
      by: 'performer',
      path: `/v1/records/${record.body['id']}/completions`,
      body: { evidence: { score: 7 } },
      key: key(),
    });
  };

/** Signed statements in an answer: of a record, of a completion, of each item of a bulk. */
const statementsOf = ({
  body,
}: Answer<Body>): readonly { chainKey: string; position: number; hash: string }[] =>
  Array.isArray(body['data'])
    ? body['data'].map((item: Body) => item['record']['signedStatement'])
    : [body['signedStatement']];

const refsOf = (body: unknown): readonly string[] =>
  (Array.isArray(body) ? body : [body]).flatMap((item: Body) =>
    item['platformRef'] ? [String(item['platformRef'])] : [],
  );

/** What an answer is about, whether given first or again. */
const identity = ({ status, body }: Answer<Body>): unknown => [
  status,
  statementsOf({ status, body } as Answer<Body>),
  body['id'] ?? null,
];

describe.each(databases())('on $name, killed by SIGKILL under load', (kind) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let world: World;
  let fingerprint: string;
  const attempts: Attempt[] = [];

  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    service = new ServiceProcess({ DATABASE_URL: database.url, ...freshSecrets() });
    const first = await service.bootstrap();
    fingerprint = first.signingKeyFingerprint;
    await service.start();
    world = await createWorld(service.url, first.apiKey);
  });
  afterAll(async () => {
    await service?.stop('SIGKILL');
    await database?.drop();
    rmSync(service.directory, { recursive: true, force: true });
  });

  const clientOf = (by: Attempt['by']): Client => new Client(service.url, world[by].client.key);

  const send = ({ by, path, body, key }: Omit<Attempt, 'answer'>): Promise<Answer<Body>> =>
    clientOf(by).post(path, body, key === null ? {} : { 'Idempotency-Key': key });

  /** As a client does that honours Retry-After: a call that died between its two transactions counts as running for a few seconds. */
  const sendAgain = async (attempt: Omit<Attempt, 'answer'>): Promise<Answer<Body>> => {
    for (let tries = 1; ; tries++) {
      const answer = await send(attempt);
      const wait = answer.headers.get('retry-after');
      if (answer.status !== 409 || wait === null || tries === 10) return answer;
      await sleep(Number(wait) * 1000);
    }
  };

  /** Sixteen writers until the process dies under them, a while after some of their calls were acknowledged. */
  const loadUntilKilled = async (round: number, delay: number): Promise<readonly Attempt[]> => {
    const made: Attempt[] = [];
    let killed = false;
    const call: Call = async (attempt) => {
      const tried: Attempt = { ...attempt, answer: null };
      made.push(tried);
      const answer = await send(attempt);
      expect(answer.status, `${attempt.path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
      tried.answer = answer;
      return answer;
    };
    const run = async (name: number, write: Writer): Promise<void> => {
      const keyed = name % 2 === 0;
      while (!killed) {
        try {
          await write(
            call,
            () => `round-${round}-${randomUUID()}`,
            () => (keyed ? randomUUID() : null),
          );
        } catch (error) {
          if (!killed) throw error;
        }
        await sleep(PAUSE);
      }
    };
    const performer = world.performer.id;
    const writers = [
      ...Array.from({ length: 8 }, () => notarize),
      bulk,
      bulk,
      ...Array.from({ length: 4 }, () => gate(performer)),
      auto(performer),
      auto(performer),
    ];
    const running = Promise.all(writers.map((write, name) => run(name, write)));
    const isUnderWay = (): boolean => made.filter(({ answer }) => answer).length >= ACKNOWLEDGED;
    try {
      await Promise.race([until(isUnderWay).then(() => sleep(delay)), running]);
    } finally {
      killed = true;
    }
    await service.stop('SIGKILL');
    await running;
    return made;
  };

  it.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
    'round %i: what was acknowledged is there, and a retry under the same Idempotency-Key gives the same answer',
    async (round) => {
      const made = await loadUntilKilled(round, Math.random() * 650);
      attempts.push(...made);
      await service.start();

      const acknowledged = made.filter((attempt) => attempt.answer);
      const stored = await readStored(database);
      expect(stored.faults).toEqual([]);
      for (const { answer, path } of acknowledged) {
        for (const { chainKey, position, hash } of statementsOf(answer!))
          expect(
            stored.chains.get(chainKey)?.[position - 1]?.hash,
            `${path} was acknowledged`,
          ).toBe(hash);
      }
      for (const ref of made
        .filter((attempt) => attempt.key === null)
        .flatMap((attempt) => refsOf(attempt.body)))
        expect(stored.countByRef.get(ref) ?? 0).toBeLessThanOrEqual(1);

      const keyed = made.filter((attempt) => attempt.key !== null);
      await inParallel(8, keyed, async (attempt) => {
        const { answer } = attempt;
        const again = await sendAgain(attempt);
        if (answer)
          expect(
            again.headers.get('idempotency-replayed'),
            `${attempt.path} was acknowledged`,
          ).toBe('true');
        if (answer) expect(identity(again)).toEqual(identity(answer));
        else expect(again.status, JSON.stringify(again.body)).toBeLessThan(300);
        attempt.answer = again;
        const third = await send(attempt);
        expect(identity(third)).toEqual(identity(again));
      });
    },
  );

  it('every key acted once, every acknowledged record is there once with the hash that was answered, and nothing is out of step', async () => {
    const stored = await readStored(database);
    expect(stored.faults).toEqual([]);
    for (const { answer, body, key } of attempts) {
      for (const ref of refsOf(body))
        expect(
          stored.countByRef.get(ref) ?? 0,
          `${key === null ? 'without' : 'with'} a key, ${answer ? 'acknowledged' : 'never answered'}`,
        ).toBeLessThanOrEqual(1);
      if (!answer) continue;
      for (const ref of refsOf(body)) expect(stored.countByRef.get(ref)).toBe(1);
      for (const { chainKey, position, hash } of statementsOf(answer))
        expect(stored.chains.get(chainKey)?.[position - 1]?.hash).toBe(hash);
    }
    for (const [id, count] of stored.completions) expect(count, `completions of ${id}`).toBe(1);
    const acknowledged = attempts.filter((attempt) => attempt.answer).length;
    console.log(
      `${kind.name}: ${ROUNDS} kills, ${attempts.length} calls, ${acknowledged} acknowledged, ${stored.records.size} records`,
    );
  });

  it('every chain verifies offline by the pinned fingerprint', async () => {
    const before = await readStored(database);
    expect(
      await verifyExports(
        new Client(service.url, world.platform.key),
        [...before.records.keys()],
        fingerprint,
      ),
    ).toEqual([]);
    expect((await readStored(database)).faults).toEqual([]);
  }, 600_000);
});

describe.each(databases())('on $name, killed by SIGKILL during the first starts', (kind) => {
  it('ends with one hub, one signing key and one first platform key', async () => {
    const database = await kind.open({ migrated: false });
    const service = new ServiceProcess({ DATABASE_URL: database.url, ...freshSecrets() });
    try {
      for (let kill = 0; kill < 4; kill++) {
        const started = service.start().catch(() => 0);
        await Promise.race([sleep(250 + Math.random() * 400), started]);
        await service.stop('SIGKILL');
        await started;
      }
      const { signingKeyFingerprint, apiKey } = await service.bootstrap();
      await service.start();
      const keys = await new Client(service.url, apiKey).get('/v1/verification-keys');
      expect(keys.body['data']).toHaveLength(1);
      expect(signingKeyFingerprint).toMatch(/^[0-9a-f]{64}$/);
      expect((await readStored(database)).faults).toEqual([]);
    } finally {
      await service.stop('SIGKILL');
      await database.drop();
      rmSync(service.directory, { recursive: true, force: true });
    }
  }, 300_000);
});
