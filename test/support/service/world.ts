import { formatApiKey } from '../../../domain/identity/api-key-secret.ts';

/** A JSON body whose members a test knows. */
export type Body = { [member: string]: any };

/** A small client and a small world to act in: one org, two agents, a notarize-only type and two gated ones. */
export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

export class Client {
  constructor(
    readonly url: string,
    readonly key: string | null,
  ) {}

  async call<T = Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body:
              typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
          }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (/[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== ''
        ? JSON.parse(text)
        : {}) as T,
      headers: response.headers,
    };
  }

  get<T = Body>(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer<T>> {
    return this.call<T>('GET', path, undefined, headers);
  }

  post<T = Body>(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<T>> {
    return this.call<T>('POST', path, body, headers);
  }

  patch<T = Body>(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<T>> {
    return this.call<T>('PATCH', path, body, headers);
  }
}

export interface World {
  readonly url: string;
  readonly orgId: string;
  readonly platform: Client;
  readonly admin: Client;
  readonly anonymous: Client;
  readonly principal: { readonly id: string; readonly client: Client };
  readonly performer: { readonly id: string; readonly client: Client };
}

export const NOTE_TYPE = {
  type: 'note',
  completionSchema: {},
  criteriaSchema: { type: 'object' },
} as const;
export const JOB_TYPE = {
  type: 'job',
  criteriaSchema: {
    type: 'object',
    required: ['goal'],
    properties: { goal: { type: 'string' }, threshold: { type: 'integer' } },
  },
  completionSchema: {
    type: 'object',
    required: ['score'],
    properties: { score: { type: 'integer', minimum: 0 }, log: { type: 'string' } },
  },
  gates: [
    {
      id: 'score',
      description: 'The score reaches the threshold',
      expression: 'evidence.score >= criteria.threshold',
    },
  ],
} as const;
export const AUTO_TYPE = { ...JOB_TYPE, type: 'auto-job', gateMode: 'auto' } as const;

/** @throws where a step of the preparation is refused. */
export const createWorld = async (
  url: string,
  platformKey: string,
  orgName = 'Acme',
): Promise<World> => {
  const platform = new Client(url, platformKey);
  const org = await ok(platform.post('/v1/admin/orgs', { name: orgName, bootstrapAdmin: true }));
  const orgId = String(org['id']);
  const admin = new Client(url, org['bootstrapKey'].apiKey as string);
  for (const type of [NOTE_TYPE, JOB_TYPE, AUTO_TYPE]) await ok(admin.post('/v1/schemas', type));
  return {
    url,
    orgId,
    platform,
    admin,
    anonymous: new Client(url, null),
    principal: await addAgent(admin, orgId, 'principal'),
    performer: await addAgent(admin, orgId, 'performer'),
  };
};

export const addAgent = async (
  admin: Client,
  orgId: string,
  name: string,
  scopeProfile = 'agent-full',
): Promise<{ id: string; client: Client }> => {
  const agent = await ok(admin.post('/v1/admin/agents', { name, orgId }));
  const key = await ok(
    admin.post('/v1/admin/api-keys', {
      role: 'agent',
      ownerType: 'agent',
      ownerId: agent['id'],
      scopeProfile,
      label: name,
    }),
  );
  return { id: String(agent['id']), client: new Client(admin.url, key['apiKey'] as string) };
};

/** A client with another key of the same agent, of the scopes or profile asked for. */
export const mintKey = async (
  admin: Client,
  ownerId: string,
  mint: Body,
): Promise<{ keyId: string; client: Client }> => {
  const key = await ok(
    admin.post('/v1/admin/api-keys', { role: 'agent', ownerType: 'agent', ownerId, ...mint }),
  );
  return { keyId: String(key['keyId']), client: new Client(admin.url, String(key['apiKey'])) };
};

/** Well-formed, and nobody's. */
export const unknownKey = (): string =>
  formatApiKey('agent', crypto.getRandomValues(new Uint8Array(32)));

export const GOAL = { goal: 'g', threshold: 5 } as const;

/** A gated record between principal and performer, ACTIVE unless `extra` says otherwise. */
export const openJob = (world: World, extra: Body = {}): Promise<Body> =>
  ok(
    world.principal.client.post('/v1/records', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: world.performer.id,
      autoActivate: true,
      ...extra,
    }),
  );

export const proposeJob = (world: World, extra: Body = {}): Promise<Body> =>
  openJob(world, { autoActivate: false, ...extra });

export const draftJob = (world: World): Promise<Body> =>
  ok(world.principal.client.post('/v1/records', { type: 'job', criteria: GOAL }));

/** The performer's completion of the record. */
export const deliver = (
  world: World,
  recordId: unknown,
  evidence: Body = { score: 9 },
): Promise<Body> =>
  ok(world.performer.client.post(`/v1/records/${String(recordId)}/completions`, { evidence }));

/** An ACTIVE record with a completion that awaits its verdict. */
export const openDelivered = async (
  world: World,
  extra: Body = {},
  evidence?: Body,
): Promise<{ id: string; completionId: string }> => {
  const { id } = await openJob(world, extra);
  const completion = await deliver(world, id, evidence);
  return { id: String(id), completionId: String(completion['id']) };
};

/** Ended by the principal's verdict. */
export const openDecided = async (
  world: World,
  verdict: 'accept' | 'reject',
  extra: Body = {},
): Promise<{ id: string; completionId: string }> => {
  const delivered = await openDelivered(world, extra);
  await ok(
    world.principal.client.post(`/v1/records/${delivered.id}/verdict`, {
      verdict,
      completionId: delivered.completionId,
    }),
  );
  return delivered;
};

/** The entries that tell what happened to the record: a signal beside them is the advice of the service. */
export const stepsOf = async (client: Client, recordId: unknown): Promise<Body[]> =>
  (await chainOf(client, recordId)).filter((entry) => entry['entryType'] !== 'SIGNAL_EMITTED');

/** The chain as the export shows it. */
export const chainOf = async (client: Client, recordId: unknown): Promise<Body[]> =>
  (await ok(client.get(`/v1/records/${String(recordId)}/audit-export`)))['chain'].entries as Body[];

export const entryTypes = async (client: Client, recordId: unknown): Promise<string[]> =>
  (await chainOf(client, recordId)).map((entry) => String(entry['entryType']));

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export const ok = async (answer: Promise<Answer<Body>>): Promise<Body> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
};
