import { randomBytes } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EventType } from '../../domain/event/event.ts';
import { ed25519Pair, proofOf, x25519Jwk } from '../support/agent-keys.ts';
import { useApi } from '../support/api.ts';
import { disputePath, openDisputed, openJudged } from '../support/disputes.ts';
import { exchangeOf, AUDIENCE, OIDC_ENV, startOidc, type Oidc } from '../support/oidc.ts';
import { databasePath } from '../support/outbox.ts';
import { HEX_256, UUID } from '../support/problems.ts';
import { endedChild, fulfilled, openTeam, registerTeams, type End } from '../support/tree.ts';
import {
  addAgent,
  deliver,
  draftJob,
  mintKey,
  NOTE_TYPE,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  sleep,
  type Body,
} from '../support/world.ts';

type Check = (value: unknown) => boolean;
type Members = Readonly<Record<string, Check>>;

const matches =
  (form: RegExp): Check =>
  (value) =>
    typeof value === 'string' && form.test(value);
const id = matches(UUID);
const text: Check = (value) => typeof value === 'string' && value !== '';
const hash = matches(HEX_256);
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const truth: Check = (value) => typeof value === 'boolean';
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const ifAny =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
/** With exactly these members. */
const object =
  (members: Members): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).every((name) => name in members) &&
    Object.entries(members).every(([name, check]) => check((value as Body)[name]));

const actor = object({ kind: oneOf('agent', 'admin', 'platform', 'system'), agentId: orNull(id) });
const RECORD: Members = {
  recordId: id,
  type: text,
  status: text,
  previousStatus: orNull(text),
  principalAgentId: id,
  performerAgentId: orNull(id),
  parentRecordId: orNull(id),
  platform: orNull(text),
  platformRef: orNull(text),
  criteriaHash: hash,
  actor,
  entry: object({ position: count, hash, signingKeyId: text }),
};
const PROPOSAL: Members = {
  ...RECORD,
  round: count,
  awaiting: orNull(oneOf('principal', 'performer')),
};
const DECIDED: Members = {
  ...RECORD,
  completionId: id,
  verdict: oneOf('accept', 'reject'),
  reason: orNull(text),
};
const DISPUTE: Members = {
  disputeId: id,
  recordId: id,
  phase: text,
  tier: count,
  initiatorRole: text,
  outcome: orNull(oneOf('UPHELD', 'OVERTURNED')),
};
const REFERENCE: Check = object({ kind: text, uri: text, digest: orNull(text) });
const SETTINGS: Check = object({ requireCoSignature: oneOf('none', 'body', 'request') });
const KEY: Members = {
  apiKeyId: id,
  role: oneOf('agent', 'admin', 'platform'),
  ownerId: id,
  actor,
};
const AGENT: Members = { agentId: id, actor };
const ISSUER: Members = { issuerId: id, actor };
const SCHEMA: Members = {
  orgId: id,
  type: text,
  publisher: text,
  version: count,
  manifestDigest: text,
  actor,
};

/** What the data of an event holds (delivery.md 2), by its type; null for a type that nothing tells yet. */
const DATA = {
  'record.recorded': RECORD,
  'record.created': RECORD,
  'record.proposed': PROPOSAL,
  'record.proposal_accepted': PROPOSAL,
  'record.proposal_rejected': PROPOSAL,
  'record.completion_submitted': {
    ...RECORD,
    completionId: id,
    evidenceHash: hash,
    revision: count,
    gate: text,
  },
  'record.fulfilled': DECIDED,
  'record.failed': DECIDED,
  'record.revision_requested': {
    ...RECORD,
    completionId: id,
    reason: orNull(text),
    revisionCount: count,
  },
  'record.delegated': { ...RECORD, childRecordId: id, depth: count },
  'record.cancelled': RECORD,
  'record.expired': RECORD,
  'record.reference_added': { ...RECORD, reference: REFERENCE },
  'cascading.verification.complete': {
    recordId: id,
    rule: text,
    satisfied: truth,
    children: list(object({ id, status: text })),
  },
  'signal.emitted': {
    signalId: id,
    supersedes: ifAny(id),
    recommendation: oneOf('SETTLE', 'HOLD', 'RELEASE'),
    outcome: text,
    performerAgentId: id,
    platformRef: orNull(text),
    recordId: id,
    disputeId: ifAny(id),
  },
  'dispute.opened': DISPUTE,
  'dispute.resolved': DISPUTE,
  'dispute.withdrawn': DISPUTE,
  'key.minted': KEY,
  'key.rotated': { ...KEY, previousApiKeyId: id },
  'key.revoked': { ...KEY, reason: orNull(text) },
  'key.used': { apiKeyId: id, address: text, actor },
  'agent.created': AGENT,
  'agent.deactivated': { ...AGENT, reason: orNull(text) },
  'agent.reactivated': AGENT,
  'agent.capabilities_changed': { ...AGENT, capabilities: list(text) },
  'agent.encryption_key_changed': { ...AGENT, thumbprint: text },
  'agent.signing_key_added': { ...AGENT, thumbprint: hash },
  'agent.signing_key_revoked': { ...AGENT, thumbprint: hash },
  'agent.reference_added': { ...AGENT, reference: REFERENCE },
  'issuer.created': ISSUER,
  'issuer.updated': ISSUER,
  'issuer.deleted': ISSUER,
  'cert.issued': { certId: id, issuerId: id, agentId: id, actor },
  'cert.revoked': { certIds: list(id), reason: orNull(text), actor },
  'admin.org_updated': { orgId: id, settings: SETTINGS, previousSettings: SETTINGS, actor },
  'admin.org_created': { orgId: id, slug: text, actor },
  'admin.org_bootstrapped': { orgId: id, apiKeyId: id, ownerId: id, actor },
  'schema.registered': SCHEMA,
  'schema.status_changed': { ...SCHEMA, status: oneOf('active', 'disabled') },
  'schema.deleted': SCHEMA,
  'schema.imported': SCHEMA,
  'witness.added': { witnessKeyId: id, actor },
  'witness.removed': { witnessKeyId: id, actor },
  'vault.key_rotated': null,
  'vault.rewind_detected': null,
  'vault.rewind_acknowledged': null,
  'vault.scan_completed': null,
  'vault.tamper_detected': null,
  'auth.refused': null,
} as const satisfies Record<EventType, Members | null>;

interface Row {
  readonly type: EventType;
  readonly recordId: string | null;
  readonly recordType: string | null;
  readonly createdAt: number;
  readonly data: Body;
}

const api = useApi(OIDC_ENV);
/** Stands in criteria, evidence and statements, and so in no event. */
const CANARY = `canary-${randomBytes(16).toString('hex')}`;
let oidc: Oidc;
let rows: readonly Row[];

beforeAll(async () => {
  oidc = await startOidc();
  await playRecords();
  await playTrees();
  await playDisputes();
  await playAdministration();
  await playIdentity();
  // Uses of a key are told a moment later.
  await vi.waitFor(
    () => expect((rows = readRows()).some(({ type }) => type === 'key.used')).toBe(true),
    5_000,
  );
}, 60_000);
afterAll(() => oidc.close());

const playRecords = async (): Promise<void> => {
  const { world } = api;
  const [principal, performer] = [world.principal.client, world.performer.client];
  const criteria = { goal: CANARY, threshold: 5 };
  const act = (
    client: typeof principal,
    record: string,
    action: string,
    body: Body = {},
  ): Promise<Body> => ok(client.post(`/v1/records/${record}/${action}`, body));
  await ok(
    principal.post('/v1/records', {
      type: NOTE_TYPE.type,
      criteria: { note: CANARY },
      platformRef: 'order-1',
    }),
  );
  const draft = await draftJob(world);
  await act(principal, String(draft['id']), 'cancel', { reason: 'not needed' });
  const countered = String((await proposeJob(world, { criteria }))['id']);
  await act(performer, countered, 'counter-propose', { criteria: { ...criteria, threshold: 6 } });
  await act(principal, countered, 'accept-counter');
  await act(performer, String((await proposeJob(world))['id']), 'accept');
  await act(performer, String((await proposeJob(world))['id']), 'reject', { reason: 'no time' });
  const revised = await openDelivered(world, { criteria }, { score: 9, log: CANARY });
  await act(principal, revised.id, 'revision', { reason: 'once more' });
  const { id: completionId } = await deliver(world, revised.id, { score: 9, log: CANARY });
  await act(principal, revised.id, 'verdict', { verdict: 'accept', completionId });
  const { id: failed } = await openDecided(world, 'reject');
  await act(principal, failed, 'references', { kind: 'url', uri: 'https://example.com/a' });
  for (const score of [9, 1]) await openJudged(world, 'auto-job', score);
  const late = await openJob(world, { ttlSeconds: 1 });
  await sleep(1_100);
  await ok(principal.get(`/v1/records/${String(late['id'])}`));
};

const playTrees = async (): Promise<void> => {
  const { world } = api;
  await registerTeams(world.admin);
  const worker = await addAgent(world.admin, world.orgId, 'worker');
  for (const end of ['fulfilled', 'failed', 'cancelled with a completion'] satisfies End[]) {
    const { id: parent } = await openTeam(world, 'any-fulfilled');
    await endedChild(world, worker, parent, end);
    if (end === 'fulfilled') await fulfilled(world, parent);
  }
};

const playDisputes = async (): Promise<void> => {
  const { world } = api;
  const [principal, performer] = [world.principal.client, world.performer.client];
  const upheld = await openDisputed(world, {}, { grounds: 'quality', statement: CANARY });
  await ok(performer.post(disputePath(upheld.id, 'evidence'), { evidence: { note: CANARY } }));
  await ok(principal.post(disputePath(upheld.id, 'escalate'), { reason: 'no answer' }));
  await ok(
    world.platform.post(disputePath(upheld.id, 'resolve'), { outcome: 'UPHELD', resolution: 'r' }),
  );
  const conceded = await openDisputed(world);
  await ok(
    performer.post(disputePath(conceded.id, 'resolve'), { outcome: 'OVERTURNED', resolution: 'r' }),
  );
  const withdrawn = await openDisputed(world);
  await ok(principal.post(disputePath(withdrawn.id, 'withdraw')));
};

const playAdministration = async (): Promise<void> => {
  const { admin, platform, orgId } = api.world;
  const { id: agentId, client } = await addAgent(admin, orgId, 'leaver');
  const spare = await mintKey(admin, agentId, {});
  await ok(admin.patch(`/v1/admin/api-keys/${spare.keyId}`, { isActive: false, reason: 'spare' }));
  await ok(platform.patch(`/v1/admin/api-keys/${spare.keyId}`, { isActive: true }));
  await ok(client.post('/v1/auth/keys/rotate', {}));
  await ok(admin.call('PUT', `/v1/agents/${agentId}/capabilities`, { types: ['job'] }));
  await ok(
    admin.call('PUT', `/v1/agents/${agentId}/encryption-key`, { publicKeyJwk: x25519Jwk() }),
  );
  const pair = ed25519Pair();
  await ok(
    admin.post(`/v1/agents/${agentId}/signing-keys`, {
      publicKeyJwk: pair.jwk,
      proofOfPossession: proofOf(pair, agentId),
    }),
  );
  await ok(admin.call('DELETE', `/v1/agents/${agentId}/signing-keys/${pair.thumbprint}`));
  await ok(
    admin.post(`/v1/agents/${agentId}/references`, { kind: 'url', uri: 'https://example.com/b' }),
  );
  await ok(admin.post(`/v1/admin/agents/${agentId}/deactivate`, { reason: 'left' }));
  await ok(platform.post(`/v1/admin/agents/${agentId}/reactivate`, {}));

  const witness = await ok(
    platform.post('/v1/admin/witnesses', { name: 'Auditors', publicKeyJwk: pair.jwk }),
  );
  await ok(platform.call('DELETE', `/v1/admin/witnesses/${String(witness['witnessKeyId'])}`));

  const { type } = await ok(
    admin.post('/v1/schemas', { type: 'short-lived', completionSchema: {} }),
  );
  const bundle = await ok(admin.get(`/v1/schemas/export?type=${String(type)}`));
  await ok(admin.patch(`/v1/schemas/${String(type)}`, { status: 'disabled' }));
  await ok(admin.call('DELETE', `/v1/schemas/${String(type)}`));
  const other = await ok(platform.post('/v1/admin/orgs', { name: 'Other', bootstrapAdmin: false }));
  await ok(platform.post(`/v1/schemas/import?orgId=${String(other['id'])}`, bundle));
  await ok(
    platform.patch(`/v1/admin/orgs/${String(other['id'])}`, {
      settings: { requireCoSignature: 'request' },
    }),
  );
};

const playIdentity = async (): Promise<void> => {
  const { anonymous, platform, orgId, principal } = api.world;
  const issuers = '/v1/admin/trusted-issuers';
  const { id: issuer } = await ok(
    platform.post(issuers, { orgId, issuerUrl: oidc.issuer, expectedAudience: AUDIENCE }),
  );
  const exchange = async (): Promise<Body> =>
    ok(
      anonymous.post(
        '/v1/auth/oidc/cert',
        exchangeOf(await oidc.forge({ agent_id: principal.id })),
      ),
    );
  const { cert } = await exchange();
  await exchange();
  await ok(platform.post(`/v1/admin/ephemeral-certs/${String(cert.id)}/revoke`, {}));
  await ok(platform.post(`${issuers}/${String(issuer)}/revoke-certs`, { reason: 'all of them' }));
  const { id: unused } = await ok(
    platform.post(issuers, {
      orgId,
      issuerUrl: oidc.issuer,
      expectedAudience: `${AUDIENCE}/unused`,
    }),
  );
  await ok(platform.patch(`${issuers}/${String(unused)}`, { enabled: false }));
  await ok(platform.call('DELETE', `${issuers}/${String(unused)}`));
};

const readRows = (): readonly Row[] => {
  const database = new DatabaseSync(databasePath(api), { readOnly: true, timeout: 5_000 });
  try {
    const found = database
      .prepare('SELECT type, record_id, record_type, created_at, data FROM outbox ORDER BY id')
      .all() as Body[];
    return found.map((row) => ({
      type: row['type'] as EventType,
      recordId:
        row['record_id'] === null
          ? null
          : Buffer.from(row['record_id'] as Uint8Array).toString('hex'),
      recordType: row['record_type'] as string | null,
      createdAt: Number(row['created_at']),
      data: JSON.parse(String(row['data'])) as Body,
    }));
  } finally {
    database.close();
  }
};

/** The members that are missing or are of another kind. */
const faultsOf = (members: Members, data: Body): readonly string[] =>
  Object.entries(members)
    .filter(([name, check]) => !check(data[name]))
    .map(([name]) => `${name}: ${JSON.stringify(data[name])}`);

describe('every event carries the data that its type promises', () => {
  it.each(Object.entries(DATA))('%s', (type, members: Members | null) => {
    const told = rows.filter((row) => row.type === type);
    // A type that begins to be told needs its members here.
    expect(told.length > 0, `${told.length} were told`).toBe(members !== null);
    for (const { data } of told)
      expect({ faults: faultsOf(members ?? {}, data), data }).toMatchObject({ faults: [] });
  });
});

it('no type is told that is not on the list', () => {
  expect([...new Set(rows.map(({ type }) => type))].filter((type) => !(type in DATA))).toEqual([]);
});

it('the row of an event about a record names it, and its type, as the data do', () => {
  for (const { type, recordId, recordType, data } of rows) {
    const aboutRecord = RECORD_EVENT.test(type);
    expect({ type, about: recordId !== null }).toEqual({ type, about: aboutRecord });
    if (!aboutRecord) continue;
    expect(String(data['recordId']).replaceAll('-', '')).toBe(recordId);
    expect(recordType).toEqual(expect.any(String));
    if ('type' in data) expect(data['type']).toBe(recordType);
  }
});
const RECORD_EVENT = /^(?:record|cascading|signal|dispute)\./;

it('the entry that an event of a record names stands on the chain of that record, sealed at the time of the event', () => {
  const database = new DatabaseSync(databasePath(api), { readOnly: true, timeout: 5_000 });
  try {
    const find = database.prepare(
      'SELECT position, lower(hex(record_id)) AS record_id, signing_key_id, at FROM chain_entries WHERE hash = ?',
    );
    for (const { type, recordId, createdAt, data } of rows.filter((row) => row.recordId !== null)) {
      const { hash: named, position, signingKeyId } = data['entry'] as Body;
      expect({ type, entry: find.get(Buffer.from(String(named), 'hex')) }).toEqual({
        type,
        entry: { position, record_id: recordId, signing_key_id: signingKeyId, at: createdAt },
      });
    }
  } finally {
    database.close();
  }
});

it('criteria, evidence, statements and their content travel in no event', () => {
  expect(rows.length).toBeGreaterThan(80);
  expect(JSON.stringify(rows)).not.toContain(CANARY);
  for (const { data } of rows)
    expect(
      Object.keys(data).filter((name) =>
        /^(?:criteria|evidence|content|statement|payload|apiKey|secret|certJws)$/.test(name),
      ),
    ).toEqual([]);
});
