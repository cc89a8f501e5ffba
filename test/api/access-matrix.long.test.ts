import { beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../application/sealing/vault.ts';
import { signCertJws } from '../../domain/identity/cert-jws.ts';
import { SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblemForm, NOBODY } from '../support/stories/problems.ts';
import {
  addAgent,
  Client,
  createWorld,
  mintKey,
  ok,
  openDelivered,
  type Answer,
  type Body,
} from '../support/service/world.ts';

/**
 * The routes of the specification's tables and the scopes that they need (identity.md 4, record-types.md 3). A route
 * of the API document that is not here fails the test, and so does one that is here and not there.
 */
type Rule =
  | 'public'
  | 'credential'
  | {
      readonly roles: readonly string[];
      readonly scopes?: readonly string[];
      /** Roles whose default profile does not hold the scope. */ readonly withheld?: readonly string[];
    }
  | {
      readonly scopes: readonly string[];
      /** What a platform key is told in any case. */ readonly platform?: string;
    };
/** Of the keys that are let in nowhere else. */
const THEIR_ONLY_SCOPE = 'webhooks:read';
const RULES: Readonly<Record<string, Rule>> = {
  'POST /v1/records': { scopes: ['records:write'] },
  'POST /v1/records/bulk': { scopes: ['records:write'] },
  'GET /v1/records': { scopes: ['records:read'] },
  'GET /v1/records/{id}': { scopes: ['records:read'] },
  'GET /v1/records/{id}/chain': { scopes: ['records:read'] },
  'GET /v1/records/{recordId}/audit-export': { scopes: ['audit:read'] },
  'GET /v1/records/{recordId}/attestation': { scopes: ['audit:read'] },
  'GET /v1/records/{recordId}/attestation.bundle': { scopes: ['audit:read'] },
  'GET /v1/audit-vault/checkpoints': { scopes: ['compliance:read'] },
  'POST /v1/records/{id}/completions': { scopes: ['completions:write'] },
  'GET /v1/records/{id}/completions/{completionId}': { scopes: ['completions:read'] },
  'POST /v1/records/{id}/verdict': { scopes: ['records:write'] },
  'GET /v1/records/{id}/gate-status': { scopes: ['records:read'] },
  'POST /v1/records/{id}/transition': { scopes: ['records:write', 'completions:write'] },
  'POST /v1/records/{id}/accept': { scopes: ['records:write', 'completions:write'] },
  'POST /v1/records/{id}/accept-counter': { scopes: ['records:write', 'completions:write'] },
  'POST /v1/records/{id}/counter-propose': { scopes: ['records:write', 'completions:write'] },
  'POST /v1/records/{id}/reject': { scopes: ['records:write', 'completions:write'] },
  'POST /v1/records/{id}/cancel': { scopes: ['records:write'] },
  'POST /v1/records/{id}/revision': { scopes: ['records:write'] },
  'POST /v1/records/{id}/references': { scopes: ['records:write'] },
  'POST /v1/records/{id}/dispute': { scopes: ['disputes:write'] },
  'GET /v1/records/{id}/dispute': { scopes: ['disputes:read'] },
  'POST /v1/records/{id}/dispute/evidence': { scopes: ['disputes:write'] },
  'POST /v1/records/{id}/dispute/escalate': { scopes: ['disputes:write'] },
  'POST /v1/records/{id}/dispute/resolve': { scopes: ['disputes:manage', 'disputes:write'] },
  'POST /v1/records/{id}/dispute/withdraw': { scopes: ['disputes:write'] },
  'GET /v1/disputes': { scopes: ['disputes:read'] },
  'GET /v1/disputes/{disputeId}': { scopes: ['disputes:read'] },
  'POST /v1/schemas': { scopes: ['schemas:admin'] },
  'GET /v1/schemas': { scopes: ['schemas:read'] },
  'GET /v1/schemas/{type}': { scopes: ['schemas:read'] },
  'GET /v1/schemas/{type}/versions': { scopes: ['schemas:read'] },
  'PATCH /v1/schemas/{type}': { scopes: ['schemas:admin'] },
  'DELETE /v1/schemas/{type}': { scopes: ['schemas:admin'] },
  'POST /v1/schemas/{type}/validate': { scopes: ['schemas:read'] },
  'GET /v1/schemas/export': { scopes: ['schemas:read'] },
  'POST /v1/schemas/import': { scopes: ['schemas:admin'] },
  'GET /schemas/{publisher}/{type}/{version}/criteria.json': 'public',
  'GET /schemas/{publisher}/{type}/{version}/completion.json': 'public',
  'GET /v1/agents/{agentId}': { scopes: ['agents:read'] },
  'PUT /v1/agents/{agentId}/capabilities': { scopes: ['agents:write'] },
  'PUT /v1/agents/{agentId}/encryption-key': { scopes: ['agents:write'] },
  'POST /v1/agents/{agentId}/signing-keys': { scopes: ['agents:write'] },
  'DELETE /v1/agents/{agentId}/signing-keys/{thumbprint}': { scopes: ['agents:write'] },
  'POST /v1/agents/{agentId}/references': { scopes: ['agents:write'] },
  'GET /v1/agents/{agentId}/reputation': { scopes: ['reputation:read'] },
  'GET /v1/agents/{agentId}/history': { scopes: ['agents:read'] },
  'GET /v1/agents/{agentId}/drift': { scopes: ['agents:read', 'drift:read'] },
  'GET /v1/agents/drift': { scopes: ['drift:read'], platform: '403 ORG_REQUIRED' },
  'GET /v1/auth/me': 'credential',
  'POST /v1/auth/keys/rotate': 'credential',
  'POST /v1/admin/orgs': { roles: ['platform'] },
  'GET /v1/admin/orgs': { roles: ['platform', 'admin'] },
  'PATCH /v1/admin/orgs/{id}': { scopes: ['admin:keys'], roles: ['platform', 'admin'] },
  'POST /v1/admin/agents': { scopes: ['admin:keys'] },
  'GET /v1/admin/agents': { scopes: ['admin:keys'] },
  'POST /v1/admin/agents/{id}/deactivate': { scopes: ['admin:keys'] },
  'POST /v1/admin/agents/{id}/reactivate': { scopes: ['admin:keys'], roles: ['platform'] },
  'POST /v1/admin/api-keys': { scopes: ['admin:keys'] },
  'GET /v1/admin/api-keys': { scopes: ['admin:keys'] },
  'PATCH /v1/admin/api-keys/{keyId}': { scopes: ['admin:keys'] },
  'POST /v1/admin/api-keys/bulk-revoke': { scopes: ['admin:keys'] },
  'POST /v1/auth/oidc/cert': 'public',
  'GET /v1/admin/vault/signing-keys': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/vault/anchors': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/vault/anchors/verify': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/vault/anchors/reconcile': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/vault/rewind': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/vault/rewind/acknowledge': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/vault/signing-keys/rotate': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/system-health': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/ops-summary': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/support-bundle': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/witnesses': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/witnesses': { scopes: ['admin:system'], roles: ['platform'] },
  'DELETE /v1/admin/witnesses/{witnessKeyId}': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/rate-limit-exemptions/{ownerId}': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'PUT /v1/admin/rate-limit-exemptions/{ownerId}': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'DELETE /v1/admin/rate-limit-exemptions/{ownerId}': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'POST /v1/admin/federation/peers': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/federation/peers': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/federation/peers/{hubId}': { scopes: ['admin:system'], roles: ['platform'] },
  'PATCH /v1/admin/federation/peers/{hubId}': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/federation/peers/{hubId}/approve': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'POST /v1/admin/federation/peers/{hubId}/suspend': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'POST /v1/admin/federation/peers/{hubId}/resume': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'POST /v1/admin/federation/peers/{hubId}/revoke': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'GET /federation/v1/admin/dlq': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /federation/v1/admin/dlq/recover': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/federation/hub-key/rotate': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/webhooks': { scopes: ['webhooks:write'] },
  'GET /v1/webhooks': { scopes: ['webhooks:read'] },
  'GET /v1/webhooks/{id}': { scopes: ['webhooks:read'] },
  'PATCH /v1/webhooks/{id}': { scopes: ['webhooks:write'] },
  'DELETE /v1/webhooks/{id}': { scopes: ['webhooks:write'] },
  'POST /v1/webhooks/{id}/ping': { scopes: ['webhooks:write'] },
  'POST /v1/webhooks/{id}/rotate': { scopes: ['webhooks:write'] },
  'POST /v1/webhooks/{id}/pause': { scopes: ['webhooks:write'] },
  'POST /v1/webhooks/{id}/resume': { scopes: ['webhooks:write'] },
  'GET /v1/webhooks/{id}/deliveries': { scopes: ['webhooks:read'] },
  'GET /v1/webhooks/{id}/dlq': { scopes: ['webhooks:read'] },
  'POST /v1/webhooks/{id}/dlq/retry-all': { scopes: ['webhooks:write'] },
  'POST /v1/webhooks/{id}/dlq/{dlqId}/retry': { scopes: ['webhooks:write'] },
  'DELETE /v1/webhooks/{id}/dlq/{dlqId}': { scopes: ['webhooks:write'] },
  'GET /v1/admin/webhooks/health': {
    scopes: ['admin:system'],
    roles: ['admin', 'platform'],
    withheld: ['admin'],
  },
  'PATCH /v1/admin/webhooks/{id}/circuit-breaker': {
    scopes: ['admin:system'],
    roles: ['admin', 'platform'],
    withheld: ['admin'],
  },
  'GET /v1/admin/webhook-dlq': { scopes: ['admin:system'], roles: ['platform'] },
  'DELETE /v1/admin/webhook-dlq/{dlqId}': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/events': { scopes: ['events:read'] },
  'GET /v1/siem/stream': { scopes: ['audit:read'] },
  'POST /v1/compliance/exports': { scopes: ['compliance:write'] },
  'GET /v1/compliance/exports': { scopes: ['compliance:read'] },
  'GET /v1/compliance/exports/{id}': { scopes: ['compliance:read'] },
  'GET /v1/compliance/exports/{id}/download': { scopes: ['compliance:read'] },
  'GET /v1/audit/org-reads/checkpoints': { scopes: ['audit:read'] },
  'GET /v1/audit/org-reads/checkpoints/{id}': { scopes: ['audit:read'] },
  'GET /v1/audit/org-reads/checkpoints/{id}/proof': { scopes: ['audit:read'] },
  'POST /v1/audit/org-reads/checkpoints/{id}/cosign': { scopes: ['audit:write'] },
  'POST /v1/admin/provisioning/reload': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/provisioning/status': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/vault/scan': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/vault/scan/{jobId}': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/trusted-issuers': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/trusted-issuers': { scopes: ['admin:system'], roles: ['platform'] },
  'GET /v1/admin/trusted-issuers/{id}': { scopes: ['admin:system'], roles: ['platform'] },
  'PATCH /v1/admin/trusted-issuers/{id}': { scopes: ['admin:system'], roles: ['platform'] },
  'DELETE /v1/admin/trusted-issuers/{id}': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/admin/trusted-issuers/{id}/revoke-certs': {
    scopes: ['admin:system'],
    roles: ['platform'],
  },
  'POST /v1/admin/ephemeral-certs/{id}/revoke': { scopes: ['admin:system'], roles: ['platform'] },
  'POST /v1/scitt/entries': { scopes: ['records:write'] },
  'GET /v1/scitt/entries/{entryId}': { scopes: ['audit:read'], platform: '403 ORG_REQUIRED' },
  'GET /v1/scitt/checkpoint': { scopes: ['audit:read'], platform: '403 ORG_REQUIRED' },
  'GET /v1/scitt/consistency': { scopes: ['audit:read'] },
  'GET /lifecycle': 'credential',
  'GET /v1/conformance': 'credential',
  'GET /conformance': 'credential',
  'GET /v1/verification-keys': 'public',
  'GET /.well-known/service-vault-keys.json': 'public',
  'GET /.well-known/scitt-keys': 'public',
  'GET /.well-known/scitt-keys/{kid}': 'public',
  'GET /v1/scope-profiles': 'public',
  'GET /federation/v1/identity': 'public',
  'GET /predicates': 'public',
  'GET /predicates/{kind}/v1': 'public',
  'GET /problems/{slug}': 'public',
  'GET /': 'public',
  'GET /livez': 'public',
  'GET /readyz': 'public',
  'GET /health': 'public',
  'GET /status': 'public',
  'GET /docs/openapi.json': 'public',
  'GET /docs/openapi.yaml': 'public',
  'GET /docs/provisioning/{document}': 'public',
  'GET /docs': 'public',
  'GET /docs/guides/{guide}': 'public',
  'GET /docs/reference': 'public',
  'GET /docs/reference/{section}': 'public',
  'GET /docs/search': 'public',
  'GET /llms.txt': 'public',
  'GET /llms-full.txt': 'public',
  'GET /docs/notary-gates.mjs': 'public',
  'GET /docs/notary-gates.mjs.sha256': 'public',
  'GET /docs/notary-verify.mjs': 'public',
  'GET /docs/notary-verify.mjs.sha256': 'public',
  'GET /docs/pages.css': 'public',
  'GET /console': 'public',
  'GET /console/console.css': 'public',
  'GET /console/console.js': 'public',
  'GET /console/plots.js': 'public',
  'GET /console/verifier.js': 'public',
  'GET /docs/verify': 'public',
  'GET /docs/verify-page.js': 'public',
};
const ROUTES = Object.entries(RULES);
/** Beyond the profile agent-full. */
const NOT_AN_AGENTS = /^(?:admin:|compliance:|schemas:admin|drift:|agents:write|audit:write)/;

const api = useApi();
let record: { id: string; completionId: string };
let paths: Body;
const clients: { [name: string]: Client } = {};

beforeAll(async () => {
  const { world } = api;
  record = await openDelivered(world);
  ({ paths } = await ok(world.anonymous.get('/docs/openapi.json')));
  const revoked = await mintKey(world.admin, world.principal.id, {});
  await ok(world.admin.patch(`/v1/admin/api-keys/${revoked.keyId}`, { isActive: false }));
  const { ownerId } = await ok(world.admin.get('/v1/auth/me'));
  const { ownerId: platformOwner } = await ok(world.platform.get('/v1/auth/me'));
  const leaver = await addAgent(world.admin, world.orgId, 'leaver');
  await ok(world.admin.post(`/v1/admin/agents/${leaver.id}/deactivate`));
  Object.assign(clients, {
    deactivated: leaver.client,
    'admin elsewhere': (await createWorld(world.url, String(world.platform.key), 'Elsewhere'))
      .admin,
    'unscoped platform': (
      await mintKey(world.platform, platformOwner as string, {
        role: 'platform',
        scopes: [THEIR_ONLY_SCOPE],
      })
    ).client,
    'expired certificate': await expiredCertificate(),
    nobody: world.anonymous,
    agent: world.principal.client,
    admin: world.admin,
    platform: world.platform,
    revoked: revoked.client,
    unscoped: (await mintKey(world.admin, world.principal.id, { scopes: [THEIR_ONLY_SCOPE] }))
      .client,
    'unscoped admin': (
      await mintKey(world.admin, ownerId as string, { role: 'admin', scopes: [THEIR_ONLY_SCOPE] })
    ).client,
  });
});

/** Signed by the vault key, and good for every scope of an agent until a second ago. */
const expiredCertificate = async (): Promise<Client> => {
  const { world, service } = api;
  const [issuedAt, expiresAt] = [
    new Date(Date.now() - 601_000).toISOString(),
    new Date(Date.now() - 1_000).toISOString(),
  ];
  const cert = {
    id: NOBODY,
    issuerId: NOBODY,
    orgId: world.orgId,
    agentId: world.principal.id,
    oidcIss: 'https://idp.example',
    oidcSub: 'workload',
    publicKey: new Uint8Array(32).fill(9),
    scopes: SCOPE_PROFILES['agent-full'].scopes,
    issuedAt,
    expiresAt,
    revokedAt: null,
  };
  return new Client(
    world.url,
    await signCertJws(service.container.get(Vault).seal.signer, world.url, cert),
  );
};

/** A request of the route with ids that exist, and a body that is refused for its shape where it would change something. */
const knock = (route: string, client: Client): Promise<Answer<Body>> => {
  const [method, template] = route.split(' ') as [string, string];
  const values: Record<string, string> = {
    id: record.id,
    recordId: record.id,
    completionId: record.completionId,
    agentId: api.world.principal.id,
    type: 'job',
    kind: 'record-state',
    slug: 'not-found',
    keyId: NOBODY,
    witnessKeyId: NOBODY,
    ownerId: NOBODY,
    hubId: NOBODY,
    dlqId: NOBODY,
    thumbprint: '0'.repeat(64),
    entryId: '0'.repeat(64),
  };
  // A platform key names the org of a type, else it is ORG_REQUIRED.
  const query =
    client === clients['platform'] && template.startsWith('/v1/schemas/')
      ? `?orgId=${api.world.orgId}`
      : '';
  const path =
    template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? 'missing') + query;
  return client.call(method, path, method === 'GET' ? undefined : { 'no-such-member': true });
};

const ROLE_OF: Readonly<Record<string, string>> = {
  unscoped: 'agent',
  'unscoped admin': 'admin',
  'unscoped platform': 'platform',
  'admin elsewhere': 'admin',
};
const roleOf = (who: string): string => ROLE_OF[who] ?? who;

/** What the rule says: let in, or which refusal. */
const expected = (who: string, rule: Rule): string => {
  if (rule === 'public') return 'in';
  if (who === 'nobody' || who === 'revoked' || who === 'expired certificate')
    return '401 UNAUTHORIZED';
  if (who === 'deactivated') return '403 ACCOUNT_DEACTIVATED';
  if (rule === 'credential') return 'in';
  if ('roles' in rule)
    return rule.roles.includes(roleOf(who))
      ? rule.scopes && (who.startsWith('unscoped') || rule.withheld?.includes(roleOf(who)))
        ? '403 INSUFFICIENT_SCOPE'
        : 'in'
      : '403 FORBIDDEN';
  if (who.startsWith('unscoped'))
    return rule.scopes.includes(THEIR_ONLY_SCOPE) ? 'in' : '403 INSUFFICIENT_SCOPE';
  if (who === 'platform' && rule.platform !== undefined) return rule.platform;
  return who === 'agent' && rule.scopes.every((scope) => NOT_AN_AGENTS.test(scope))
    ? '403 INSUFFICIENT_SCOPE'
    : 'in';
};

it('the routes of the API document are those of the specification', () => {
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as Body).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.sort()).toEqual(Object.keys(RULES).sort());
});

describe.each([
  'nobody',
  'revoked',
  'expired certificate',
  'deactivated',
  'unscoped',
  'unscoped admin',
  'unscoped platform',
  'agent',
  'admin',
  'admin elsewhere',
  'platform',
])('%s', (who) => {
  it.each(ROUTES)('%s', async (route, rule) => {
    const answer = await knock(route, clients[who]!);
    const { status, body } = answer;
    const outcome =
      status === 401 || status === 403
        ? `${status} ${String(body['code'])}`
        : status < 500
          ? 'in'
          : `${status}`;
    expect({ outcome, status }).toEqual({ outcome: expected(who, rule), status });
    const [method, path] = route.split(' ') as [string, string];
    expect(Object.keys(paths[path][method.toLowerCase()].responses)).toContain(String(status));
    if (status >= 400) expectProblemForm(answer);
    if (body['code'] === 'INSUFFICIENT_SCOPE')
      expect(
        (body['missingScopes'] as string[]).some((scope) =>
          (rule as { scopes: string[] }).scopes.includes(scope),
        ),
      ).toBe(true);
    if (outcome === '403 FORBIDDEN') expect(body['detail']).toContain('platform');
  });
});

describe('levels of a scope', () => {
  it.each([
    ['records:manage', 'GET /v1/records', 200],
    ['records:write', 'GET /v1/records', 200],
    ['records:read', 'GET /v1/records', 200],
    ['completions:write', 'GET /v1/records', 403],
    ['completions:write', 'GET /v1/records/{id}/completions/{completionId}', 200],
    ['audit:read', 'GET /v1/records/{recordId}/audit-export', 200],
    ['records:manage', 'GET /v1/records/{recordId}/audit-export', 403],
    ['agents:write', 'GET /v1/agents/{agentId}', 200],
  ])('%s at %s: %d', async (scope, route, status) => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, { scopes: [scope] });
    expect((await knock(route, client)).status).toBe(status);
  });

  it('records:read does not write', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    for (const route of [
      'POST /v1/records',
      'POST /v1/records/bulk',
      'POST /v1/records/{id}/verdict',
      'POST /v1/records/{id}/cancel',
      'POST /v1/records/{id}/transition',
    ])
      expect((await knock(route, client)).status).toBe(403);
  });

  it('schemas:admin on an admin key implies the lower levels', async () => {
    const { ownerId } = await ok(api.world.admin.get('/v1/auth/me'));
    const { client } = await mintKey(api.world.admin, ownerId as string, {
      role: 'admin',
      scopes: ['schemas:admin'],
    });
    expect((await client.get('/v1/schemas')).status).toBe(200);
    const manage = await mintKey(api.world.admin, ownerId as string, {
      role: 'admin',
      scopes: ['schemas:manage'],
    });
    expect(
      (await manage.client.post('/v1/schemas', { type: 'by-manage', completionSchema: {} })).status,
    ).toBe(403);
  });
});

it('no garbage in any place makes a 500', async () => {
  const garbage = [
    '%00',
    '..%2f..',
    `${'a'.repeat(5000)}`,
    '%F0%9F%98%80',
    '-1',
    'null',
    '%2e%2e',
    '__proto__',
    "'%20OR%201=1--",
  ];
  for (const [route] of ROUTES) {
    const [method, template] = route.split(' ') as [string, string];
    for (const bad of garbage) {
      const path = template.includes('{')
        ? template.replaceAll(/\{\w+\}/g, bad)
        : `${template}?${bad}=${bad}&limit=${bad}&cursor=${bad}&orgId=${bad}`;
      const { status } = await api.world.platform.call(
        method,
        path,
        method === 'GET' ? undefined : '[[{"a":"b"}]]',
      );
      expect({ route, bad, ok: status < 500 }).toEqual({ route, bad, ok: true });
    }
  }
});

it('no JSON of another shape makes a 500', async () => {
  const bodies = [
    'null',
    'true',
    '0',
    '""',
    '[]',
    '{}',
    '[null]',
    '{"":{}}',
    '{"__proto__":null}',
    '{"type":null,"criteria":null}',
    '{"evidence":null,"verdict":null,"completionId":null,"action":null,"name":null,"orgId":null,"role":null,"isActive":null}',
    '{"type":{"toString":1},"criteria":{"toString":1},"action":{},"name":[],"scopes":{},"allowedIps":"x","capabilities":null}',
  ];
  for (const [route] of ROUTES.filter(([name]) => !name.startsWith('GET'))) {
    for (const body of bodies) {
      const [method, template] = route.split(' ') as [string, string];
      if (route === 'POST /v1/auth/keys/rotate' && body === '{}') continue;
      const { status } = await api.world.platform.call(
        method,
        template.replaceAll(/\{\w+\}/g, NOBODY),
        body,
      );
      expect({ route, body, ok: status < 500 }).toEqual({ route, body, ok: true });
    }
  }
});
