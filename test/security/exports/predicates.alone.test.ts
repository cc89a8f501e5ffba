import { createHash, createPublicKey } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import canonicalize from 'canonicalize';
import { decode, type Tag } from 'cbor2';
import { coseVerify } from 'cose-kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../../config/tokens.ts';
import { useApi, type Api } from '../../support/service/api.ts';
import { createEncryptedWorld } from '../../support/stories/encrypted-world.ts';
import {
  AUTO_TYPE,
  createWorld,
  deliver,
  draftJob,
  GOAL,
  mintKey,
  NOTE_TYPE,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  sleep,
  type Body,
  type Client,
  type World,
} from '../../support/service/world.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const PLATFORM = '00000000-0000-0000-0000-000000000000';

interface Sealed {
  readonly chainKey: string;
  readonly position: number;
  readonly entryType: string;
  readonly coseSign1: Uint8Array;
  readonly statement: Body;
}

/** Every way of this version through the lifecycle, and every administrative act. Returns the record ids. */
const runScenario = async (world: World): Promise<string[]> => {
  const principal = world.principal.client;
  const performer = world.performer.client;
  const records: unknown[] = [];
  const keep = <T extends { id?: unknown }>(record: T): T => {
    records.push(record.id);
    return record;
  };
  const act = (client: Client, record: { readonly id?: unknown }, path: string, body?: unknown) =>
    ok(client.post(`/v1/records/${String(record.id)}/${path}`, body));

  keep(
    await ok(
      principal.post('/v1/records', {
        type: 'note',
        criteria: { text: 'ünï\u2028', n: 1.5, deep: [{ __a: null }] },
        performerAgentId: world.performer.id,
      }),
    ),
  );
  keep(await ok(world.admin.post('/v1/records', { type: 'note', criteria: {} })));
  keep(
    await ok(
      world.platform.post('/v1/records', {
        type: 'note',
        criteria: {},
        principalAgentId: world.principal.id,
      }),
    ),
  );
  await act(principal, keep(await draftJob(world)), 'transition', { action: 'activate' });
  await act(principal, keep(await draftJob(world)), 'cancel', { reason: 'Never mind.' });
  await act(performer, keep(await proposeJob(world)), 'accept');
  await act(performer, keep(await proposeJob(world)), 'accept', {
    criteriaHash: (await proposeJob(world))['criteriaHash'],
  });
  await act(performer, keep(await proposeJob(world)), 'reject', { reason: 'No.' });
  await act(principal, keep(await proposeJob(world)), 'cancel');
  await act(world.admin, keep(await openJob(world)), 'cancel');
  await act(world.platform, keep(await openJob(world)), 'cancel');
  keep(await openDecided(world, 'accept'));
  const rejected = keep(await openDecided(world, 'reject'));
  await act(principal, rejected, 'verdict', {
    verdict: 'accept',
    completionId: rejected.completionId,
    reason: 'On reflection.',
  });
  const revised = keep(await openDelivered(world));
  await act(principal, revised, 'revision', { reason: 'More.' });
  const second = await deliver(world, revised.id, { score: 1, log: 'x'.repeat(5000) });
  await act(principal, revised, 'verdict', {
    verdict: 'accept',
    completionId: second['id'],
    reason: 'r'.repeat(2000),
  });
  for (const score of [1, 9])
    await deliver(world, keep(await openJob(world, { type: 'auto-job' }))['id'], { score });
  await deliver(
    world,
    keep(await openJob(world, { type: 'auto-job', criteria: { goal: 'no threshold' } }))['id'],
  );
  const { encrypt, ...sealedAgents } = await createEncryptedWorld(world);
  const encrypted = keep(
    await ok(
      sealedAgents.principal.client.post('/v1/records', {
        type: 'sealed-job',
        criteria: await encrypt({}),
        performerAgentId: sealedAgents.performer.id,
      }),
    ),
  );
  await act(sealedAgents.performer.client, encrypted, 'counter-propose', {
    criteria: await encrypt({}),
  });
  await act(sealedAgents.principal.client, encrypted, 'accept-counter');
  const sealedCompletion = await act(sealedAgents.performer.client, encrypted, 'completions', {
    evidence: await encrypt({}),
  });
  await act(sealedAgents.principal.client, encrypted, 'verdict', {
    verdict: 'reject',
    completionId: sealedCompletion['id'],
    gateResults: [{ gateId: 'score', outcome: 'error', detail: 'd'.repeat(512) }],
  });
  const countered = keep(await proposeJob(world));
  await act(performer, countered, 'counter-propose', { criteria: { goal: 'less' } });
  await act(principal, countered, 'accept-counter');
  await act(performer, countered, 'references', {
    kind: 'ticket',
    uri: 'urn:example:4711',
    digest: { alg: 'sha-512', value: 'YQ==' },
    label: 'four',
  });
  const child = keep(
    await ok(
      performer.post('/v1/records', {
        type: 'job',
        parentRecordId: countered['id'],
        criteria: { goal: 'a part' },
        autoActivate: true,
      }),
    ),
  );
  await act(performer, child, 'cancel');
  const upheld = keep(await openDecided(world, 'reject'));
  await act(performer, upheld, 'dispute', {
    grounds: 'quality',
    statement: 'It was good.',
    evidence: { log: 'l' },
  });
  await act(principal, upheld, 'dispute/evidence', { evidence: { note: 'It was not.' } });
  for (const reason of ['No answer.', 'Not convinced.'])
    await act(performer, upheld, 'dispute/escalate', { reason });
  await act(world.platform, upheld, 'dispute/resolve', {
    outcome: 'UPHELD',
    resolution: 'The rejection stands.',
  });
  const overturned = keep(await openDecided(world, 'accept'));
  await act(principal, overturned, 'dispute');
  await act(performer, overturned, 'dispute/resolve', {
    outcome: 'OVERTURNED',
    resolution: 'We agree.',
  });
  const withdrawn = keep(await openDecided(world, 'accept'));
  await act(principal, withdrawn, 'dispute');
  await act(principal, withdrawn, 'dispute/withdraw');
  const expiring = keep(await openJob(world, { ttlSeconds: 1 }));
  const expiringProposal = keep(await proposeJob(world, { ttlSeconds: 1 }));
  const { body: bulk } = await principal.post('/v1/records/bulk', [
    { type: 'note', criteria: {} },
    { type: 'job', criteria: GOAL },
  ]);
  for (const row of bulk['data'] as Body[]) keep(row['record'] as Body);

  await ok(world.admin.post('/v1/schemas', { ...NOTE_TYPE, type: 'other-note' }));
  await ok(world.admin.post('/v1/schemas', { ...NOTE_TYPE, type: 'other-note', title: 'second' }));
  await ok(
    world.platform.post(`/v1/schemas?orgId=${world.orgId}`, { ...AUTO_TYPE, type: 'by-platform' }),
  );
  const bundle = await ok(world.admin.get('/v1/schemas/export?type=other-note'));
  const importer = await ok(world.platform.post('/v1/admin/orgs', { name: 'Importer' }));
  await ok(
    world.platform.patch(`/v1/admin/orgs/${String(importer['id'])}`, {
      settings: { requireCoSignature: 'body' },
    }),
  );
  await ok(world.platform.post(`/v1/schemas/import?orgId=${String(importer['id'])}`, bundle));
  await ok(world.admin.patch('/v1/schemas/other-note', { status: 'disabled' }));
  await ok(world.admin.patch('/v1/schemas/other-note?version=1', { status: 'active' }));
  await ok(world.admin.call<Body>('DELETE', '/v1/schemas/other-note?version=2'));
  const minted = await mintKey(world.admin, world.principal.id, {
    scopes: ['records:read'],
    allowedIps: ['127.0.0.0/8', '::1/128'],
    expiresInSeconds: 3600,
    label: 'short-lived',
  });
  await ok(minted.client.post('/v1/auth/keys/rotate', { gracePeriodSeconds: 60 }));
  const revoked = await mintKey(world.admin, world.performer.id, {});
  await ok(
    world.admin.patch(`/v1/admin/api-keys/${revoked.keyId}`, { isActive: false, reason: 'lost' }),
  );
  await ok(
    world.platform.patch(`/v1/admin/api-keys/${revoked.keyId}`, {
      isActive: true,
      reason: 'found',
    }),
  );
  await ok(world.platform.post('/v1/admin/orgs', { name: 'Without an admin' }));
  await ok(
    world.admin.post('/v1/admin/agents', {
      name: 'able',
      orgId: world.orgId,
      displayName: 'Able',
      capabilities: ['job', 'note'],
    }),
  );

  await sleep(1200);
  await ok(principal.get(`/v1/records/${expiring['id']}`));
  await performer.post(`/v1/records/${expiringProposal['id']}/accept`);
  return records.map(String);
};

const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The statement as the bytes say it, by a CBOR library that is not ours. */
const statementOf = (coseSign1: Uint8Array, canonicalization: string): Body => {
  const tagged = decode<Tag>(coseSign1);
  expect(Number(tagged.tag)).toBe(18);
  const [, unprotected, payload] = tagged.contents as [
    Uint8Array,
    Map<unknown, unknown> | object,
    Uint8Array,
  ];
  expect(unprotected instanceof Map ? unprotected.size : Object.keys(unprotected).length).toBe(0);
  expect(payload.length).toBeLessThanOrEqual(65_536);
  if (canonicalization === 'cde') return decode<Body>(payload);
  const text = Buffer.from(payload).toString('utf8');
  const statement = JSON.parse(text) as Body;
  expect(text).toBe(canonicalize(statement));
  return statement;
};

/** vault.md 2, by the kind of the predicate and the type of the entry. */
const expectedSubject = ({ chainKey, entryType, statement: { predicate } }: Sealed): Body => {
  if (chainKey === PLATFORM)
    return { name: 'platform/ops', digest: { sha256: sha256(canonicalize(predicate)!) } };
  if (chainKey.startsWith('schema:'))
    return {
      name: `schema/${predicate.publisher}/${predicate.type}/${predicate.version}`,
      digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    };
  if (entryType === 'SIGNAL_EMITTED')
    return { name: `record/${chainKey}`, digest: { sha256: sha256(canonicalize(predicate)!) } };
  const overEvidence = ['COMPLETION_SUBMITTED', 'VERDICT_RENDERED'].includes(entryType);
  return {
    name: `record/${chainKey}`,
    digest: { sha256: overEvidence ? predicate.evidenceHash : predicate.criteriaHash },
  };
};

const holdsNoFloat = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isSafeInteger(value)) ||
  (typeof value === 'object' && Object.values(value).every(holdsNoFloat));

describe.each(['jcs', 'cde'])('with payloads in %s', (canonicalization) => {
  const api: Api = useApi({ VAULT_CANONICALIZATION: canonicalization });
  const validators = new Map<string, ValidateFunction>();
  const sealed: Sealed[] = [];
  const exported = new Map<string, Body>();
  const digests = new Map<string, string>();

  beforeAll(async () => {
    const { world } = api;
    await createWorld(world.url, String(world.platform.key), 'Globex');
    const schemaChains = new Set<string>();
    const recordIds = await runScenario(world);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    for (const kind of [
      'record-state',
      'settlement-signal',
      'vault-checkpoint',
      'schema-event',
      'tenant-read',
      'counter-attestation',
      'federation-projection',
    ])
      validators.set(kind, ajv.compile(await ok(world.anonymous.get(`/predicates/${kind}/v1`))));
    for (const row of (await ok(world.platform.get('/v1/schemas?limit=200')))['data'] as Body[]) {
      // One digest for a version on the whole hub: what one org deleted, another still holds.
      digests.set(
        `${row['publisher']}/${row['type']}/${row['version']}`,
        String(row['manifestDigest']),
      );
      schemaChains.add(`schema:${row['orgId']}`);
    }
    const reads = api.service.container.get(TOKENS.chainReads);
    for (const chainKey of [...recordIds, ...schemaChains, PLATFORM]) {
      for (const entry of await reads.entries(chainKey, 1, 1000))
        sealed.push({
          chainKey,
          position: entry.position,
          entryType: entry.entryType,
          coseSign1: entry.coseSign1,
          statement: statementOf(entry.coseSign1, canonicalization),
        });
    }
    for (const id of recordIds)
      exported.set(
        id,
        await ok(world.platform.get(`/v1/records/${id}/audit-export?evidence=true`)),
      );
  });

  it('the scenario writes every entry type that this version can reach', () => {
    expect([...new Set(sealed.map((entry) => entry.entryType))].sort()).toEqual(
      expect.arrayContaining([
        'RECORD_RECORDED',
        'RECORD_CREATED',
        'RECORD_PROPOSED',
        'RECORD_ACTIVATED',
        'PROPOSAL_ACCEPTED',
        'PROPOSAL_REJECTED',
        'COMPLETION_SUBMITTED',
        'GATE_EVALUATED',
        'VERDICT_RENDERED',
        'REVISION_REQUESTED',
        'RECORD_CANCELLED',
        'RECORD_EXPIRED',
        'COUNTER_PROPOSED',
        'COUNTER_ACCEPTED',
        'CHILD_DELEGATED',
        'CASCADE_VERIFIED',
        'REFERENCE_ADDED',
        'SIGNAL_EMITTED',
        'DISPUTE_OPENED',
        'DISPUTE_EVIDENCE_SUBMITTED',
        'DISPUTE_ESCALATED',
        'DISPUTE_RESOLVED',
        'DISPUTE_WITHDRAWN',
        'SCHEMA_REGISTERED',
        'SCHEMA_STATUS_CHANGED',
        'SCHEMA_DELETED',
        'SCHEMA_IMPORTED',
        'KEY_ACTIVATED',
        'ORG_CREATED',
        'ORG_UPDATED',
        'AGENT_CREATED',
        'API_KEY_MINTED',
        'API_KEY_ROTATED',
        'API_KEY_REVOKED',
        'API_KEY_REENABLED',
      ]),
    );
  });

  it('each signature verifies with a COSE library that is not ours', async () => {
    const { data } = await ok(api.world.anonymous.get('/v1/verification-keys'));
    const key = createPublicKey({
      key: Buffer.from(data[0].publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    for (const { chainKey, position, coseSign1 } of sealed)
      expect({ chainKey, position, valid: (await coseVerify(coseSign1, key)).isValid }).toEqual({
        chainKey,
        position,
        valid: true,
      });
  });

  it('each predicate fits the JSON Schema that its type is served under', () => {
    for (const { chainKey, position, entryType, statement } of sealed) {
      const [, kind] =
        /^https:\/\/service\.invalid\/predicates\/([a-z-]+)\/v1$/.exec(
          String(statement['predicateType']),
        ) ?? [];
      expect({ entryType, kind }).toEqual({
        entryType,
        kind: chainKey.startsWith('schema:')
          ? 'schema-event'
          : entryType === 'SIGNAL_EMITTED'
            ? 'settlement-signal'
            : 'record-state',
      });
      const validate = validators.get(kind!)!;
      // The served schema is that of the predicate; one of the whole statement would do as well.
      const valid = validate(statement['predicate']) || validate(statement);
      expect({
        chainKey,
        position,
        entryType,
        valid,
        errors: valid ? null : validate.errors,
      }).toMatchObject({ valid: true });
    }
  });

  it('each statement is in-toto v1 with one subject, named and digested as its kind says', () => {
    for (const entry of sealed.filter((one) => one.entryType !== 'GATE_EVALUATED')) {
      const { statement } = entry;
      expect(Object.keys(statement).sort()).toEqual([
        '_type',
        'predicate',
        'predicateType',
        'subject',
      ]);
      expect(statement['_type']).toBe('https://in-toto.io/Statement/v1');
      expect({ at: `${entry.chainKey} ${entry.position}`, subject: statement['subject'] }).toEqual({
        at: `${entry.chainKey} ${entry.position}`,
        subject: [expectedSubject(entry)],
      });
    }
  });

  it('a gate evaluation is neither a completion nor a verdict: its subject is the criteria', () => {
    const evaluations = sealed.filter((entry) => entry.entryType === 'GATE_EVALUATED');
    expect(evaluations).toHaveLength(3);
    for (const entry of evaluations)
      expect(entry.statement['subject']).toEqual([expectedSubject(entry)]);
  });

  it("a schema event's digest is the digest of the manifest", () => {
    for (const { chainKey, statement } of sealed.filter((entry) =>
      entry.chainKey.startsWith('schema:'),
    )) {
      const { publisher, type, version, orgId } = statement['predicate'];
      expect(orgId).toBe(chainKey.slice('schema:'.length));
      expect(statement['subject'][0].digest.sha256).toBe(
        digests.get(`${publisher}/${type}/${version}`),
      );
    }
  });

  it('holds no floating-point number, and carries entryType, at, requestId and actor', () => {
    for (const { entryType, statement } of sealed) {
      expect(holdsNoFloat(statement)).toBe(true);
      expect(statement['predicate']).toMatchObject({
        entryType,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        requestId: expect.any(String),
        actor: { kind: expect.stringMatching(/^(?:agent|admin|platform|system|peer)$/) },
      });
    }
  });

  it('carries no secret', () => {
    const text = JSON.stringify(sealed);
    expect(text).not.toMatch(/svc_(?:agt|adm|plt)_/);
  });

  it('on each chain: positions without a gap, time that never goes back, each step where the last one ended', () => {
    for (const chainKey of new Set(sealed.map((entry) => entry.chainKey))) {
      const chain = sealed.filter((entry) => entry.chainKey === chainKey);
      expect(chain.map((entry) => entry.position)).toEqual(chain.map((_entry, index) => index + 1));
      const times = chain.map((entry) => String(entry.statement['predicate'].at));
      expect(times).toEqual([...times].sort());
      if (chainKey.includes(':') || chainKey === PLATFORM) continue;
      chain.reduce<string | null>((state, entry) => {
        if (entry.entryType === 'SIGNAL_EMITTED') return state;
        expect({
          chainKey,
          position: entry.position,
          from: entry.statement['predicate'].transition.from,
        }).toEqual({ chainKey, position: entry.position, from: state });
        return String(entry.statement['predicate'].transition.to);
      }, null);
    }
  });

  it('binds criteria and evidence as they were sent, and ends where the record is', () => {
    for (const [id, document] of exported) {
      const chain = sealed.filter((entry) => entry.chainKey === id);
      expect(document['record'].criteriaHash).toBe(
        sha256(canonicalize(document['record'].criteria)!),
      );
      for (const {
        entryType,
        position,
        statement: { predicate },
      } of chain) {
        if (
          predicate.criteriaHash !== undefined &&
          !['RECORD_PROPOSED', 'COUNTER_PROPOSED'].includes(entryType)
        )
          expect(predicate.criteriaHash).toBe(document['record'].criteriaHash);
        if (entryType === 'COMPLETION_SUBMITTED')
          expect(predicate.evidenceHash).toBe(
            sha256(canonicalize(document['chain'].entries[position - 1].evidence)!),
          );
        if (entryType === 'VERDICT_RENDERED')
          expect(predicate).toMatchObject({
            completionId: expect.any(String),
            evidenceHash: expect.any(String),
            verdict: expect.any(String),
          });
      }
      expect(
        chain.filter(({ entryType }) => entryType !== 'SIGNAL_EMITTED').at(-1)!.statement[
          'predicate'
        ].transition.to,
      ).toBe(document['record'].status);
    }
  });

  it('the closing checkpoint of an export fits its schema too', () => {
    const validate = validators.get('vault-checkpoint')!;
    for (const document of exported.values()) {
      const statement = statementOf(
        Buffer.from(String(document['checkpoint'].coseSign1), 'base64'),
        canonicalization,
      );
      expect({
        valid: validate(statement['predicate']) || validate(statement),
        errors: validate.errors,
      }).toMatchObject({ valid: true });
      expect(statement['subject']).toEqual([
        {
          name: `chain/${document['chain'].chainKey}`,
          digest: { sha256: document['chain'].head.hash },
        },
      ]);
    }
  });

  it('the export shows the very statements that the bytes hold', () => {
    for (const [id, document] of exported)
      expect(document['chain'].entries.map((entry: Body) => entry['statement'])).toEqual(
        sealed.filter((entry) => entry.chainKey === id).map((entry) => entry.statement),
      );
  });

  it('a predicate without what every one carries does not pass', () => {
    for (const { statement } of sealed) {
      const kind = String(statement['predicateType']).split('/').at(-2)!;
      const validate = validators.get(kind)!;
      const passes = (predicate: Body): boolean =>
        Boolean(validate(predicate)) || Boolean(validate({ ...statement, predicate }));
      for (const member of ['entryType', 'at', 'requestId', 'actor']) {
        const { [member]: _removed, ...rest } = statement['predicate'] as Body;
        expect({ member, passes: passes(rest) }).toEqual({ member, passes: false });
      }
    }
  });
});
