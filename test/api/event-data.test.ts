import { randomBytes } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunScan } from '../../application/vault/scan/run-scan.ts';
import { RECEIVER_MEMBERS } from '../../domain/delivery/delivery-body.ts';
import { EVENT_DATA } from '../../domain/event/event-data.ts';
import { EVENT_TYPES, type EventType } from '../../domain/event/event-types.ts';
import { ed25519Pair, proofOf, x25519Jwk } from '../support/clients/agent-keys.ts';
import { Stranger } from '../support/hubs/stranger.ts';
import { useApi } from '../support/service/api.ts';
import { dataFault } from '../support/clients/event-data.ts';
import { disputePath, openDisputed, openJudged } from '../support/stories/disputes.ts';
import { exchangeOf, AUDIENCE, OIDC_ENV, startOidc, type Oidc } from '../support/peers/oidc.ts';
import { databasePath } from '../support/databases/outbox.ts';
import { tellSums } from '../support/databases/tell-sums.ts';
import {
  endedChild,
  fulfilled,
  openTeam,
  registerTeams,
  type End,
} from '../support/stories/tree.ts';
import {
  addAgent,
  Client,
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
  unknownKey,
  type Body,
} from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';
import { editsItsVault } from '../support/service/genuine-vault.ts';

editsItsVault(import.meta.filename);

/** What no writer tells of yet. Whoever begins to tells it here, and takes it off. */
const NOT_YET: readonly string[] = [
  'record.federation_fulfilled',
  'signal.received',
  'federation.record.state_changed',
  'federation.settlement.signal',
] satisfies readonly EventType[];
/** Told of a database that was put back, test/api/rewind.test.ts, and of files, test/api/provisioning.test.ts. */
const ELSEWHERE: readonly string[] = [
  'vault.rewind_detected',
  'vault.rewind_acknowledged',
  'provisioning.reconciled',
] satisfies readonly EventType[];

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
  await playRefusals();
  await playWebhooks();
  await playCompliance();
  await playPeers();
  await playVault();
  await tellSums(api);
  // Alarms are told a moment later.
  await vi.waitFor(() => {
    rows = readRows();
    expect(rows.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'key.used',
        'auth.refused',
        'vault.tamper_detected',
        'compliance.exported',
      ]),
    );
  }, 60_000);
});
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

  const exemption = `/v1/admin/rate-limit-exemptions/${agentId}`;
  await ok(platform.call('PUT', exemption));
  await ok(platform.call('DELETE', exemption));

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
  const exchange = async (agentId = principal.id): Promise<Body> =>
    ok(anonymous.post('/v1/auth/oidc/cert', exchangeOf(await oidc.forge({ agent_id: agentId }))));
  const stranger = exchangeOf(await oidc.forge({ iss: 'https://stranger.example' }));
  expect((await anonymous.post('/v1/auth/oidc/cert', stranger)).status).toBe(401);
  const { cert } = await exchange();
  await exchange();
  await exchange(api.world.performer.id);
  await exchange(api.world.performer.id);
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

const playRefusals = async (): Promise<void> => {
  const { admin, anonymous, orgId } = api.world;
  const { id: agentId } = await addAgent(admin, orgId, 'guest');
  const revoked = await mintKey(admin, agentId, {});
  await ok(admin.patch(`/v1/admin/api-keys/${revoked.keyId}`, { isActive: false }));
  const elsewhere = await mintKey(admin, agentId, { allowedIps: ['203.0.113.7'] });
  const left = await addAgent(admin, orgId, 'left');
  await ok(admin.post(`/v1/admin/agents/${left.id}/deactivate`, { reason: 'left' }));
  expect((await left.client.get('/v1/auth/me')).status).toBe(403);
  const called = (key: string | null) => new Client(anonymous.url, key).get('/v1/auth/me');
  for (const key of [
    revoked.client.key,
    elsewhere.client.key,
    unknownKey(),
    'no key',
    'nokey',
    'a.b.c',
    null,
  ])
    for (let n = 0; n < 2; n++) expect((await called(key)).status).toBe(401);
};

const playWebhooks = async (): Promise<void> => {
  const { admin, platform } = api.world;
  const subscription = { url: 'https://receiver.example/hook', eventTypes: ['record.failed'] };
  const { id } = await ok(admin.post('/v1/webhooks', subscription));
  const path = `/v1/webhooks/${String(id)}`;
  await ok(admin.patch(path, { format: 'cloudevents' }));
  const circuit = path.replace('/v1/', '/v1/admin/') + '/circuit-breaker';
  await ok(platform.patch(circuit, { state: 'open' }));
  await ok(platform.patch(circuit, { state: 'closed' }));
  await ok(admin.call('DELETE', path));
};

const playCompliance = async (): Promise<void> => {
  const from = '2020-01-01T00:00:00.000Z';
  const to = '2100-01-01T00:00:00.000Z';
  await ok(api.world.admin.post('/v1/compliance/exports', { from, to }));
};

const playPeers = async (): Promise<void> => {
  const { platform } = api.world;
  const PEERS = '/v1/admin/federation/peers';
  const stranger = new Stranger();
  const path = `${PEERS}/${stranger.hubId}`;
  await ok(stranger.greet(api));
  const { thumbprint: publicKeyThumbprint, vaultRoot } = stranger;
  await ok(platform.post(`${path}/approve`, { publicKeyThumbprint, vaultRoot }));
  await ok(platform.patch(path, { baseUrl: 'https://hub.example:8443' }));
  const next = new Stranger(stranger.hubId, vaultRoot);
  const succession = next.succession(stranger.hubId, publicKeyThumbprint);
  await ok(stranger.greet(api, { publicKeyJwk: next.jwk, succession }));
  expect((await next.greet(api, { vaultRoot: '0'.repeat(64) })).status).toBe(422);
  await ok(platform.post(`${path}/suspend`, { reason: 'maintenance' }));
  await ok(platform.post(`${path}/resume`, {}));
  await ok(platform.post(`${path}/revoke`, {}));
  await ok(platform.post(PEERS, next.registration));
};

const playVault = async (): Promise<void> => {
  const { platform } = api.world;
  await ok(platform.post('/v1/admin/vault/signing-keys/rotate', {}));
  await ok(platform.post('/v1/admin/vault/scan'));
  await api.service.container.get(RunScan).run(new AbortController().signal);
  await ok(platform.get('/v1/events?order=asc'));
  const database = new DatabaseSync(databasePath(api), { timeout: 5_000 });
  database.exec("UPDATE outbox SET agent_id = NULL WHERE type = 'witness.added'");
  database.close();
  await ok(platform.get('/v1/events?type=witness.added'));
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
      data: dataIn(row),
    }));
  } finally {
    database.close();
  }
};

describe('every event carries the data that its type promises, and nothing else', () => {
  it.each(EVENT_TYPES.filter((type) => !ELSEWHERE.includes(type)))('%s', (type) => {
    const told = rows.filter((row) => row.type === type);
    expect(told.length > 0, `${told.length} were told`).toBe(!NOT_YET.includes(type));
    for (const { data } of told)
      expect({ fault: dataFault(type, data), data }).toMatchObject({ fault: null });
  });

  it('has none whose members name a receiver, for these a delivery writes over', () => {
    for (const type of EVENT_TYPES)
      expect(
        Object.keys(EVENT_DATA[type]['properties'] as object).filter((name) =>
          (RECEIVER_MEMBERS as readonly string[]).includes(name),
        ),
      ).toEqual([]);
  });
});

it('refusals are told by their reason, once in a minute, with the key where it is known', () => {
  const told = rows.filter(({ type }) => type === 'auth.refused').map(({ data }) => data);
  const twice = ['address', 'invalid_token', 'malformed', 'malformed_token', 'missing', 'revoked'];
  expect(told.map(({ reason, count }) => [reason, count]).sort()).toEqual(
    [
      ['account_deactivated', 1],
      ...[...twice, 'unknown'].map((reason) => [reason, 2]),
      ['unknown_issuer', 1],
    ].sort(),
  );
  for (const { reason, apiKeyId, addressBlock } of told)
    expect({ reason, isKeyKnown: apiKeyId !== null, addressBlock }).toEqual({
      reason,
      isKeyKnown: ['account_deactivated', 'address', 'revoked'].includes(String(reason)),
      addressBlock: '127.0.0.1',
    });
});

it('whoever revokes the certificates of an issuer tells each agent of its own, and of no others', async () => {
  const { principal, performer } = api.world;
  const certsOf = async ({ client }: typeof principal): Promise<string[]> =>
    ((await ok(client.get('/v1/events?type=cert.revoked')))['data'] as Body[])
      .map(({ data }) => data as Body)
      .filter(({ reason }) => reason === 'all of them')
      .flatMap(({ certIds }) => certIds as string[]);
  const [own, others] = [await certsOf(principal), await certsOf(performer)];
  expect([own.length, others.length]).toEqual([1, 2]);
  expect(new Set([...own, ...others]).size).toBe(3);
});

it('no type is told that is not on the list', () => {
  expect(
    [...new Set(rows.map(({ type }) => type))].filter((type) => !(type in EVENT_DATA)),
  ).toEqual([]);
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
