import {
  deliver,
  GOAL,
  JOB_TYPE,
  NOTE_TYPE,
  ok,
  openJob,
  sleep,
  type Body,
  type Client,
  type World,
} from '../service/world.ts';

/** An agent with a key of its own. */
export interface Party {
  readonly id: string;
  readonly client: Client;
}

export const RULES = ['none', 'all-fulfilled', 'any-fulfilled', 'quorum'] as const;
export type Rule = (typeof RULES)[number];
export type Mode = 'principal' | 'auto';

/** The quorum of the types below. */
export const QUORUM = 2;
export const teamName = (rule: Rule, mode: Mode = 'principal'): string => `team-${rule}-${mode}`;
export const teamType = (rule: Rule, mode: Mode = 'principal') => ({
  ...JOB_TYPE,
  type: teamName(rule, mode),
  gateMode: mode,
  cascade: rule === 'quorum' ? { rule, quorum: QUORUM } : { rule },
});

/** A type of every rule in both modes. */
export const registerTeams = async (admin: Client): Promise<void> => {
  for (const rule of RULES)
    for (const mode of ['principal', 'auto'] as const)
      await ok(admin.post('/v1/schemas', teamType(rule, mode)));
};

/** An ACTIVE record of the world's performer whose type waits for its children as the rule says. */
export const openTeam = (
  world: World,
  rule: Rule,
  mode: Mode = 'principal',
  extra: Body = {},
): Promise<Body> => openJob(world, { type: teamName(rule, mode), ...extra });

/** The body of a child of the type `job` that is ACTIVE at once, unless `extra` says otherwise. */
export const childBody = (
  parentRecordId: unknown,
  worker: Party | null,
  extra: Body = {},
): Body => ({
  type: 'job',
  criteria: GOAL,
  parentRecordId,
  autoActivate: true,
  ...(worker ? { performerAgentId: worker.id } : {}),
  ...extra,
});

/** Delegated by the world's performer. */
export const openChild = (
  world: World,
  parentRecordId: unknown,
  worker: Party | null,
  extra: Body = {},
): Promise<Body> =>
  ok(world.performer.client.post('/v1/records', childBody(parentRecordId, worker, extra)));

/** How a child may end, and what the cascade rule makes of it. */
export const ENDS = {
  fulfilled: { status: 'FULFILLED', counts: true, satisfies: true },
  failed: { status: 'FAILED', counts: true, satisfies: false },
  remediated: { status: 'REMEDIATED', counts: true, satisfies: true },
  recorded: { status: 'RECORDED', counts: true, satisfies: true },
  'cancelled without a completion': { status: 'CANCELLED', counts: false, satisfies: false },
  'cancelled with a completion': { status: 'CANCELLED', counts: true, satisfies: false },
  rejected: { status: 'REJECTED', counts: false, satisfies: false },
  'expired before it was active': { status: 'EXPIRED', counts: false, satisfies: false },
  'expired after it was active': { status: 'EXPIRED', counts: true, satisfies: false },
} as const;
export type End = keyof typeof ENDS;

/** Delegates a child under the record and ends it so. */
export const endedChild = async (
  world: World,
  worker: Party,
  parentRecordId: unknown,
  end: End,
): Promise<string> => {
  const open = async (extra: Body = {}): Promise<string> =>
    String((await openChild(world, parentRecordId, worker, extra))['id']);
  const { client } = world.performer;
  switch (end) {
    case 'recorded':
      return open({ type: NOTE_TYPE.type, autoActivate: false, criteria: {} });
    case 'fulfilled':
      return judged(world, worker, await open(), 'accept');
    case 'failed':
      return judged(world, worker, await open(), 'reject');
    case 'remediated': {
      const id = await judged(world, worker, await open(), 'reject');
      const { latestCompletionId } = await ok(client.get(`/v1/records/${id}`));
      await ok(
        client.post(`/v1/records/${id}/verdict`, {
          verdict: 'accept',
          completionId: latestCompletionId,
        }),
      );
      return id;
    }
    case 'cancelled without a completion':
    case 'cancelled with a completion': {
      const id = await open();
      if (end === 'cancelled with a completion') await complete(worker, id);
      await ok(client.post(`/v1/records/${id}/cancel`));
      return id;
    }
    case 'rejected': {
      const id = await open({ autoActivate: false });
      await ok(worker.client.post(`/v1/records/${id}/reject`));
      return id;
    }
    case 'expired before it was active':
    case 'expired after it was active': {
      const id = await open({ ttlSeconds: 1, autoActivate: end === 'expired after it was active' });
      await sleep(1100);
      await ok(client.get(`/v1/records/${id}`));
      return id;
    }
  }
};

export const complete = (
  worker: Party,
  id: unknown,
  evidence: Body = { score: 9 },
): Promise<Body> => ok(worker.client.post(`/v1/records/${String(id)}/completions`, { evidence }));

/** A child that its performer delivers and its principal, the world's performer, judges. */
export const judged = async (
  world: World,
  worker: Party,
  id: string,
  verdict: 'accept' | 'reject',
): Promise<string> => {
  const { id: completionId } = await complete(worker, id);
  await ok(world.performer.client.post(`/v1/records/${id}/verdict`, { verdict, completionId }));
  return id;
};

/** The record itself delivered and, in principal mode, accepted. */
export const fulfilled = async (world: World, id: unknown): Promise<Body> => {
  const { id: completionId } = await deliver(world, id);
  return ok(
    world.principal.client.post(`/v1/records/${String(id)}/verdict`, {
      verdict: 'accept',
      completionId,
    }),
  );
};
