import { generateKeyPairSync, sign } from 'node:crypto';
import { cosignatureBytes } from '../../../domain/transparency/cosignature.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import type { Api } from '../service/api.ts';
import { ed25519Pair, proofOf, x25519Jwk } from '../clients/agent-keys.ts';
import { AUDIENCE, exchangeOf, type Oidc } from '../peers/oidc.ts';
import { NOBODY } from './problems.ts';
import { issuer, registerKey, statement } from '../vectors/statements.ts';
import type { WireRecorder } from './wire-recorder.ts';
import { AUTO_TYPE, type Client, JOB_TYPE, NOTE_TYPE, type Body } from '../service/world.ts';

/** The callers of the story. Each answer to them is recorded. */
export interface Cast {
  readonly anonymous: Client;
  readonly platform: Client;
  readonly admin: Client;
  readonly principal: Client;
  readonly performer: Client;
  /** Performs what the performer delegates. */
  readonly worker: Client;
}

export interface WireStory extends Cast {
  readonly recorder: WireRecorder;
  readonly ids: { [name: string]: string };
  readonly oidc: Oidc;
}

/** From an empty service to an org with its types, agents and keys. */
export const tellBeginning = async (
  api: Api,
  recorder: WireRecorder,
  oidc: Oidc,
): Promise<WireStory> => {
  const ids: { [name: string]: string } = {};
  const named = (name: string, body: Body, member = 'id'): string =>
    (ids[name] = recorder.name(String(body[member]), name));
  const platform = recorder.client('platform', api.world.platform);
  const anonymous = recorder.client('nobody', { key: null });
  const org = (
    await platform.post('/v1/admin/orgs', { name: 'Wire', slug: 'wire', bootstrapAdmin: true })
  ).body;
  named('org', org);
  const admin = recorder.client('admin', { key: String(org['bootstrapKey'].apiKey) });
  await platform.get('/v1/admin/orgs?limit=1');
  await admin.get('/v1/admin/orgs');
  await admin.patch(`/v1/admin/orgs/${ids['org']}`, { settings: { requireCoSignature: 'body' } });
  await admin.patch(`/v1/admin/orgs/${ids['org']}`, { settings: { requireCoSignature: 'none' } });
  for (const type of [NOTE_TYPE, JOB_TYPE, AUTO_TYPE]) await admin.post('/v1/schemas', type);
  const agent = async (name: string): Promise<Client> => {
    const id = named(
      name,
      (
        await admin.post('/v1/admin/agents', {
          name,
          orgId: ids['org'],
          displayName: name,
          capabilities: ['job', 'auto-job'],
        })
      ).body,
    );
    const key = (
      await admin.post('/v1/admin/api-keys', {
        role: 'agent',
        ownerType: 'agent',
        ownerId: id,
        scopeProfile: 'agent-full',
        label: name,
      })
    ).body;
    named(`key of ${name}`, key, 'keyId');
    return recorder.client(name, { key: String(key['apiKey']) });
  };
  const [principal, performer, worker] = [
    await agent('principal'),
    await agent('performer'),
    await agent('worker'),
  ];
  return { recorder, ids, oidc, anonymous, platform, admin, principal, performer, worker };
};

/** Record types: their versions, bundles, and every way to be refused. */
export const tellTypes = async ({
  recorder,
  ids,
  admin,
  principal,
  platform,
  anonymous,
}: WireStory): Promise<void> => {
  const schema = {
    type: 'parcel',
    title: 'Parcel',
    completionSchema: { type: 'object', properties: { weight: { type: 'number' } } },
    criteriaSchema: { type: 'object' },
    gates: [{ id: 'g', expression: 'evidence.weight >= 5' }],
    public: true,
  };
  await admin.post('/v1/schemas', schema);
  await admin.post('/v1/schemas', schema);
  await admin.post('/v1/schemas', { ...schema, version: 1, title: 'Other' });
  await admin.post('/v1/schemas', { ...schema, title: 'Second' });
  await admin.post('/v1/schemas', { ...schema, gates: [{ id: 'g', expression: 'nothing' }] });
  await admin.post('/v1/schemas', { ...schema, publisher: 'service' });
  await admin.get('/v1/schemas?limit=1');
  await principal.get('/v1/schemas/parcel?version=1');
  await principal.get('/v1/schemas/parcel/versions');
  await principal.post('/v1/schemas/parcel/validate', { criteria: {}, evidence: { weight: 1 } });
  await principal.post('/v1/schemas/job/validate', { criteria: {}, evidence: { score: 'x' } });
  await anonymous.get('/schemas/wire/parcel/1/criteria.json');
  await anonymous.get('/schemas/wire/parcel/1/completion.json');
  await anonymous.get('/schemas/wire/job/1/completion.json');
  await platform.get('/v1/schemas/export');
  const bundle = (await admin.get('/v1/schemas/export?type=parcel')).body;
  await admin.call('DELETE', '/v1/schemas/parcel');
  await admin.patch('/v1/schemas/parcel?version=1', { status: 'disabled' });
  await admin.patch('/v1/schemas/parcel', { status: 'disabled' });
  await admin.call('DELETE', '/v1/schemas/parcel');
  await admin.patch('/v1/schemas/auto-job', { status: 'disabled' });
  await admin.call('DELETE', '/v1/schemas/auto-job');

  const org = (
    await platform.post('/v1/admin/orgs', { name: 'Other', slug: 'other', bootstrapAdmin: true })
  ).body;
  ids['other org'] = recorder.name(String(org['id']), 'other org');
  const other = recorder.client('other admin', { key: String(org['bootstrapKey'].apiKey) });
  await other.post('/v1/schemas/import', bundle);
  await other.post('/v1/schemas/import', bundle);
  const [first, ...rest] = bundle['manifests'] as Body[];
  await other.post('/v1/schemas/import', {
    ...bundle,
    manifests: [{ ...first, manifest: { ...first!['manifest'], title: 'Changed' } }, ...rest],
  });
  await other.post('/v1/schemas', { ...NOTE_TYPE, type: 'parcel' });
  await other.get('/v1/schemas/parcel');
};

/** Agents, their keys and what is known of their work. */
export const tellAgents = async ({
  recorder,
  ids,
  admin,
  principal,
  performer,
  platform,
}: WireStory): Promise<void> => {
  const agent = `/v1/agents/${ids['performer']}`;
  const pair = ed25519Pair();
  await admin.call('PUT', `${agent}/capabilities`, { types: ['job', 'note'] });
  await admin.call('PUT', `${agent}/encryption-key`, { publicKeyJwk: encryptionKey() });
  await admin.post(`${agent}/signing-keys`, {
    publicKeyJwk: pair.jwk,
    proofOfPossession: proofOf(pair, NOBODY),
  });
  await admin.post(`${agent}/signing-keys`, {
    publicKeyJwk: pair.jwk,
    proofOfPossession: proofOf(pair, String(ids['performer'])),
    issuers: ['urn:a'],
  });
  await admin.post(`${agent}/references`, { kind: 'card', uri: 'https://cards.example/1' });
  await principal.get(agent);
  await admin.call('DELETE', `${agent}/signing-keys/${pair.thumbprint}`);
  for (const view of ['reputation', 'history', 'drift']) await performer.get(`${agent}/${view}`);
  await admin.get(`${agent}/drift?window=7`);
  await admin.get('/v1/agents/drift');
  await platform.get('/v1/agents/drift');
  await performer.get('/v1/events?type=dispute.withdrawn');
  await admin.get('/v1/events?type=record.approved');
  await performer.get('/v1/siem/stream?limit=2&format=raw');
  await admin.get('/v1/siem/stream?cursor=damaged');
  await admin.get('/v1/siem/stream?cursor=a&since=2026-01-01T00:00:00.000Z');

  const leaver = (await admin.post('/v1/admin/agents', { name: 'leaver', orgId: ids['org'] })).body;
  recorder.name(leaver['id'], 'leaver');
  const mint = {
    role: 'agent',
    ownerType: 'agent',
    ownerId: leaver['id'],
    scopes: ['records:read'],
  };
  const key = (await admin.post('/v1/admin/api-keys', mint, { 'idempotency-key': 'mint' })).body;
  await admin.post('/v1/admin/api-keys', mint, { 'idempotency-key': 'mint' });
  const holder = recorder.client('leaver', { key: String(key['apiKey']) });
  await holder.get('/v1/auth/me');
  await holder.post('/v1/auth/keys/rotate', { gracePeriodSeconds: 60 });
  await holder.post('/v1/auth/keys/rotate', {});
  await admin.get(`/v1/admin/agents?name=leaver`);
  await admin.post(`/v1/admin/agents/${String(leaver['id'])}/deactivate`, { reason: 'Retired.' });
  await holder.get('/v1/auth/me');
  for (const client of [platform, admin])
    await client.patch(`/v1/admin/api-keys/${String(key['keyId'])}`, { isActive: true });
  await admin.post(`/v1/admin/agents/${String(leaver['id'])}/reactivate`);
  await platform.post(`/v1/admin/agents/${String(leaver['id'])}/reactivate`);
  const spare = (await admin.post('/v1/admin/api-keys', mint)).body;
  await admin.patch(`/v1/admin/api-keys/${String(spare['keyId'])}`, {
    isActive: false,
    reason: 'Lost.',
  });
  await admin.patch(`/v1/admin/api-keys/${String(spare['keyId'])}`, { isActive: true });
  await admin.post('/v1/admin/api-keys/bulk-revoke', { keyIds: [spare['keyId'], NOBODY] });
  await admin.get('/v1/admin/api-keys?limit=1');
  await admin.post('/v1/admin/orgs', { name: 'x' });
};

const encryptionKey = (): Body => {
  const { kty, crv, x } = x25519Jwk();
  return { kty, crv, x };
};

/** Witnesses of the logs of reads, whose checkpoints a rotation made. */
export const tellOrgReads = async ({
  recorder,
  ids,
  platform,
  admin,
  principal,
}: WireStory): Promise<void> => {
  const CHECKPOINTS = '/v1/audit/org-reads/checkpoints';
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x } = publicKey.export({ format: 'jwk' });
  const publicKeyJwk = { kty, crv, x };
  const named = (await platform.post('/v1/admin/witnesses', { name: 'Auditors', publicKeyJwk }))
    .body;
  recorder.name(named['witnessKeyId'], 'witness');
  await platform.get('/v1/admin/witnesses');
  await platform.get(CHECKPOINTS);
  const one = `${CHECKPOINTS}/${ids['org']}`;
  await platform.get(one);
  await platform.get(`${one}/proof?leaf=0`);
  const { witnessKeyId } = named;
  await platform.post(`${one}/cosign`, { witnessKeyId, signature: 'AAAA' });
  const { data } = (await admin.get(`${CHECKPOINTS}?limit=1`)).body;
  const checkpoint = data[0] as Body;
  recorder.name(checkpoint['id'], 'checkpoint of reads');
  const newest = `${CHECKPOINTS}/${String(checkpoint['id'])}`;
  await admin.get(newest);
  await admin.get(`${newest}/proof?leaf=0`);
  await admin.get(`${newest}/proof?leaf=1000000`);
  const seen = cosignatureBytes(Buffer.from(String(checkpoint['coseSign1']), 'base64'));
  const signature = sign(null, seen, privateKey).toString('base64');
  await principal.post(`${newest}/cosign`, { witnessKeyId, signature });
  await admin.post(`${newest}/cosign`, { witnessKeyId, signature: 'AAAA' });
  await admin.post(`${newest}/cosign`, { witnessKeyId: ids['org'], signature });
  await admin.post(`${newest}/cosign`, { witnessKeyId, signature });
  await admin.post(`${newest}/cosign`, { witnessKeyId, signature });
  await platform.call('DELETE', `/v1/admin/witnesses/${String(named['witnessKeyId'])}`);
};

/** An agent that no rate limit counts for a while. */
export const tellExemptions = async ({ ids, platform, admin }: WireStory): Promise<void> => {
  const path = `/v1/admin/rate-limit-exemptions/${ids['principal']}`;
  await platform.get(path);
  await admin.call('PUT', path);
  await platform.call('PUT', path);
  await platform.get(path);
  await platform.call('DELETE', path);
  await platform.call('DELETE', path);
};

/** Issuers of tokens, and the certificates given for them. */
export const tellIssuers = async ({
  recorder,
  ids,
  oidc,
  platform,
  anonymous,
}: WireStory): Promise<void> => {
  const PATH = '/v1/admin/trusted-issuers';
  const mine = { orgId: ids['org'], issuerUrl: oidc.issuer, expectedAudience: AUDIENCE };
  const issuer = (await platform.post(PATH, mine)).body;
  recorder.name(issuer['id'], 'issuer id');
  await platform.post(PATH, mine);
  await platform.patch(`${PATH}/${String(issuer['id'])}`, { maxCredentialTtlSeconds: 300 });
  await platform.get(`${PATH}/${String(issuer['id'])}`);
  await platform.get(`${PATH}?orgId=${ids['org']}`);
  const token = (): Promise<string> =>
    oidc.forge({ agent_id: ids['principal'], scope: 'records:write records:read' });
  const granted = (await anonymous.post('/v1/auth/oidc/cert', exchangeOf(await token()))).body;
  recorder.name(granted['cert'].id, 'cert');
  const holder = recorder.client('certificate', { key: String(granted['certJws']) });
  await holder.get('/v1/auth/me');
  await holder.post('/v1/records', { type: 'note', criteria: {} });
  await anonymous.post(
    '/v1/auth/oidc/cert',
    exchangeOf(await oidc.forge({ agent_id: NOBODY, iss: 'https://other.example' })),
  );
  await anonymous.post('/v1/auth/oidc/cert', exchangeOf('no.token.atall'));
  await platform.post(`/v1/admin/ephemeral-certs/${String(granted['cert'].id)}/revoke`, {
    reason: 'Leaked.',
  });
  await holder.get('/v1/auth/me');
  await platform.post(`${PATH}/${String(issuer['id'])}/revoke-certs`, { reason: 'All.' });
  await platform.call('DELETE', `${PATH}/${String(issuer['id'])}`);
  const away = (await platform.post(PATH, { ...mine, issuerUrl: 'https://localhost:1024' })).body;
  await anonymous.post(
    '/v1/auth/oidc/cert',
    exchangeOf(await oidc.forge({ agent_id: ids['principal'], iss: 'https://localhost:1024' })),
  );
  await platform.call('DELETE', `${PATH}/${String(away['id'])}`);
};

/** Statements of an agent in the log of its org, their receipts, and the head of the log. */
export const tellTransparency = async ({
  recorder,
  ids,
  platform,
  admin,
  principal,
  anonymous,
}: WireStory): Promise<void> => {
  const ENTRIES = '/v1/scitt/entries';
  const cose = { 'content-type': 'application/cose' };
  const key = issuer('Ed25519');
  recorder.name(key.thumbprint, 'statement key');
  await registerKey(admin, String(ids['principal']), key, ['https://issuer.example']);
  const registered = statement(key);
  const path = `${ENTRIES}/${recorder.name(toHex(leafHash(registered)), 'entry')}`;
  await principal.post(ENTRIES, registered, cose);
  await principal.post(ENTRIES, registered, cose);
  await principal.post(ENTRIES, statement(key, { iss: 'https://other.example' }), cose);
  await principal.post(ENTRIES, statement(issuer('Ed25519')), cose);
  await principal.post(ENTRIES, Uint8Array.of(1), cose);
  await principal.post(ENTRIES, Uint8Array.of(1), {
    ...cose,
    accept: 'application/concise-problem-details+cbor',
  });
  await principal.post(ENTRIES, {});
  await platform.post(ENTRIES, registered, cose);
  await principal.get(path);
  await principal.get(path, { accept: 'application/scitt-receipt+cose' });
  await principal.get(path, { accept: 'application/json' });
  await principal.get(`${ENTRIES}/${'0'.repeat(64)}`);
  await admin.get('/v1/scitt/checkpoint');
  await platform.get('/v1/scitt/checkpoint');
  await admin.get('/v1/scitt/consistency?from=1&to=1');
  await admin.get('/v1/scitt/consistency?from=999999');
  await anonymous.get('/.well-known/scitt-keys');
  const { data } = (await anonymous.get('/v1/verification-keys')).body;
  const keyId = recorder.name(String((data as Body[])[0]!['keyId']), 'signing key');
  await anonymous.get(`/.well-known/scitt-keys/${keyId}`);
  await anonymous.get('/.well-known/scitt-keys/nobody');
};

/**
 * Rotates the signing key; what follows is signed by the new one. Then a scan of all that was told so far.
 *
 * @param runScan what a job does elsewhere.
 */
export const tellVault = async (
  { recorder, platform, admin, anonymous, principal, ids }: WireStory,
  runScan: () => Promise<void>,
): Promise<void> => {
  const KEYS = '/v1/admin/vault/signing-keys';
  await admin.post(`${KEYS}/rotate`);
  await platform.post(`${KEYS}/rotate`, { reason: 'lost' });
  const rotated = (await platform.post(`${KEYS}/rotate`, { reason: 'compromised' })).body;
  recorder.name(rotated['newKeyId'], 'new signing key');
  await platform.get(KEYS);
  await anonymous.get('/v1/verification-keys');
  const ANCHORS = '/v1/admin/vault/anchors';
  await admin.get(`${ANCHORS}?recordId=${ids['note']}`);
  await platform.get(ANCHORS);
  await platform.get(`${ANCHORS}?recordId=${ids['note']}`);
  await platform.post(`${ANCHORS}/verify`, { recordId: ids['note'] });
  await platform.post(`${ANCHORS}/reconcile`);
  await admin.get('/v1/admin/vault/rewind');
  await platform.get('/v1/admin/vault/rewind');
  await platform.post('/v1/admin/vault/rewind/acknowledge', { chainKey: '' });
  await platform.post('/v1/admin/vault/rewind/acknowledge', { reason: 'Nothing was lost.' });
  await principal.get('/v1/audit-vault/checkpoints');
  await admin.get('/v1/audit-vault/checkpoints?limit=2');
  const SCAN = '/v1/admin/vault/scan';
  await admin.post(SCAN);
  const { jobId } = (await platform.post(SCAN)).body;
  recorder.name(jobId, 'scan');
  await platform.post(SCAN);
  await platform.get(`${SCAN}/${String(jobId)}`);
  await runScan();
  await platform.get(`${SCAN}/${String(jobId)}`);
  await platform.get(`${SCAN}/${crypto.randomUUID()}`);
  const EXPORTS = '/v1/compliance/exports';
  const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  await principal.post(EXPORTS, { from, to });
  await platform.post(EXPORTS, { from, to });
  await admin.post(EXPORTS, { from: to, to: from });
  const { id } = (await admin.post(EXPORTS, { from, to, format: 'csv' })).body;
  recorder.name(id, 'compliance export');
  await admin.get(EXPORTS);
  await admin.get(`${EXPORTS}/${String(id)}`);
  await admin.get(`${EXPORTS}/${String(id)}/download`);
};

/** What operators ask; what a platform key is told of this very process is no two times the same. */
export const tellOperations = async ({ admin, platform }: WireStory): Promise<void> => {
  for (const path of ['system-health', 'ops-summary', 'support-bundle'])
    await admin.get(`/v1/admin/${path}`);
  await admin.get('/v1/conformance');
  await admin.get('/conformance');
  await platform.get('/v1/admin/provisioning/status');
  await platform.post('/v1/admin/provisioning/reload');
};

/** What anybody may read. */
export const tellDocuments = async ({ anonymous, principal }: WireStory): Promise<void> => {
  await principal.get('/lifecycle');
  for (const accept of ['text/plain', 'application/vnd.mermaid', 'image/svg+xml', 'text/html'])
    await principal.get('/lifecycle', { accept });
  for (const path of PUBLIC) await anonymous.get(path);
};

const PUBLIC = [
  '/',
  '/v1/verification-keys',
  '/.well-known/service-vault-keys.json',
  '/v1/scope-profiles',
  '/predicates',
  '/predicates/record-state/v1',
  '/problems/not-found',
  '/livez',
  '/readyz',
  '/health',
  // What it says of the workers is of the moment.
  '/status?verbose=1',
  '/docs/openapi.json',
  '/docs/openapi.yaml',
  '/docs',
  '/docs/guides/verify-offline',
  '/docs/notary-gates.mjs',
  '/docs/notary-gates.mjs.sha256',
  '/docs/notary-verify.mjs',
  '/docs/notary-verify.mjs.sha256',
  '/docs/pages.css',
  '/docs/reference',
  '/docs/reference/records',
  '/docs/search?q=verdict',
  '/llms.txt',
  '/llms-full.txt',
  '/docs/verify',
  '/docs/verify-page.js',
  '/console',
  '/console/console.css',
  '/console/console.js',
  '/console/plots.js',
  '/console/verifier.js',
  '/docs/provisioning/orgs.json',
  '/docs/provisioning/none.json',
];
