import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ed25519Pair, proofOf, x25519Jwk } from '../support/clients/agent-keys.ts';
import { useApi } from '../support/service/api.ts';
import { tracesOfAct } from '../support/stories/acts.ts';
import { hubIdOf, Stranger } from '../support/hubs/stranger.ts';
import { AUDIENCE, exchangeOf, OIDC_ENV, startOidc, type Oidc } from '../support/peers/oidc.ts';
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

/** One entry, on the platform chain unless it is one of a schema, and the event that tells it. */
type Leaves = readonly [entry: string, event: string];

interface Act {
  /** @returns the call; what is only prepared for it happens before. */
  prepare(): Promise<() => Promise<Answer<Body>>>;
  readonly leaves: readonly Leaves[];
  /** As whom it is done; absent: the admin of the org. */
  readonly actor?: 'platform' | 'admin' | 'agent';
  /** Whose chain entry it is; absent: the org of the world. */
  readonly orgId?: (answer: Body) => string | null;
}

const api = useApi(OIDC_ENV);
let oidc: Oidc;
let world: World;
let globex: World;
beforeAll(async () => {
  oidc = await startOidc();
  world = api.world;
  // The hub key is made, and sealed, where federation is first used.
  await hubIdOf(api);
  globex = await createWorld(world.url, String(world.platform.key), 'Globex');
});
afterAll(() => oidc.close());

let names = 0;
const fresh = (): string => `thing-${names++}`;
const newAgent = () => addAgent(world.admin, world.orgId, fresh());
const spareKey = async (): Promise<string> =>
  (await mintKey(world.admin, world.principal.id, {})).keyId;
const newType = async (status: 'active' | 'disabled' = 'active'): Promise<string> => {
  const { type } = await ok(
    world.admin.post('/v1/schemas', { type: fresh(), completionSchema: {} }),
  );
  if (status === 'disabled') await ok(world.admin.patch(`/v1/schemas/${String(type)}`, { status }));
  return String(type);
};
const EXEMPTIONS = '/v1/admin/rate-limit-exemptions';
const PEERS = '/v1/admin/federation/peers';
const ofPlatform = { actor: 'platform', orgId: () => null } as const;
const newPeer = async (stranger = new Stranger()): Promise<string> => {
  await ok(world.platform.post(PEERS, stranger.registration));
  return `${PEERS}/${stranger.hubId}`;
};
const activePeer = async (): Promise<string> => {
  const stranger = new Stranger();
  const path = await newPeer(stranger);
  await ok(stranger.greet(api));
  return path;
};
const issuerBody = (): Body => ({
  orgId: world.orgId,
  issuerUrl: oidc.issuer,
  expectedAudience: `${AUDIENCE}/${fresh()}`,
});
const newIssuer = async (): Promise<Body> =>
  ok(world.platform.post('/v1/admin/trusted-issuers', issuerBody()));
/** The body of an exchange, for the issuer of AUDIENCE, which is made once. */
const exchange = async (): Promise<Body> => {
  issuer ??= String(
    (
      await ok(
        world.platform.post('/v1/admin/trusted-issuers', {
          ...issuerBody(),
          expectedAudience: AUDIENCE,
        }),
      )
    )['id'],
  );
  return exchangeOf(await oidc.forge({ agent_id: world.principal.id, jti: randomUUID() }));
};
let issuer: string | undefined;
const newCert = async (): Promise<string> =>
  String((await ok(world.anonymous.post('/v1/auth/oidc/cert', await exchange())))['cert'].id);
const hookBody = (): Body => ({
  url: `https://receiver.example/${fresh()}`,
  eventTypes: ['record.failed'],
});
const newHook = async (): Promise<string> =>
  `/v1/webhooks/${String((await ok(world.admin.post('/v1/webhooks', hookBody())))['id'])}`;
const put = (path: string, body: Body): Promise<Answer<Body>> =>
  world.admin.call<Body>('PUT', path, body);
const remove = (client: Client, path: string): Promise<Answer<Body>> =>
  client.call<Body>('DELETE', path);

/** Every administrative act. A new route is one line here, or one in CHANGES_NOTHING. */
const ACTS: Readonly<Record<string, Act>> = {
  'POST /v1/admin/orgs': {
    actor: 'platform',
    orgId: ({ id }) => String(id),
    leaves: [
      ['ORG_CREATED', 'admin.org_created'],
      ['AGENT_CREATED', 'agent.created'],
      ['API_KEY_MINTED', 'admin.org_bootstrapped'],
    ],
    prepare: async () => () =>
      world.platform.post('/v1/admin/orgs', { name: fresh(), bootstrapAdmin: true }),
  },
  'PATCH /v1/admin/orgs/{id}': {
    actor: 'platform',
    orgId: ({ id }) => String(id),
    leaves: [['ORG_UPDATED', 'admin.org_updated']],
    prepare: async () => {
      const { id } = await ok(world.platform.post('/v1/admin/orgs', { name: fresh() }));
      return () =>
        world.platform.patch(`/v1/admin/orgs/${String(id)}`, {
          settings: { requireCoSignature: 'body' },
        });
    },
  },
  'POST /v1/admin/agents': {
    leaves: [['AGENT_CREATED', 'agent.created']],
    prepare: async () => () =>
      world.admin.post('/v1/admin/agents', { name: fresh(), orgId: world.orgId }),
  },
  'POST /v1/admin/agents/{id}/deactivate': {
    leaves: [
      ['AGENT_DEACTIVATED', 'agent.deactivated'],
      ['API_KEY_REVOKED', 'key.revoked'],
    ],
    prepare: async () => {
      const { id } = await newAgent();
      return () => world.admin.post(`/v1/admin/agents/${id}/deactivate`, { reason: 'left' });
    },
  },
  'POST /v1/admin/agents/{id}/reactivate': {
    actor: 'platform',
    leaves: [['AGENT_REACTIVATED', 'agent.reactivated']],
    prepare: async () => {
      const { id } = await newAgent();
      await ok(world.admin.post(`/v1/admin/agents/${id}/deactivate`, { reason: 'away' }));
      return () => world.platform.post(`/v1/admin/agents/${id}/reactivate`, {});
    },
  },
  'POST /v1/admin/api-keys': {
    leaves: [['API_KEY_MINTED', 'key.minted']],
    prepare: async () => () =>
      world.admin.post('/v1/admin/api-keys', {
        role: 'agent',
        ownerType: 'agent',
        ownerId: world.principal.id,
      }),
  },
  'PATCH /v1/admin/api-keys/{keyId}': {
    leaves: [['API_KEY_REVOKED', 'key.revoked']],
    prepare: async () => {
      const keyId = await spareKey();
      return () =>
        world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false, reason: 'in a log' });
    },
  },
  'POST /v1/admin/api-keys/bulk-revoke': {
    leaves: [
      ['API_KEY_REVOKED', 'key.revoked'],
      ['API_KEY_REVOKED', 'key.revoked'],
    ],
    prepare: async () => {
      const keyIds = [await spareKey(), await spareKey()];
      return () =>
        world.admin.post('/v1/admin/api-keys/bulk-revoke', { keyIds, reason: 'in a log' });
    },
  },
  'POST /v1/auth/keys/rotate': {
    actor: 'agent',
    leaves: [['API_KEY_ROTATED', 'key.rotated']],
    prepare: async () => {
      const { client } = await mintKey(world.admin, world.principal.id, {});
      return () => client.post('/v1/auth/keys/rotate', {});
    },
  },
  'POST /v1/auth/oidc/cert': {
    actor: 'agent',
    leaves: [['CERT_ISSUED', 'cert.issued']],
    prepare: async () => {
      const body = await exchange();
      return () => world.anonymous.post('/v1/auth/oidc/cert', body);
    },
  },
  'POST /v1/admin/trusted-issuers': {
    actor: 'platform',
    leaves: [['ISSUER_CREATED', 'issuer.created']],
    prepare: async () => () => world.platform.post('/v1/admin/trusted-issuers', issuerBody()),
  },
  'PATCH /v1/admin/trusted-issuers/{id}': {
    actor: 'platform',
    leaves: [['ISSUER_UPDATED', 'issuer.updated']],
    prepare: async () => {
      const { id } = await newIssuer();
      return () =>
        world.platform.patch(`/v1/admin/trusted-issuers/${String(id)}`, { enabled: false });
    },
  },
  'DELETE /v1/admin/trusted-issuers/{id}': {
    actor: 'platform',
    leaves: [['ISSUER_DELETED', 'issuer.deleted']],
    prepare: async () => {
      const { id } = await newIssuer();
      return () => remove(world.platform, `/v1/admin/trusted-issuers/${String(id)}`);
    },
  },
  'POST /v1/admin/trusted-issuers/{id}/revoke-certs': {
    actor: 'platform',
    leaves: [['CERT_REVOKED', 'cert.revoked']],
    prepare: async () => {
      await newCert();
      return () =>
        world.platform.post(`/v1/admin/trusted-issuers/${String(issuer)}/revoke-certs`, {});
    },
  },
  'POST /v1/admin/ephemeral-certs/{id}/revoke': {
    actor: 'platform',
    leaves: [['CERT_REVOKED', 'cert.revoked']],
    prepare: async () => {
      const id = await newCert();
      return () => world.platform.post(`/v1/admin/ephemeral-certs/${id}/revoke`, {});
    },
  },
  'PUT /v1/agents/{agentId}/capabilities': {
    leaves: [['AGENT_CAPABILITIES_CHANGED', 'agent.capabilities_changed']],
    prepare: async () => () =>
      put(`/v1/agents/${world.principal.id}/capabilities`, { types: [fresh()] }),
  },
  'PUT /v1/agents/{agentId}/encryption-key': {
    leaves: [['ENCRYPTION_KEY_SET', 'agent.encryption_key_changed']],
    prepare: async () => () =>
      put(`/v1/agents/${world.principal.id}/encryption-key`, { publicKeyJwk: x25519Jwk() }),
  },
  'POST /v1/agents/{agentId}/signing-keys': {
    leaves: [['SIGNING_KEY_ADDED', 'agent.signing_key_added']],
    prepare: async () => {
      const pair = ed25519Pair();
      return () =>
        world.admin.post(`/v1/agents/${world.principal.id}/signing-keys`, {
          publicKeyJwk: pair.jwk,
          proofOfPossession: proofOf(pair, world.principal.id),
        });
    },
  },
  'DELETE /v1/agents/{agentId}/signing-keys/{thumbprint}': {
    leaves: [['SIGNING_KEY_REVOKED', 'agent.signing_key_revoked']],
    prepare: async () => {
      const pair = ed25519Pair();
      const path = `/v1/agents/${world.principal.id}/signing-keys`;
      await ok(
        world.admin.post(path, {
          publicKeyJwk: pair.jwk,
          proofOfPossession: proofOf(pair, world.principal.id),
        }),
      );
      return () => remove(world.admin, `${path}/${pair.thumbprint}`);
    },
  },
  'POST /v1/agents/{agentId}/references': {
    leaves: [['AGENT_REFERENCE_ADDED', 'agent.reference_added']],
    prepare: async () => () =>
      world.admin.post(`/v1/agents/${world.principal.id}/references`, {
        kind: 'url',
        uri: `https://example.com/${fresh()}`,
      }),
  },
  'POST /v1/admin/witnesses': {
    actor: 'platform',
    orgId: () => null,
    leaves: [['WITNESS_ADDED', 'witness.added']],
    prepare: async () => () =>
      world.platform.post('/v1/admin/witnesses', {
        name: fresh(),
        publicKeyJwk: ed25519Pair().jwk,
      }),
  },
  'DELETE /v1/admin/witnesses/{witnessKeyId}': {
    actor: 'platform',
    orgId: () => null,
    leaves: [['WITNESS_REMOVED', 'witness.removed']],
    prepare: async () => {
      const { witnessKeyId } = await ok(
        world.platform.post('/v1/admin/witnesses', {
          name: fresh(),
          publicKeyJwk: ed25519Pair().jwk,
        }),
      );
      return () => remove(world.platform, `/v1/admin/witnesses/${String(witnessKeyId)}`);
    },
  },
  'PUT /v1/admin/rate-limit-exemptions/{ownerId}': {
    actor: 'platform',
    leaves: [['RATE_LIMIT_EXEMPTED', 'admin.rate_limit_exempted']],
    prepare: async () => {
      const { id } = await newAgent();
      return () => world.platform.call('PUT', `${EXEMPTIONS}/${id}`);
    },
  },
  'DELETE /v1/admin/rate-limit-exemptions/{ownerId}': {
    actor: 'platform',
    leaves: [['RATE_LIMIT_RESTORED', 'admin.rate_limit_restored']],
    prepare: async () => {
      const { id } = await newAgent();
      await ok(world.platform.call('PUT', `${EXEMPTIONS}/${id}`));
      return () => remove(world.platform, `${EXEMPTIONS}/${id}`);
    },
  },
  'POST /v1/admin/federation/peers': {
    ...ofPlatform,
    leaves: [['PEER_REGISTERED', 'peer.registered']],
    prepare: async () => {
      const { registration } = new Stranger();
      return () => world.platform.post(PEERS, registration);
    },
  },
  'PATCH /v1/admin/federation/peers/{hubId}': {
    ...ofPlatform,
    leaves: [['PEER_UPDATED', 'peer.updated']],
    prepare: async () => {
      const path = await newPeer();
      return () => world.platform.patch(path, { baseUrl: 'https://hub.example:8443' });
    },
  },
  'POST /v1/admin/federation/peers/{hubId}/approve': {
    ...ofPlatform,
    leaves: [['PEER_APPROVED', 'peer.approved']],
    prepare: async () => {
      const stranger = new Stranger();
      await ok(stranger.greet(api));
      const { hubId, thumbprint, vaultRoot } = stranger;
      const compared = { publicKeyThumbprint: thumbprint, vaultRoot };
      return () => world.platform.post(`${PEERS}/${hubId}/approve`, compared);
    },
  },
  'POST /v1/admin/federation/peers/{hubId}/suspend': {
    ...ofPlatform,
    leaves: [['PEER_SUSPENDED', 'peer.suspended']],
    prepare: async () => {
      const path = await activePeer();
      return () => world.platform.post(`${path}/suspend`, { reason: 'maintenance' });
    },
  },
  'POST /v1/admin/federation/peers/{hubId}/resume': {
    ...ofPlatform,
    leaves: [['PEER_RESUMED', 'peer.resumed']],
    prepare: async () => {
      const path = await activePeer();
      await ok(world.platform.post(`${path}/suspend`, {}));
      return () => world.platform.post(`${path}/resume`, {});
    },
  },
  'POST /v1/admin/federation/peers/{hubId}/revoke': {
    ...ofPlatform,
    leaves: [['PEER_REVOKED', 'peer.revoked']],
    prepare: async () => {
      const path = await newPeer();
      return () => world.platform.post(`${path}/revoke`, { reason: 'contract ended' });
    },
  },
  'POST /v1/webhooks': {
    leaves: [['WEBHOOK_CREATED', 'webhook.created']],
    prepare: async () => () => world.admin.post('/v1/webhooks', hookBody()),
  },
  'PATCH /v1/webhooks/{id}': {
    leaves: [['WEBHOOK_UPDATED', 'webhook.updated']],
    prepare: async () => {
      const path = await newHook();
      return () => world.admin.patch(path, { eventTypes: ['*'] });
    },
  },
  'DELETE /v1/webhooks/{id}': {
    leaves: [['WEBHOOK_DELETED', 'webhook.deleted']],
    prepare: async () => {
      const path = await newHook();
      return () => remove(world.admin, path);
    },
  },
  'POST /v1/webhooks/{id}/rotate': {
    leaves: [['WEBHOOK_SECRET_ROTATED', 'webhook.updated']],
    prepare: async () => {
      const path = await newHook();
      return () => world.admin.post(`${path}/rotate`);
    },
  },
  'POST /v1/webhooks/{id}/pause': {
    leaves: [['WEBHOOK_UPDATED', 'webhook.updated']],
    prepare: async () => {
      const path = await newHook();
      return () => world.admin.post(`${path}/pause`);
    },
  },
  'POST /v1/webhooks/{id}/resume': {
    leaves: [['WEBHOOK_UPDATED', 'webhook.updated']],
    prepare: async () => {
      const path = await newHook();
      await ok(world.admin.post(`${path}/pause`));
      return () => world.admin.post(`${path}/resume`);
    },
  },
  'PATCH /v1/admin/webhooks/{id}/circuit-breaker': {
    actor: 'platform',
    leaves: [['WEBHOOK_UPDATED', 'webhook.circuit_opened']],
    prepare: async () => {
      const path = (await newHook()).replace('/v1/', '/v1/admin/');
      return () => world.platform.patch(`${path}/circuit-breaker`, { state: 'open' });
    },
  },
  'POST /v1/schemas': {
    leaves: [['SCHEMA_REGISTERED', 'schema.registered']],
    prepare: async () => () =>
      world.admin.post('/v1/schemas', { type: fresh(), completionSchema: {} }),
  },
  'PATCH /v1/schemas/{type}': {
    leaves: [['SCHEMA_STATUS_CHANGED', 'schema.status_changed']],
    prepare: async () => {
      const type = await newType();
      return () => world.admin.patch(`/v1/schemas/${type}`, { status: 'disabled' });
    },
  },
  'DELETE /v1/schemas/{type}': {
    leaves: [['SCHEMA_DELETED', 'schema.deleted']],
    prepare: async () => {
      const type = await newType('disabled');
      return () => remove(world.admin, `/v1/schemas/${type}`);
    },
  },
  'POST /v1/schemas/import': {
    leaves: [['SCHEMA_IMPORTED', 'schema.imported']],
    prepare: async () => {
      const { type } = await ok(
        globex.admin.post('/v1/schemas', { type: fresh(), completionSchema: {} }),
      );
      const bundle = await ok(globex.admin.get(`/v1/schemas/export?type=${String(type)}`));
      return () => world.admin.post('/v1/schemas/import', bundle);
    },
  },
};

/** What it seals is in test/api/federation-peers.long.test.ts; nobody is told by an event, but the peers by a handshake. */
const OF_THE_HUB_KEY = ['POST /v1/admin/federation/hub-key/rotate'];
/** POST for the sake of its body. */
const CHANGES_NOTHING = ['POST /v1/schemas/{type}/validate'];
/** Of the vault: what they seal is in test/api/rotation.long.test.ts and test/api/rewind.test.ts; a scan only reads. */
const OF_THE_VAULT = [
  'POST /v1/admin/vault/signing-keys/rotate',
  'POST /v1/admin/vault/anchors/verify',
  'POST /v1/admin/vault/anchors/reconcile',
  'POST /v1/admin/vault/rewind/acknowledge',
  'POST /v1/admin/vault/scan',
];
/** What it applies is sealed as the acts that it consists of: test/api/provisioning.test.ts. */
const OF_FILES = ['POST /v1/admin/provisioning/reload'];
/** What was delivered and what was not is no administration: it leaves deliveries. */
const OF_DELIVERIES = [
  'POST /v1/webhooks/{id}/ping',
  'POST /v1/webhooks/{id}/dlq/retry-all',
  'POST /v1/webhooks/{id}/dlq/{dlqId}/retry',
  'DELETE /v1/webhooks/{id}/dlq/{dlqId}',
  'DELETE /v1/admin/webhook-dlq/{dlqId}',
];
const UNDER = /^\/v1\/(?:admin|auth|agents|schemas|webhooks)(?:\/|$)/;

it('the acts are all the routes under /v1/admin, /v1/auth, /v1/agents, /v1/schemas and /v1/webhooks that change something', async () => {
  const { paths } = await ok(world.anonymous.get('/docs/openapi.json'));
  const documented = Object.entries(paths as Body)
    .filter(([path]) => UNDER.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods as Body).map((method) => `${method.toUpperCase()} ${path}`),
    );
  expect(documented.filter((route) => !route.startsWith('GET ')).sort()).toEqual(
    [
      ...Object.keys(ACTS),
      ...CHANGES_NOTHING,
      ...OF_THE_HUB_KEY,
      ...OF_THE_VAULT,
      ...OF_FILES,
      ...OF_DELIVERIES,
    ].sort(),
  );
});

describe('an act is sealed once and told once, with who did it, in which request and for which org', () => {
  it.each(Object.entries(ACTS))(
    '%s',
    async (_route, { prepare, leaves, actor = 'admin', orgId = () => world.orgId }) => {
      const act = await prepare();
      const { result, entries, events: all } = await tracesOfAct(api, act);
      // A webhook of another act, whose receiver is not there, opens its circuit by itself.
      const events = all.filter(({ says }) => says['actor'].kind !== 'system');
      expect({ status: result.status, body: result.body }).toMatchObject({
        status: expect.toSatisfy((status: number) => status >= 200 && status < 300),
      });
      const org = orgId(result.body);
      expect(entries.map(({ type }) => type)).toEqual(leaves.map(([entry]) => entry));
      expect(events.map(({ type }) => type)).toEqual(leaves.map(([, event]) => event));
      const who =
        actor === 'agent'
          ? { kind: 'agent', agentId: world.principal.id }
          : {
              kind: actor,
              agentId: String((await ok(world[actor].get('/v1/auth/me')))['ownerId']),
            };
      for (const { chain, type, orgId: row, says } of entries) {
        expect(chain).toBe(type.startsWith('SCHEMA_') ? 'schema' : 'platform');
        expect({ row, says }).toMatchObject({
          row: org,
          says: {
            entryType: type,
            requestId: result.headers.get('x-request-id'),
            actor: who,
            ...(org === null ? {} : { orgId: org }),
          },
        });
      }
      for (const { orgId: row, says } of events)
        expect({ row, says }).toMatchObject({ row: org, says: { actor: who } });
    },
  );

  it('a refused act leaves neither', async () => {
    const { result, entries, events } = await tracesOfAct(api, () =>
      world.admin.post('/v1/admin/agents', { name: '', orgId: world.orgId }),
    );
    expect({ status: result.status, entries, events }).toEqual({
      status: 400,
      entries: [],
      events: [],
    });
  });

  it.each(CHANGES_NOTHING)('%s leaves neither', async (route) => {
    const { result, entries, events } = await tracesOfAct(api, () =>
      world.admin.post(route.slice(5).replace('{type}', 'job'), { criteria: { goal: 'g' } }),
    );
    expect({ status: result.status, entries, events }).toEqual({
      status: 200,
      entries: [],
      events: [],
    });
  });
});
