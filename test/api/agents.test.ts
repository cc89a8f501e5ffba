import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import { createWorld, mintKey, ok, type World } from '../support/service/world.ts';

const api = useApi();
let globex: World;
beforeAll(async () => {
  globex = await createWorld(api.world.url, String(api.world.platform.key), 'Globex');
});
const PUBLIC = [
  'id',
  'orgId',
  'name',
  'displayName',
  'capabilities',
  'signingKeys',
  'encryptionKeyJwk',
];

describe('GET /v1/agents/{agentId}', () => {
  it('200: an agent reads itself, whole', async () => {
    const { principal, orgId } = api.world;
    const body = await ok(principal.client.get(`/v1/agents/${principal.id}`));
    expect(body).toMatchObject({
      id: principal.id,
      orgId,
      name: 'principal',
      capabilities: [],
      signingKeys: [],
      encryptionKeyJwk: null,
      references: [],
      deactivatedAt: null,
      deactivationReason: null,
      managedBy: null,
      createdAt: expect.any(String),
    });
  });

  it('200: its admin and the platform read it whole', async () => {
    for (const client of [api.world.admin, api.world.platform])
      expect(Object.keys(await ok(client.get(`/v1/agents/${api.world.principal.id}`)))).toEqual(
        expect.arrayContaining([...PUBLIC, 'deactivatedAt', 'createdAt']),
      );
  });

  it('200: an agent of another org shows what is needed to encrypt and to verify, and no more', async () => {
    for (const client of [api.world.principal.client, api.world.admin]) {
      const body = await ok(client.get(`/v1/agents/${globex.performer.id}`));
      expect(body).toMatchObject({
        id: globex.performer.id,
        orgId: globex.orgId,
        name: 'performer',
      });
      expect(Object.keys(body)).toEqual(expect.arrayContaining(PUBLIC));
      for (const member of [
        'deactivatedAt',
        'deactivationReason',
        'managedBy',
        'createdAt',
        'references',
      ])
        expect(body).not.toHaveProperty(member);
    }
  });

  it('404: nobody; 400: no UUID; 403: no agents:read', async () => {
    expectProblem(await api.world.principal.client.get(`/v1/agents/${NOBODY}`), 404, 'NOT_FOUND');
    expectProblem(await api.world.principal.client.get('/v1/agents/me'), 400, 'VALIDATION_ERROR');
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopeProfile: 'agent-readonly',
    });
    expectProblem(
      await client.get(`/v1/agents/${api.world.principal.id}`),
      403,
      'INSUFFICIENT_SCOPE',
      { missingScopes: ['agents:read'] },
    );
  });
});
