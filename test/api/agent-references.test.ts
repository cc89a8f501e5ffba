import { beforeAll, describe, expect, it } from 'vitest';
import { publishedBy } from '../support/clients/agent-keys.ts';
import { useApi } from '../support/service/api.ts';
import {
  expectIndistinguishable,
  expectProblem,
  NOBODY,
  TIMESTAMP,
  UUID,
} from '../support/stories/problems.ts';
import {
  addAgent,
  createWorld,
  mintKey,
  ok,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let globex: World;
beforeAll(async () => {
  globex = await createWorld(
    api.world.url,
    String(api.world.platform.key),
    'Globex agent references',
  );
});
const CARD = {
  kind: 'agent-card',
  uri: 'https://cards.example/4711?view=full#top',
  digest: {
    alg: 'sha-256',
    value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  label: 'The card 🙂',
};
const add = (
  client: Client,
  id: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer<Body>> => client.post(`/v1/agents/${id}/references`, body, headers);
const references = async (id: string): Promise<Body[]> =>
  (await ok(api.world.admin.get(`/v1/agents/${id}`)))['references'] as Body[];
const writer = async (): Promise<{ id: string; client: Client }> => {
  const { id } = await addAgent(api.world.admin, api.world.orgId, 'referenced');
  return { id, client: (await mintKey(api.world.admin, id, { scopes: ['agents:write'] })).client };
};
const published = (id: string) =>
  publishedBy(api, id, 'AGENT_REFERENCE_ADDED', 'agent.reference_added');

describe('POST /v1/agents/{agentId}/references', () => {
  it('201: the reference with who added it and when, shown with the agent, sealed on the platform chain and told', async () => {
    const { id, client } = await writer();
    const { status, body } = await add(client, id, CARD);
    expect(status).toBe(201);
    const { suggestion, nextSteps, ...row } = body;
    expect(row).toEqual({
      id: expect.stringMatching(UUID),
      agentId: id,
      ...CARD,
      addedBy: {
        kind: 'agent',
        orgId: api.world.orgId,
        agentId: id,
        apiKeyId: expect.stringMatching(UUID),
      },
      addedAt: expect.stringMatching(TIMESTAMP),
    });
    expect([suggestion, nextSteps]).toEqual([
      expect.any(String),
      [
        {
          action: 'view',
          method: 'GET',
          href: `/v1/agents/${id}`,
          description: expect.any(String),
        },
      ],
    ]);
    expect(await references(id)).toEqual([row]);
    const { entries, events } = published(id);
    expect(entries).toMatchObject([
      {
        at: row['addedAt'],
        orgId: api.world.orgId,
        actor: row['addedBy'],
        reference: { id: row['id'], ...CARD },
      },
    ]);
    expect(events).toEqual([
      {
        agentId: id,
        reference: { kind: CARD.kind, uri: CARD.uri, digest: CARD.digest },
        actor: { kind: 'agent', agentId: id },
        requestId: expect.any(String),
      },
    ]);
  });

  it('kind and uri are enough; the rest is null', async () => {
    const { id, client } = await writer();
    expect(await ok(add(client, id, { kind: 'card', uri: 'urn:example:1' }))).toMatchObject({
      digest: null,
      label: null,
    });
  });

  it('200 for the same kind and uri again, whatever else is said: the stored row, no entry, no event', async () => {
    const { id, client } = await writer();
    const first = await ok(add(client, id, CARD));
    const again = await add(api.world.admin, id, {
      kind: CARD.kind,
      uri: CARD.uri,
      label: 'other words',
    });
    expect(again.status).toBe(200);
    expect({ ...again.body, nextSteps: null }).toEqual({ ...first, nextSteps: null });
    expect(published(id)).toMatchObject({ entries: [{}], events: [{}] });
    for (const other of [
      { ...CARD, kind: 'Agent-card' },
      { ...CARD, uri: `${CARD.uri}2` },
    ])
      expect((await add(client, id, other)).status).toBe(201);
    expect((await references(id)).map(({ uri }) => uri as string)).toEqual([
      CARD.uri,
      CARD.uri,
      `${CARD.uri}2`,
    ]);
  });

  it('of many at once each is there once', async () => {
    const { id, client } = await writer();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        add(index % 2 ? client : api.world.admin, id, {
          kind: 'card',
          uri: `urn:example:${index % 3}`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(9).fill(200),
      201,
      201,
      201,
    ]);
    expect((await references(id)).map(({ uri }) => uri as string).sort()).toEqual([
      'urn:example:0',
      'urn:example:1',
      'urn:example:2',
    ]);
  });

  it('422 beyond 32, in one sentence that says so; one that is there is still answered', async () => {
    const { id, client } = await writer();
    for (let index = 1; index <= 32; index++)
      expect((await add(client, id, { kind: 'card', uri: `urn:example:${index}` })).status).toBe(
        201,
      );
    const problem = expectProblem(await add(client, id, CARD), 422, 'VALIDATION_ERROR', {
      errors: [{ path: '', keyword: 'maxItems', message: expect.any(String) }],
    });
    expect(problem['detail']).toContain('at most 32');
    expect((await add(client, id, { kind: 'card', uri: 'urn:example:32' })).status).toBe(200);
    expect((await references(id)).map(({ uri }) => uri as string)).toEqual(
      Array.from({ length: 32 }, (_, index) => `urn:example:${index + 1}`),
    );
  });

  it('an Idempotency-Key adds once', async () => {
    const { id, client } = await writer();
    const [first, again] = [
      await add(client, id, CARD, { 'idempotency-key': 'once' }),
      await add(client, id, CARD, { 'idempotency-key': 'once' }),
    ];
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no uri', { kind: 'card' }, '/uri'],
    ['a relative uri', { kind: 'card', uri: '/cards/1' }, '/uri'],
    ['a uri with a control character', { kind: 'card', uri: 'https://a.example/\u0000' }, '/uri'],
    ['a uri of 2049 characters', { kind: 'card', uri: `urn:${'a'.repeat(2045)}` }, '/uri'],
    ['a kind of 65 characters', { kind: 'k'.repeat(65), uri: 'urn:example:1' }, '/kind'],
    ['a digest without its value', { ...CARD, digest: { alg: 'sha-256' } }, '/digest/value'],
    ['a member too many', { ...CARD, note: 'x' }, '/note'],
  ])('400: %s', async (_case, body, path) => {
    const problem = expectProblem(
      await add(api.world.admin, api.world.principal.id, body),
      400,
      'VALIDATION_ERROR',
    );
    expect((problem['errors'] as Body[]).map((error) => error['path'] as string)).toContain(path);
  });

  it('takes the longest that it allows', async () => {
    const { id, client } = await writer();
    const body = {
      kind: 'k'.repeat(64),
      uri: `urn:${'a'.repeat(2044)}`,
      digest: { alg: 'a'.repeat(32), value: 'f'.repeat(256) },
      label: '\u{1f642}'.repeat(128),
    };
    expect((await add(client, id, body)).status).toBe(201);
    expect(await references(id)).toMatchObject([body]);
  });

  it('the admin of the org and the platform may; another agent of the org 403, another org 404 as for nobody, 403 without agents:write', async () => {
    const { world } = api;
    const { id, client } = await writer();
    for (const [index, [by, kind]] of (
      [
        [world.admin, 'admin'],
        [world.platform, 'platform'],
      ] as const
    ).entries())
      expect(
        (await ok(add(by, id, { kind: 'card', uri: `urn:example:${index}` })))['addedBy'],
      ).toMatchObject({ kind });
    expectProblem(await add(client, world.performer.id, CARD), 403, 'FORBIDDEN', {
      allowedActors: ['admin', 'platform'],
    });
    expectProblem(
      await add(world.performer.client, world.performer.id, CARD),
      403,
      'INSUFFICIENT_SCOPE',
      { missingScopes: ['agents:write'] },
    );
    for (const stranger of [
      globex.admin,
      (await mintKey(globex.admin, globex.principal.id, { scopes: ['agents:write'] })).client,
    ])
      expectIndistinguishable(await add(stranger, id, CARD), await add(stranger, NOBODY, CARD), [
        id,
        NOBODY,
      ]);
    expect(await references(id)).toHaveLength(2);
    expect(await ok(globex.admin.get(`/v1/agents/${id}`))).not.toHaveProperty('references');
  });
});
