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

  async call<T = Body>(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer<T>> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...(this.key ? { authorization: `Bearer ${this.key}` } : {}), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T, headers: response.headers };
  }

  get<T = Body>(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer<T>> {
    return this.call<T>('GET', path, undefined, headers);
  }

  post<T = Body>(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer<T>> {
    return this.call<T>('POST', path, body, headers);
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

export const NOTE_TYPE = { type: 'note', completionSchema: {}, criteriaSchema: { type: 'object' } } as const;
export const JOB_TYPE = {
  type: 'job',
  criteriaSchema: { type: 'object', required: ['goal'], properties: { goal: { type: 'string' }, threshold: { type: 'integer' } } },
  completionSchema: { type: 'object', required: ['score'], properties: { score: { type: 'integer', minimum: 0 }, log: { type: 'string' } } },
  gates: [{ id: 'score', description: 'The score reaches the threshold', expression: 'evidence.score >= criteria.threshold' }],
} as const;
export const AUTO_TYPE = { ...JOB_TYPE, type: 'auto-job', gateMode: 'auto' } as const;

/** @throws where a step of the preparation is refused. */
export const createWorld = async (url: string, platformKey: string, orgName = 'Acme'): Promise<World> => {
  const platform = new Client(url, platformKey);
  const org = await ok(platform.post('/v1/admin/orgs', { name: orgName, bootstrapAdmin: true }));
  const orgId = String(org['id']);
  const admin = new Client(url, org['bootstrapKey'].apiKey as string);
  for (const type of [NOTE_TYPE, JOB_TYPE, AUTO_TYPE]) await ok(admin.post('/v1/schemas', type));
  return { url, orgId, platform, admin, anonymous: new Client(url, null), principal: await addAgent(admin, orgId, 'principal'), performer: await addAgent(admin, orgId, 'performer') };
};

export const addAgent = async (admin: Client, orgId: string, name: string, scopeProfile = 'agent-full'): Promise<{ id: string; client: Client }> => {
  const agent = await ok(admin.post('/v1/admin/agents', { name, orgId }));
  const key = await ok(admin.post('/v1/admin/api-keys', { role: 'agent', ownerType: 'agent', ownerId: agent['id'], scopeProfile, label: name }));
  return { id: String(agent['id']), client: new Client(admin.url, key['apiKey'] as string) };
};

export const ok = async (answer: Promise<Answer<Body>>): Promise<Body> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
};
