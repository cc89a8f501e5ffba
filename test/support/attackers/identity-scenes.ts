import { FEDERATION_SCENES } from '../hubs/federation-scenes.ts';
import { WEBHOOK_SCENES } from './webhook-scenes.ts';
import { randomBytes } from 'node:crypto';
import { TOKENS } from '../../../config/tokens.ts';
import { ed25519Pair, proofOf } from '../clients/agent-keys.ts';
import { SCENES, uuidOf, type Prepare, type Scene } from './column-scenes.ts';
import type { EditedHub } from './edited-hub.ts';
import { bodyHeaders } from '../clients/co-signing.ts';
import { AUDIENCE, exchangeOf, certKey, type Oidc } from '../peers/oidc.ts';
import {
  addAgent,
  Client,
  GOAL,
  NOTE_TYPE,
  ok,
  type Answer,
  type Body,
  type World,
} from '../service/world.ts';

const bytes = (id: unknown): Uint8Array => Buffer.from(String(id).replaceAll('-', ''), 'hex');
const name = (): string => `n${randomBytes(5).toString('hex')}`;
const whoami = (world: World, key: string | null): Promise<Answer<Body>> =>
  new Client(world.url, key).get('/v1/auth/me');
const agentOf = ({ world }: EditedHub) => addAgent(world.admin, world.orgId, name());

/** What others remember of these rows they may believe for a second; row-edits tries them warm. */
const LATER = { isRemembered: true } as const;

const withCert = async (
  hub: EditedHub,
  oidc: Oidc,
): Promise<{ issuer: Body; cert: Body; key: ReturnType<typeof certKey>; jws: string }> => {
  const { world } = hub;
  const issuer = await ok(
    world.platform.post('/v1/admin/trusted-issuers', {
      orgId: world.orgId,
      issuerUrl: oidc.issuer,
      expectedAudience: `${AUDIENCE}/${name()}`,
      jwksUri: `${oidc.issuer}/jwks`,
    }),
  );
  const key = certKey();
  const { certJws } = await ok(exchange(world, oidc, issuer, key));
  const cert = (await ok(whoami(world, String(certJws))))['cert'] as Body;
  return { issuer, cert, key, jws: String(certJws) };
};

const coSigned = async (hub: EditedHub, oidc: Oidc): Promise<{ id: string; where: Uint8Array }> => {
  const { key, jws } = await withCert(hub, oidc);
  const body = JSON.stringify({ type: 'note', criteria: { text: name() } });
  const { id } = await ok(
    new Client(hub.world.url, jws).post('/v1/records', body, {
      'content-type': 'application/json',
      ...bodyHeaders({ key }, body),
    }),
  );
  const row = await hub.row('co_signed_entries', hub.is('chain_key', String(id)));
  return { id: String(id), where: row['request_id'] as Uint8Array };
};

/** The outcome does not depend on an action. */
const notTried = (): Promise<Answer<Body>> =>
  Promise.resolve({ status: 200, body: {}, headers: new Headers() });

const exchange = async (
  world: World,
  oidc: Oidc,
  issuer: Body,
  key: ReturnType<typeof certKey>,
): Promise<Answer<Body>> =>
  world.anonymous.post(
    '/v1/auth/oidc/cert',
    exchangeOf(
      await oidc.forge({
        aud: issuer['expectedAudience'] as string,
        agent_id: world.principal.id,
      }),
      key,
    ),
  );

/** A scene for each table that says who may do what. */
export const identityScenes = (oidc: Oidc): Readonly<Record<string, Prepare>> => ({
  orgs: async (hub) => ({
    ...LATER,
    where: hub.is('id', bytes(hub.world.orgId)),
    act: ({ admin }) => admin.post('/v1/schemas', { ...NOTE_TYPE, type: name() }),
  }),
  agents: async (hub) => {
    const { id } = await agentOf(hub);
    return {
      ...LATER,
      where: hub.is('id', bytes(id)),
      act: ({ admin }) =>
        admin.post('/v1/admin/api-keys', { role: 'agent', ownerType: 'agent', ownerId: id }),
    };
  },
  agent_keys: async (hub) => {
    const { id } = await agentOf(hub);
    const pair = ed25519Pair();
    await ok(
      hub.world.admin.post(`/v1/agents/${id}/signing-keys`, {
        publicKeyJwk: pair.jwk,
        proofOfPossession: proofOf(pair, id),
      }),
    );
    return shownAgent(hub.is('agent_id', bytes(id)), id);
  },
  agent_references: async (hub) => {
    const { id } = await agentOf(hub);
    await ok(
      hub.world.admin.post(`/v1/agents/${id}/references`, {
        kind: 'site',
        uri: 'https://a.example',
        digest: { alg: 'sha256', value: 'ab'.repeat(32) },
        label: 'home',
      }),
    );
    return shownAgent(hub.is('agent_id', bytes(id)), id);
  },
  api_keys: async (hub) => {
    const { id, client } = await agentOf(hub);
    return {
      ...LATER,
      where: hub.is('owner_id', bytes(id)),
      act: (world) => whoami(world, client.key),
    };
  },
  trusted_issuers: async (hub) => {
    const { issuer } = await withCert(hub, oidc);
    const path = `/v1/admin/trusted-issuers/${String(issuer['id'])}`;
    return {
      ...LATER,
      where: hub.is('id', bytes(issuer['id'])),
      act: ({ platform }) => platform.get(path),
    };
  },
  ephemeral_certs: async (hub) => {
    const { cert, jws } = await withCert(hub, oidc);
    return {
      ...LATER,
      where: hub.is('id', bytes(cert['id'])),
      act: (world) => whoami(world, jws),
    };
  },
  cert_keys: async (hub) => {
    const { issuer, key } = await withCert(hub, oidc);
    return {
      ...LATER,
      where: `${hub.is('agent_id', bytes(hub.world.principal.id))} AND ${hub.is('public_key', Buffer.from(String(key.publicKeyJwk['x']), 'base64url'))}`,
      act: (world) => exchange(world, oidc, issuer, key),
    };
  },
  record_types: async (hub) => {
    const type = name();
    await ok(hub.world.admin.post('/v1/schemas', { ...NOTE_TYPE, type }));
    return {
      ...LATER,
      where: hub.is('type', type),
      act: ({ principal }) => principal.client.post('/v1/records', { type, criteria: GOAL }),
    };
  },
  spent_tokens: async (hub) => {
    await withCert(hub, oidc);
    return { where: await hub.any('spent_tokens', 'token'), act: notTried };
  },
  co_signed_requests: async (hub) => {
    const { id, where } = await coSigned(hub, oidc);
    return { where: hub.is('id', where), act: notTried, exported: id };
  },
  co_signed_entries: async (hub) => {
    const { id } = await coSigned(hub, oidc);
    return { where: hub.is('chain_key', id), act: notTried, exported: id };
  },
  outbox: async (hub) => {
    const { id } = await ok(
      hub.world.principal.client.post('/v1/records', { type: 'note', criteria: {} }),
    );
    return {
      where: hub.is('record_id', bytes(id)),
      act: async (_world, { container }, edited) => {
        const { events } = await container
          .get(TOKENS.eventReads)
          .after({ viewer: { kind: 'platform' }, after: 0, limit: 1_000 });
        const isGiven = events.some(({ id: given }) => given === uuidOf(edited['id']));
        const status = isGiven ? 200 : 409;
        return { status, body: { reason: 'payload_drift' }, headers: new Headers() };
      },
    };
  },
});

/** Rows of the vault and of the machinery: found by their table alone. */
export const MACHINERY: Readonly<Record<string, Prepare>> = Object.fromEntries(
  Object.entries({
    instance: 'id',
    vault_signing_keys: 'key_id',
    vault_key_statements: 'key_id',
    sealed_keys: 'key_id',
    secret_checks: 'secret',
    publishers: 'label',
    locks: 'name',
    event_counter: 'id',
  }).map(([table, key]) => [
    table,
    async (hub: EditedHub): Promise<Scene> => ({ where: await hub.any(table, key), act: notTried }),
  ]),
);

const shownAgent = (where: string, id: string): Scene => ({
  ...LATER,
  where,
  act: ({ admin }) => admin.get(`/v1/agents/${id}`),
});

/** What there is to edit in each table, prepared. */
export const everyScene = async (
  hub: EditedHub,
  oidc: Oidc,
): Promise<ReadonlyMap<string, Scene>> => {
  const scenes = new Map<string, Scene>();
  const prepared = {
    ...SCENES,
    ...WEBHOOK_SCENES,
    ...FEDERATION_SCENES,
    ...identityScenes(oidc),
    ...MACHINERY,
  };
  for (const [table, prepare] of Object.entries(prepared)) scenes.set(table, await prepare(hub));
  return scenes;
};
