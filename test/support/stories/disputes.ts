import {
  addAgent,
  chainOf,
  Client,
  deliver,
  GOAL,
  ok,
  openDecided,
  openJob,
  type Body,
  type World,
} from '../service/world.ts';

/** Two orgs: the principal is of the first, the performer of the second. */
export interface TwoOrgs {
  readonly principal: { readonly id: string; readonly client: Client };
  readonly performer: { readonly id: string; readonly client: Client };
  /** Admins of the org of the one and of the other. */
  readonly principalAdmin: Client;
  readonly performerAdmin: Client;
}

export const createTwoOrgs = async (world: World, name: string): Promise<TwoOrgs> => {
  const org = await ok(world.platform.post('/v1/admin/orgs', { name, bootstrapAdmin: true }));
  const admin = new Client(world.url, String(org['bootstrapKey'].apiKey));
  return {
    principal: world.principal,
    principalAdmin: world.admin,
    performerAdmin: admin,
    performer: await addAgent(admin, String(org['id']), `${name}-performer`),
  };
};

/** A record between the two orgs, ended by the verdict of the principal. */
export const decidedBetween = async (
  { principal, performer }: TwoOrgs,
  verdict: 'accept' | 'reject',
  type = 'job',
): Promise<string> => {
  const { id } = await ok(
    principal.client.post('/v1/records', { type, criteria: GOAL, performerAgentId: performer.id }),
  );
  await ok(performer.client.post(`/v1/records/${String(id)}/accept`, {}));
  const completion = await ok(
    performer.client.post(`/v1/records/${String(id)}/completions`, { evidence: { score: 9 } }),
  );
  await ok(
    principal.client.post(`/v1/records/${String(id)}/verdict`, {
      verdict,
      completionId: completion['id'],
    }),
  );
  return String(id);
};

export const disputePath = (recordId: unknown, step = ''): string =>
  `/v1/records/${String(recordId)}/dispute${step === '' ? '' : `/${step}`}`;

/** FULFILLED, and disputed by the principal. */
export const openDisputed = async (
  world: World,
  extra: Body = {},
  body: Body = {},
): Promise<{ id: string; dispute: Body }> => {
  const { id } = await openDecided(world, 'accept', extra);
  return { id, dispute: await ok(world.principal.client.post(disputePath(id), body)) };
};

/** An auto-mode record whose gates decided on this score. */
export const openJudged = async (world: World, type: string, score: number): Promise<string> => {
  const { id } = await openJob(world, { type });
  await deliver(world, id, { score });
  return String(id);
};

/** The recommendations on a record's chain, in order; each after the first supersedes the one before it. */
export const signalsOf = async (client: Client, recordId: unknown): Promise<readonly Body[]> =>
  (await chainOf(client, recordId))
    .filter(({ entryType }) => entryType === 'SIGNAL_EMITTED')
    .map((entry) => entry['statement'].predicate as Body);
