import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { resolved } from '../support/resolved.ts';
import {
  Client,
  GOAL,
  addAgent,
  mintKey,
  ok,
  proposeJob,
  type Answer,
  type Body,
} from '../support/world.ts';

/** What the service answers, held against the document that it serves. */
const api = useApi();

let document: Body;
let asDocumented: (pointer: string) => (value: unknown) => readonly string[];

beforeAll(async () => {
  document = (await api.world.anonymous.get('/docs/openapi.json')).body;
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { uuid: true, 'date-time': true },
  });
  ajv.addSchema({ $id: 'openapi', ...document });
  asDocumented = (pointer) => {
    const validate = ajv.compile({ $ref: `openapi#${pointer}` });
    return (value) =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
});

/** Members of an answer that no schema describes: a JSON Schema lets them pass, a reader of the document does not know them. */
const undescribed = (schema: Body, value: unknown, at = ''): readonly string[] => {
  const ways = waysOf(schema);
  if (Array.isArray(value))
    return ways.flatMap((way) =>
      way['items']
        ? value.flatMap((item, index) => undescribed(way['items'] as Body, item, `${at}/${index}`))
        : [],
    );
  const known = Object.assign({}, ...ways.map((way) => way['properties'] ?? {})) as {
    readonly [name: string]: Body;
  };
  if (
    typeof value !== 'object' ||
    value === null ||
    Object.keys(known).length === 0 ||
    ways.some((way) => way['additionalProperties'] === true)
  )
    return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    known[name] ? undescribed(known[name], inner, `${at}/${name}`) : [`${at}/${name}`],
  );
};

/** The schema, and those that it is made of. */
const waysOf = (schema: Body): readonly Body[] => {
  const one = resolved(document, schema);
  const parts = [...((one['anyOf'] ?? []) as Body[]), ...((one['allOf'] ?? []) as Body[])];
  return [one, ...parts.flatMap(waysOf)];
};

const pathOf = (path: string): string => {
  const fits = Object.keys(document['paths'] as Body).filter((template) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(
      path.split('?')[0]!,
    ),
  );
  return fits.sort((a, b) => a.split('{').length - b.split('{').length)[0]!;
};

/** A client that compares each answer. */
class Reader extends Client {
  override async call<T = Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> {
    const answer = await super.call<T>(method, path, body, headers);
    const template = pathOf(path);
    const name = `${method} ${template} ${answer.status}`;
    const given = document['paths'][template][method.toLowerCase()].responses[answer.status] as
      Body | undefined;
    expect(given, name).toBeDefined();
    const response = resolved(document, given);
    const mediaType = String(answer.headers.get('content-type') ?? '').split(';')[0]!;
    if (answer.status === 304) return answer;
    expect(Object.keys(response['content'] as Body), name).toContain(mediaType);
    const { schema, examples } = response['content'][mediaType] as Body;
    const place =
      (given!['$ref'] as string | undefined)?.slice(1) ??
      `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${answer.status}`;
    const pointer = `${place}/content/${mediaType.replaceAll('/', '~1')}/schema`;
    expect({
      name,
      errors: asDocumented(encodeURI(pointer))(answer.body),
      undescribed: undescribed(schema as Body, answer.body),
    }).toEqual({ name, errors: [], undescribed: [] });
    if (answer.status >= 400)
      expect(
        Object.values(examples as Body).map(
          (example: Body) => resolved(document, example)['value'].code as unknown,
        ),
        name,
      ).toContain((answer.body as Body)['code']);
    return answer;
  }
}

const as = ({ url, key }: Client): Reader => new Reader(url, key);
const statuses = async (
  ...calls: readonly (() => Promise<Answer<Body>>)[]
): Promise<readonly number[]> => {
  const found: number[] = [];
  for (const call of calls) found.push((await call()).status);
  return found;
};

describe('answers are as the OpenAPI document says', () => {
  it('from the first proposal of a record to the end of its dispute', async () => {
    const [principal, performer, platform, stranger] = [
      as(api.world.principal.client),
      as(api.world.performer.client),
      as(api.world.platform),
      as(api.world.anonymous),
    ];
    const { id } = (
      await principal.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: api.world.performer.id,
        references: [{ kind: 'ticket', uri: 'https://tickets.example/1' }],
      })
    ).body;
    const at = `/v1/records/${String(id)}`;
    const etag = String((await principal.get(at)).headers.get('etag'));
    expect(
      await statuses(
        () => stranger.get(at),
        () => principal.get('/v1/records/0'),
        () => principal.get(at, { 'if-none-match': etag }),
        () => principal.post(`${at}/accept`),
        () => performer.post(`${at}/counter-propose`, { criteria: GOAL }),
        () => principal.post(`${at}/accept-counter`, {}),
      ),
    ).toEqual([401, 400, 304, 403, 200, 200]);
    expect(
      await statuses(
        () => performer.post(`${at}/completions`, { evidence: {} }),
        () => performer.post(`${at}/transition`, { action: 'fly' }),
        () => principal.post(`${at}/transition`, { action: 'verify-cascade' }),
        () => principal.post('/v1/records', { type: 'job', criteria: GOAL, parentRecordId: id }),
      ),
    ).toEqual([422, 422, 422, 403]);
    const completion = (await performer.post(`${at}/completions`, { evidence: { score: 9 } })).body;
    expect(
      await statuses(
        () => principal.get(`${at}/completions/${String(completion['id'])}`),
        () => principal.get(`${at}/gate-status`),
        () =>
          principal.post(`${at}/verdict`, { verdict: 'accept', completionId: completion['id'] }),
        () => principal.get(`${at}/chain`),
        () => principal.get('/v1/records?limit=1'),
      ),
    ).toEqual([200, 200, 200, 200, 200]);
    expect(
      await statuses(
        () => performer.post(`${at}/dispute`),
        () => principal.post(`${at}/dispute`, { evidence: { note: 'n' } }),
        () => performer.post(`${at}/dispute/evidence`, { evidence: { note: 'n' } }),
        () => principal.post(`${at}/dispute/escalate`),
        () =>
          platform.post(`${at}/dispute/resolve`, { outcome: 'UPHELD', resolution: 'It holds.' }),
        () => principal.post(`${at}/dispute`),
        () => principal.get(`${at}/dispute`),
        () => principal.get('/v1/disputes'),
        () => principal.get(`${at}/audit-export?evidence=true`),
      ),
    ).toEqual([403, 201, 200, 200, 200, 422, 200, 200, 200]);
  });

  it('of record types, agents and keys', async () => {
    const admin = as(api.world.admin);
    const [type, agentId] = ['documented', api.world.performer.id];
    const schema = {
      type,
      completionSchema: { type: 'object' },
      gates: [{ id: 'g', expression: 'evidence.score >= 5' }],
      public: true,
    };
    expect(
      await statuses(
        () => admin.post('/v1/schemas', schema),
        () => admin.post('/v1/schemas', schema),
        () => admin.post('/v1/schemas', { ...schema, version: 1, title: 'other' }),
        () => admin.post('/v1/schemas', { ...schema, gates: [{ id: 'g', expression: 'nothing' }] }),
      ),
    ).toEqual([201, 200, 409, 422]);
    expect(
      await statuses(
        () => admin.get('/v1/schemas'),
        () => admin.get(`/v1/schemas/${type}`),
        () => admin.get(`/v1/schemas/${type}/versions`),
        () => admin.post(`/v1/schemas/${type}/validate`, { criteria: {}, evidence: { score: 1 } }),
        () => admin.get(`/v1/schemas/export?type=${type}`),
        () => admin.patch(`/v1/schemas/${type}`, { status: 'disabled' }),
        () => admin.call<Body>('DELETE', `/v1/schemas/${type}`),
      ),
    ).toEqual([200, 200, 200, 200, 200, 200, 200]);
    const minted = (
      await admin.post('/v1/admin/api-keys', {
        role: 'agent',
        ownerType: 'agent',
        ownerId: agentId,
      })
    ).body;
    const holder = new Reader(api.world.url, String(minted['apiKey']));
    expect(
      await statuses(
        () => holder.get('/v1/auth/me'),
        () => holder.post('/v1/auth/keys/rotate', { gracePeriodSeconds: 60 }),
        () => holder.post('/v1/auth/keys/rotate', {}),
        () => admin.patch(`/v1/admin/api-keys/${String(minted['keyId'])}`, { isActive: false }),
        () => admin.post('/v1/admin/api-keys/bulk-revoke', { keyIds: [minted['keyId']] }),
        () => admin.get('/v1/admin/api-keys'),
        () => admin.get('/v1/admin/agents'),
        () => admin.get('/v1/admin/orgs'),
      ),
    ).toEqual([200, 201, 422, 200, 200, 200, 200, 200]);
    expect(
      await statuses(
        () => admin.get(`/v1/agents/${agentId}`),
        () => admin.get(`/v1/agents/${agentId}/history`),
        () => admin.get(`/v1/agents/${agentId}/reputation`),
        () => admin.get(`/v1/agents/${agentId}/drift`),
        () => admin.get('/v1/agents/drift'),
        () =>
          admin.call<Body>('PUT', `/v1/agents/${agentId}/capabilities`, { types: ['job', 'note'] }),
      ),
    ).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it('of refusals that follow from what stands behind the call', async () => {
    const [admin, platform] = [as(api.world.admin), as(api.world.platform)];
    const performer = as(api.world.performer.client);
    const { id } = await proposeJob(api.world);
    const leaver = await addAgent(api.world.admin, api.world.orgId, 'documented-leaver');
    const { keyId } = await mintKey(api.world.admin, leaver.id, {});
    await ok(api.world.admin.post(`/v1/admin/agents/${leaver.id}/deactivate`));
    expect(
      await statuses(
        () => performer.post(`/v1/records/${String(id)}/counter-propose`, { criteria: {} }),
        () =>
          performer.post(`/v1/records/${String(id)}/transition`, {
            action: 'counter-propose',
            criteria: {},
          }),
        () => platform.patch(`/v1/admin/api-keys/${keyId}`, { isActive: true }),
        () => admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: true }),
      ),
    ).toEqual([422, 422, 422, 403]);
  });
});
