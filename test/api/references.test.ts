import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { RewindSigns } from '../../application/sealing/rewind-signs.ts';
import { ChainWriter } from '../../application/sealing/chain-writer.ts';
import { RecordChains } from '../../application/sealing/record-chains.ts';
import { CoveredEntries } from '../../application/sealing/covered-entries.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { HubKeys } from '../../domain/verification/platform/hub-keys.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { expectProblem, HEX_256, TIMESTAMP, UUID } from '../support/stories/problems.ts';
import {
  addAgent,
  chainOf,
  createWorld,
  deliver,
  draftJob,
  entryTypes,
  GOAL,
  mintKey,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  sleep,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
const TICKET = {
  kind: 'ticket',
  uri: 'https://tickets.example/4711?view=full#top',
  digest: {
    alg: 'sha-256',
    value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  label: 'The ticket 🙂',
};
const add = (
  client: Client,
  id: unknown,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer<Body>> => client.post(`/v1/records/${String(id)}/references`, body, headers);
const read = (id: unknown, client = principal()): Promise<Body> =>
  ok(client.get(`/v1/records/${String(id)}`));
const eventsOf = (id: unknown): Body[] => {
  const path = api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', '');
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const rows = database
      .prepare(
        "SELECT type, data FROM outbox WHERE record_id = ? AND type = 'record.reference_added' ORDER BY created_at, id",
      )
      .all(Buffer.from(String(id).replaceAll('-', ''), 'hex'));
    return rows.map((row) => dataIn(row as Body));
  } finally {
    database.close();
  }
};

describe('POST /v1/records/{id}/references', () => {
  it('201: the reference with who added it and when, sealed in an entry of its own and told', async () => {
    const { id, criteriaHash } = await openJob(api.world);
    const { status, body, headers } = await add(performer(), id, TICKET);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      recordId: id,
      ...TICKET,
      addedBy: { kind: 'agent', agentId: api.world.performer.id },
      recordStatus: 'ACTIVE',
      signedStatement: {
        entryType: 'REFERENCE_ADDED',
        position: 2,
        hash: expect.stringMatching(HEX_256),
      },
    });
    expect(body['id']).toMatch(UUID);
    expect(body['addedAt']).toMatch(TIMESTAMP);
    expect(headers.get('etag')).toBe('"2"');
    const { statement } = (await chainOf(principal(), id)).at(-1)!;
    expect(statement.subject).toEqual([
      { name: `record/${String(id)}`, digest: { sha256: criteriaHash } },
    ]);
    expect(statement.predicate).toMatchObject({
      entryType: 'REFERENCE_ADDED',
      at: body['addedAt'],
      transition: { action: 'add-reference', from: 'ACTIVE', to: 'ACTIVE' },
      criteriaHash,
      reference: { id: body['id'], ...TICKET },
    });
    expect(eventsOf(id)).toMatchObject([
      {
        recordId: id,
        status: 'ACTIVE',
        previousStatus: 'ACTIVE',
        reference: { kind: TICKET.kind, uri: TICKET.uri, digest: TICKET.digest },
      },
    ]);
    expect(eventsOf(id)[0]!['reference']).not.toHaveProperty('label');
  });

  it('kind and uri are enough; the rest is null', async () => {
    const { id } = await openJob(api.world);
    expect(await ok(add(principal(), id, { kind: 'ticket', uri: 'urn:example:1' }))).toMatchObject({
      digest: null,
      label: null,
    });
  });

  it('guidance stays what it was: a reference is nobody’s turn', async () => {
    const { id, nextActions, nextSteps, validTransitions } = await openJob(api.world);
    expect(await ok(add(principal(), id, TICKET))).toMatchObject({
      nextActions,
      nextSteps,
      validTransitions,
    });
    expect(nextActions).not.toContain('add-reference');
  });

  it('200 for the same kind and uri again, by whomever and whatever else is said: the stored row, no entry, no event', async () => {
    const { id } = await openJob(api.world);
    const first = await ok(add(principal(), id, TICKET));
    const again = await add(performer(), id, {
      kind: TICKET.kind,
      uri: TICKET.uri,
      label: 'other words',
    });
    expect(again.status).toBe(200);
    const { signedStatement, nextActions, nextSteps, suggestion, hint, validTransitions, ...row } =
      again.body;
    expect(first).toMatchObject(row);
    expect(signedStatement).toBeNull();
    expect([nextActions, nextSteps, suggestion, hint, validTransitions]).not.toContain(undefined);
    expect(await read(id)).toMatchObject({
      version: 2,
      references: [{ id: first['id'], label: TICKET.label }],
    });
    expect(await entryTypes(principal(), id)).toEqual(['RECORD_CREATED', 'REFERENCE_ADDED']);
    expect(eventsOf(id)).toHaveLength(1);
  });

  it('another kind, another case or another fragment is another reference', async () => {
    const { id } = await openJob(api.world);
    for (const body of [
      TICKET,
      { ...TICKET, kind: 'Ticket' },
      { ...TICKET, uri: `${TICKET.uri}2` },
      { ...TICKET, uri: TICKET.uri.replace('tickets', 'Tickets') },
    ])
      expect((await add(principal(), id, body)).status).toBe(201);
    expect((await read(id))['references']).toHaveLength(4);
  });

  it('of many at once each is there once', async () => {
    const { id } = await openJob(api.world);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        add(index % 2 ? principal() : performer(), id, {
          kind: 'ticket',
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
    const { references, version } = await read(id);
    expect((references as Body[]).map(({ uri }) => uri as string).sort()).toEqual([
      'urn:example:0',
      'urn:example:1',
      'urn:example:2',
    ]);
    expect(version).toBe(4);
  });

  it('422 beyond 32, in one sentence that says so; one that is there is still answered', async () => {
    const { id } = await openJob(api.world);
    for (let index = 1; index <= 32; index++)
      expect(
        (await add(principal(), id, { kind: 'ticket', uri: `urn:example:${index}` })).status,
      ).toBe(201);
    const problem = expectProblem(await add(performer(), id, TICKET), 422, 'VALIDATION_ERROR', {
      refreshUrl: `/v1/records/${String(id)}`,
    });
    expect(problem['detail']).toContain('at most 32');
    expect(problem['errors']).toMatchObject([{ keyword: 'maxItems' }]);
    expect((await add(performer(), id, { kind: 'ticket', uri: 'urn:example:32' })).status).toBe(
      200,
    );
    const { references, version } = await read(id);
    expect((references as Body[]).map(({ uri }) => uri as string)).toEqual(
      Array.from({ length: 32 }, (_, index) => `urn:example:${index + 1}`),
    );
    expect(version).toBe(33);
  });

  it('an Idempotency-Key acts once, also where there was nothing to do', async () => {
    const { id } = await openJob(api.world);
    const [first, replayed] = [
      await add(principal(), id, TICKET, { 'idempotency-key': 'once' }),
      await add(principal(), id, TICKET, { 'idempotency-key': 'once' }),
    ];
    expect([first.status, replayed.status]).toEqual([201, 201]);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect((await add(principal(), id, TICKET, { 'idempotency-key': 'again' })).status).toBe(200);
    expect(
      (await add(principal(), id, TICKET, { 'idempotency-key': 'again' })).headers.get(
        'idempotency-replayed',
      ),
    ).toBe('true');
    expectProblem(
      await add(principal(), id, { ...TICKET, kind: 'x' }, { 'idempotency-key': 'again' }),
      422,
      'VALIDATION_ERROR',
    );
  });

  it.each([
    's3://bucket/report.pdf',
    'gs://bucket/report.pdf',
    'git+https://git.example/repo.git@v1.2.0',
    'ssh://git@git.example/repo.git',
    'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    'oci://registry.example/app:1.0',
    'docker://registry.example/app@sha256:aa',
    'pkg:npm/%40scope/name@1.0.0',
    'swh:1:rev:309cf2674ee7a0749978cf8265ab91a60aea0f7d',
    'did:web:a.example',
    'doi:10.1000/182',
    'arn:aws:s3:::bucket/key',
    'file:///srv/report.pdf',
    'data:text/plain,hello',
    'x-own:1',
  ])('201: %s', async (uri) => {
    const { id } = await openJob(api.world);
    expect((await add(principal(), id, { kind: 'artifact', uri })).status).toBe(201);
    expect((await read(id))['references']).toMatchObject([{ uri }]);
  });

  it.each<[string, unknown, string]>([
    ['no uri', { kind: 'ticket' }, '/uri'],
    ['no kind', { uri: 'urn:example:1' }, '/kind'],
    ['a relative uri', { kind: 'ticket', uri: '/tickets/1' }, '/uri'],
    ['a uri with a space', { kind: 'ticket', uri: 'https://a.example/b c' }, '/uri'],
    ['a uri with a control character', { kind: 'ticket', uri: 'https://a.example/\u0000' }, '/uri'],
    ['a uri that is an IRI', { kind: 'ticket', uri: 'https://a.example/é' }, '/uri'],
    ['a uri of 2049 characters', { kind: 'ticket', uri: `urn:${'a'.repeat(2045)}` }, '/uri'],
    ['a kind of 65 characters', { kind: 'k'.repeat(65), uri: 'urn:example:1' }, '/kind'],
    ['a label of 257 characters', { ...TICKET, label: 'l'.repeat(257) }, '/label'],
    ['a digest without its value', { ...TICKET, digest: { alg: 'sha-256' } }, '/digest/value'],
    [
      'a digest with a member too many',
      { ...TICKET, digest: { ...TICKET.digest, salt: 'x' } },
      '/digest/salt',
    ],
    ['a member too many', { ...TICKET, note: 'x' }, '/note'],
  ])('400: %s', async (_case, body, path) => {
    const { id } = await openJob(api.world);
    const problem = expectProblem(await add(principal(), id, body), 400, 'VALIDATION_ERROR');
    expect((problem['errors'] as Body[]).map((error) => error['path'] as string)).toContain(path);
    expect((await read(id))['version']).toBe(1);
  });

  it.each<[string, object, string, string]>([
    ['a uri that is code', { kind: 'x', uri: 'JavaScript:alert(1)' }, '/uri', 'scheme'],
    ['a uri of one browser', { kind: 'x', uri: 'blob:https://a.example/1' }, '/uri', 'scheme'],
    ['a uri of nothing', { kind: 'x', uri: 'about:blank' }, '/uri', 'scheme'],
    ['a url with dot segments', { kind: 'x', uri: 'https://a.example/b/../c' }, '/uri', 'format'],
    ['a url of no host', { kind: 'x', uri: 'https:///a.example' }, '/uri', 'format'],
    [
      'a SHA-256 digest in base64',
      { ...TICKET, digest: { alg: 'sha-256', value: 'A'.repeat(43) } },
      '/digest/value',
      'digest',
    ],
  ])('422: %s, here and at the creation of a record', async (_case, body, path, keyword) => {
    const { id } = await openJob(api.world);
    expect(
      expectProblem(await add(principal(), id, body), 422, 'VALIDATION_ERROR')['errors'],
    ).toMatchObject([{ path, keyword }]);
    expect((await read(id))['version']).toBe(1);
    const created = await principal().post('/v1/records', {
      type: 'note',
      criteria: {},
      references: [TICKET, body],
    });
    expect(expectProblem(created, 422, 'VALIDATION_ERROR')['errors']).toMatchObject([
      { path: `/references/1${path}`, keyword },
    ]);
  });

  it('takes a registered scheme in any case', async () => {
    const { id } = await openJob(api.world);
    for (const uri of ['HTTPS://a.example/', 'mailto:a@b.example', 'tag:a.example,2026:1'])
      expect((await add(principal(), id, { kind: 'x', uri })).status).toBe(201);
  });

  it('takes the longest that it allows', async () => {
    const { id } = await openJob(api.world);
    const body = {
      kind: 'k'.repeat(64),
      uri: `urn:${'a'.repeat(2044)}`,
      digest: { alg: 'a'.repeat(32), value: 'f'.repeat(256) },
      label: '\u{1f642}'.repeat(128),
    };
    expect((await add(principal(), id, body)).status).toBe(201);
    expect((await read(id))['references']).toMatchObject([body]);
  });

  it('403 INSUFFICIENT_SCOPE without records:write', async () => {
    const { id } = await openJob(api.world);
    const { client } = await mintKey(api.world.admin, api.world.performer.id, {
      scopes: ['completions:write', 'records:read'],
    });
    expectProblem(await add(client, id, TICKET), 403, 'INSUFFICIENT_SCOPE', {
      missingScopes: ['records:write'],
    });
  });
});

describe('who may add a reference', () => {
  let globex: World;
  beforeAll(async () => {
    globex = await createWorld(api.world.url, String(api.world.platform.key), 'Globex references');
  });
  /** Between orgs: the type is the principal's, the performer is of another org. */
  const across = async (): Promise<string> =>
    String(
      (
        await ok(
          principal().post('/v1/records', {
            type: 'job',
            criteria: GOAL,
            performerAgentId: globex.performer.id,
          }),
        )
      )['id'],
    );

  it('either party, the admins of both orgs, and platform', async () => {
    const id = await across();
    const who: readonly (readonly [Client, string])[] = [
      [principal(), 'agent'],
      [globex.performer.client, 'agent'],
      [api.world.admin, 'admin'],
      [globex.admin, 'admin'],
      [api.world.platform, 'platform'],
    ];
    for (const [index, [client, kind]] of who.entries())
      expect(
        (await ok(add(client, id, { kind: 'ticket', uri: `urn:example:${index}` })))['addedBy'],
      ).toMatchObject({ kind });
    expect((await read(id, globex.performer.client))['references']).toHaveLength(5);
  });

  it('nobody else: 404, as for a record that is not there', async () => {
    const id = await across();
    for (const client of [
      (await addAgent(api.world.admin, api.world.orgId, 'stranger')).client,
      globex.principal.client,
    ])
      expectProblem(await add(client, id, TICKET), 404, 'NOT_FOUND');
    expect((await read(id))['references']).toEqual([]);
  });
});

const IN_STATE: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['CREATED', async () => (await draftJob(api.world))['id']],
  ['PROPOSED', async () => (await proposeJob(api.world))['id']],
  ['ACTIVE', async () => (await openDelivered(api.world)).id],
  [
    'REVISION_REQUESTED',
    async () => {
      const { id } = await openDelivered(api.world);
      return (await ok(principal().post(`/v1/records/${id}/revision`)))['id'];
    },
  ],
  [
    'RECORDED',
    async () => (await ok(principal().post('/v1/records', { type: 'note', criteria: {} })))['id'],
  ],
  ['FULFILLED', async () => (await openDecided(api.world, 'accept')).id],
  ['FAILED', async () => (await openDecided(api.world, 'reject')).id],
  [
    'REMEDIATED',
    async () => {
      const { id, completionId } = await openDecided(api.world, 'reject');
      return (
        await ok(principal().post(`/v1/records/${id}/verdict`, { verdict: 'accept', completionId }))
      )['id'];
    },
  ],
  [
    'CANCELLED',
    async () => {
      const { id } = await openJob(api.world);
      return (await ok(principal().post(`/v1/records/${String(id)}/cancel`)))['id'];
    },
  ],
  [
    'REJECTED',
    async () => {
      const { id } = await proposeJob(api.world);
      return (await ok(performer().post(`/v1/records/${String(id)}/reject`)))['id'];
    },
  ],
  [
    'EXPIRED',
    async () => {
      const { id } = await openJob(api.world, { ttlSeconds: 1 });
      await sleep(1_100);
      return id;
    },
  ],
];

describe.each(IN_STATE)('a reference on a record that is %s', (status, open) => {
  it('leaves it as it is, and the chain verifies', async () => {
    const id = await open();
    const before = await read(id);
    expect(before['status']).toBe(status);
    expect((await add(principal(), id, TICKET)).status).toBe(201);
    const after = await read(id);
    const { references, version, updatedAt, signedStatement, ...rest } = after;
    expect(before).toMatchObject(rest);
    expect({ references, version, signedStatement }).toMatchObject({
      references: [TICKET],
      version: (before['version'] as number) + 1,
      signedStatement: { entryType: 'REFERENCE_ADDED' },
    });
    expect((updatedAt as string) >= (before['updatedAt'] as string)).toBe(true);
    const { predicate } = (await chainOf(principal(), id)).at(-1)!['statement'] as Body;
    expect(predicate.transition).toEqual({ action: 'add-reference', from: status, to: status });
    expect(predicate.completionId ?? null).toBe(before['latestCompletionId']);
    const text = JSON.stringify(
      await ok(principal().get(`/v1/records/${String(id)}/audit-export?evidence=true`)),
    );
    expect(
      await verifyAuditExport(text, {
        trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }),
        keys: new HubKeys(),
      }),
    ).toMatchObject({ verdict: 'valid', failures: [] });
  });
});

describe('what follows a reference', () => {
  it('the life of the record goes on: delivered, referenced, revised, judged', async () => {
    const { id } = await openDelivered(api.world);
    await ok(add(performer(), id, TICKET));
    await ok(principal().post(`/v1/records/${id}/revision`));
    await ok(add(performer(), id, { ...TICKET, kind: 'log' }));
    const completion = await deliver(api.world, id);
    await ok(add(principal(), id, { ...TICKET, kind: 'review' }));
    expect(
      await ok(
        principal().post(`/v1/records/${id}/verdict`, {
          verdict: 'accept',
          completionId: completion['id'],
        }),
      ),
    ).toMatchObject({
      status: 'FULFILLED',
      version: 8,
      references: [{ kind: 'ticket' }, { kind: 'log' }, { kind: 'review' }],
    });
    expect(await entryTypes(principal(), id)).toEqual([
      'RECORD_CREATED',
      'COMPLETION_SUBMITTED',
      'REFERENCE_ADDED',
      'REVISION_REQUESTED',
      'REFERENCE_ADDED',
      'COMPLETION_SUBMITTED',
      'REFERENCE_ADDED',
      'VERDICT_RENDERED',
      'SIGNAL_EMITTED',
    ]);
  });

  it('an If-Match of before is stale', async () => {
    const { id } = await openJob(api.world);
    await ok(add(performer(), id, TICKET));
    expectProblem(
      await principal().post(`/v1/records/${String(id)}/cancel`, {}, { 'if-match': '"1"' }),
      412,
      'PRECONDITION_FAILED',
    );
    expect(
      (await principal().post(`/v1/records/${String(id)}/cancel`, {}, { 'if-match': '"2"' }))
        .status,
    ).toBe(200);
  });

  it('a process that did not write the entry finds that row and head agree, with a completion pending and without', async () => {
    const { container } = api.service;
    const other = new RecordChains(
      new ChainWriter(
        container.get(Vault),
        container.get(TOKENS.clock),
        container.get(RewindSigns),
        container.get(CoveredEntries),
      ),
    );
    for (const id of [
      (await openDelivered(api.world)).id,
      (await openJob(api.world))['id'] as string,
    ]) {
      await ok(add(performer(), id, TICKET));
      const chain = await container
        .get(TOKENS.unitOfWork)
        .transaction(async (stores) => other.lock(stores, (await stores.records.lock(id))!.record));
      expect(chain.head).not.toBeNull();
    }
  });

  it('references are shown in listings, in every answer with the record, and in the audit export', async () => {
    const platformRef = `references-${Math.random()}`;
    const bare = await openJob(api.world, { platformRef });
    const { id } = await openJob(api.world, { platformRef });
    const {
      signedStatement: _entry,
      nextActions: _a,
      nextSteps: _s,
      suggestion: _w,
      hint: _h,
      validTransitions: _v,
      recordStatus: _r,
      ...row
    } = await ok(add(performer(), id, TICKET));
    const { data } = await ok(principal().get(`/v1/records?platformRef=${platformRef}`));
    expect(
      Object.fromEntries((data as Body[]).map((record) => [record['id'], record['references']])),
    ).toEqual({ [String(id)]: [row], [String(bare['id'])]: [] });
    expect(
      (await ok(principal().get(`/v1/records/${String(id)}/audit-export`)))['record'].references,
    ).toEqual([row]);
    expect((await ok(principal().post(`/v1/records/${String(id)}/cancel`)))['references']).toEqual([
      row,
    ]);
  });
});

describe('references at creation', () => {
  const LOG = { kind: 'log', uri: 'urn:example:log' };
  const verify = async (id: unknown): Promise<void> => {
    const text = JSON.stringify(
      await ok(principal().get(`/v1/records/${String(id)}/audit-export`)),
    );
    expect(
      await verifyAuditExport(text, {
        trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }),
        keys: new HubKeys(),
      }),
    ).toMatchObject({ verdict: 'valid', failures: [] });
  };

  it.each<[string, Body, string]>([
    ['notarized', { type: 'note', criteria: {} }, 'RECORD_RECORDED'],
    ['proposed', { type: 'job', criteria: GOAL }, 'RECORD_PROPOSED'],
    ['started at once', { type: 'job', criteria: GOAL, autoActivate: true }, 'RECORD_CREATED'],
  ])(
    '201 with all of them, of a record that is %s: each in an entry of its own after the first',
    async (_case, body, first) => {
      const performerAgentId = api.world.performer.id;
      const {
        status,
        body: record,
        headers,
      } = await principal().post('/v1/records', {
        ...body,
        performerAgentId,
        references: [TICKET, LOG, { ...TICKET, label: 'twice' }],
      });
      expect(status).toBe(201);
      expect(record).toMatchObject({
        version: 3,
        references: [TICKET, { ...LOG, digest: null, label: null }],
        signedStatement: { entryType: first, position: 1 },
      });
      expect(headers.get('etag')).toBe('"3"');
      expect(await entryTypes(principal(), record['id'])).toEqual([
        first,
        'REFERENCE_ADDED',
        'REFERENCE_ADDED',
      ]);
      expect((await read(record['id']))['references']).toEqual(record['references']);
      expect(eventsOf(record['id'])).toHaveLength(2);
      expect((await add(performer(), record['id'], LOG)).status).toBe(200);
      expect((await add(performer(), record['id'], { ...LOG, kind: 'other' })).status).toBe(201);
      await verify(record['id']);
    },
  );

  it('32 of them, and not one more', async () => {
    const references = Array.from({ length: 33 }, (_, index) => ({
      kind: 'ticket',
      uri: `urn:example:${index}`,
    }));
    const { id, version } = await ok(
      principal().post('/v1/records', {
        type: 'note',
        criteria: {},
        references: references.slice(1),
      }),
    );
    expect(version).toBe(33);
    await verify(id);
    expectProblem(await add(principal(), id, TICKET), 422, 'VALIDATION_ERROR');
    expectProblem(
      await principal().post('/v1/records', { type: 'note', criteria: {}, references }),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('in bulk: each record has its own, and one with a bad reference fails alone', async () => {
    const note = { type: 'note', criteria: {} };
    const { body } = await principal().post('/v1/records/bulk', [
      { ...note, references: [TICKET] },
      note,
      { ...note, references: [{ kind: 'x', uri: 'nowhere' }] },
      { ...note, references: [LOG, TICKET] },
    ]);
    expect(
      (body['data'] as Body[]).map(({ status, record }) => [status, record?.references.length]),
    ).toEqual([
      [201, 1],
      [201, 0],
      [400, undefined],
      [201, 2],
    ]);
    for (const { record } of body['data'] as Body[]) if (record) await verify(record.id);
  });
});
