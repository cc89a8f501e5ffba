import { createHash } from 'node:crypto';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { CompactEncrypt, FlattenedEncrypt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import {
  createEncryptedWorld,
  encryptedAgent,
  publish,
  SEALED_JOB,
  type EncryptedWorld,
} from '../support/stories/encrypted-world.ts';
import { decryptionKey, decryptWith, encryptTo } from '../support/vectors/jwe.ts';
import { mutantOf } from '../support/attackers/mutate.ts';
import { expectProblem } from '../support/stories/problems.ts';
import {
  addAgent,
  deliver,
  ok,
  openDelivered,
  openJob,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../support/service/world.ts';

const api = useApi();
let world: World;
let sealed: EncryptedWorld;
beforeAll(async () => {
  world = api.world;
  sealed = await createEncryptedWorld(world);
});

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalize(value)!).digest('hex');
const create = (body: Body, client: Client = sealed.principal.client): Promise<Answer<Body>> =>
  client.post('/v1/records', { type: 'sealed-job', ...body });
const act = (client: Client, record: Body, path: string, body?: Body) =>
  client.post(`/v1/records/${String(record['id'])}/${path}`, body);
const submit = (record: Body, evidence: unknown) =>
  act(sealed.performer.client, record, 'completions', { evidence });
const both = (): string[] => [sealed.principal.key.kid, sealed.performer.key.kid];
const criteria = () => sealed.encrypt({ goal: 'in secret' });

const propose = async (extra: Body = {}): Promise<Body> =>
  ok(create({ criteria: await criteria(), performerAgentId: sealed.performer.id, ...extra }));
const openActive = (): Promise<Body> => propose({ autoActivate: true });
const openPending = async (): Promise<{ record: Body; completion: Body }> => {
  const record = await openActive();
  return { record, completion: await ok(submit(record, await sealed.encrypt({ score: 9 }))) };
};
const exportOf = (record: Body): Promise<Body> =>
  ok(sealed.principal.client.get(`/v1/records/${String(record['id'])}/audit-export?evidence=true`));
/** What its chain says of the record itself; a settlement signal is about money. */
const sealedOf = async (record: Body): Promise<Body[]> =>
  ((await exportOf(record))['chain'].entries as Body[])
    .filter((entry) => entry['entryType'] !== 'SIGNAL_EMITTED')
    .map((entry) => ({ entryType: entry['entryType'], ...(entry['statement'].predicate as Body) }));

describe('two agents, one with an X25519 key and one with a P-256 key', () => {
  it('propose, counter, accept, deliver and decide in ciphertext, and the export verifies offline', async () => {
    const { principal, performer } = sealed;
    const offered = await sealed.encrypt({ goal: 'all of it' });
    const record = await ok(create({ criteria: offered, performerAgentId: performer.id }));
    expect(record).toMatchObject({
      status: 'PROPOSED',
      operatingMode: 'encrypted',
      criteria: offered,
      criteriaHash: hashOf(offered),
    });

    const read = await ok(performer.client.get(`/v1/records/${record['id']}`));
    expect(await decryptWith(performer.key, read['criteria'])).toEqual({ goal: 'all of it' });
    const countered = await sealed.encrypt(
      { goal: 'half of it' },
      { enc: 'A128CBC-HS256', alg: 'ECDH-ES+A128KW', aad: 'round 1' },
    );
    await ok(act(performer.client, record, 'counter-propose', { criteria: countered }));
    expect(
      await decryptWith(
        principal.key,
        (await ok(principal.client.get(`/v1/records/${record['id']}`)))['counterProposal'].criteria,
      ),
    ).toEqual({ goal: 'half of it' });
    const active = await ok(
      act(principal.client, record, 'accept-counter', { criteriaHash: hashOf(countered) }),
    );
    expect(active).toMatchObject({
      status: 'ACTIVE',
      criteria: countered,
      criteriaHash: hashOf(countered),
    });

    const evidence = await sealed.encrypt({ score: 9 });
    const completion = await ok(submit(record, evidence));
    expect(completion).toMatchObject({
      evidence,
      evidenceHash: hashOf(evidence),
      structural: { valid: true },
      gate: { state: 'SKIPPED', results: [] },
    });
    expect(await ok(principal.client.get(`/v1/records/${record['id']}/gate-status`))).toMatchObject(
      { phase2: { state: 'SKIPPED', results: [] }, awaiting: 'principal' },
    );

    const delivered = await ok(
      principal.client.get(`/v1/records/${record['id']}/completions/${completion['id']}`),
    );
    expect(await decryptWith(principal.key, delivered['evidence'])).toEqual({ score: 9 });
    const gateResults = [
      { gateId: 'score', outcome: 'pass' },
      { gateId: 'log', outcome: 'fail', detail: 'no log' },
    ];
    expect(
      await ok(
        act(principal.client, record, 'verdict', {
          verdict: 'accept',
          completionId: completion['id'],
          gateResults,
        }),
      ),
    ).toMatchObject({ status: 'FULFILLED' });

    const claimed = [
      { gateId: 'score', outcome: 'pass', detail: null },
      { gateId: 'log', outcome: 'fail', detail: 'no log' },
    ];
    for (const client of [principal.client, performer.client])
      expect(
        (await ok(client.get(`/v1/records/${record['id']}/completions/${completion['id']}`)))[
          'verdict'
        ],
      ).toMatchObject({ verdict: 'accept', gateResults: claimed });
    const entries = await sealedOf(record);
    expect(
      entries.map(({ entryType, encryption, gate }) => [
        entryType,
        encryption?.recipients ?? null,
        gate?.claimedBy ?? gate?.state ?? null,
      ]),
    ).toEqual([
      ['RECORD_PROPOSED', both(), null],
      ['COUNTER_PROPOSED', both(), null],
      ['COUNTER_ACCEPTED', null, null],
      ['COMPLETION_SUBMITTED', both(), 'SKIPPED'],
      ['VERDICT_RENDERED', null, 'principal'],
    ]);
    expect(entries.at(-1)!['gate']).toEqual({ claimedBy: 'principal', results: claimed });
    const fits = new Ajv2020({ strict: false }).compile(
      (await ok(world.anonymous.get('/predicates/record-state/v1'))) as AnySchema,
    );
    for (const entry of entries)
      expect({ entry, fits: fits(entry), errors: fits.errors }).toMatchObject({ fits: true });

    const exported = await exportOf(record);
    expect(exported['chain'].entries[3].evidence).toEqual(evidence);
    const report = await verifyAuditExport(JSON.stringify(exported), {
      trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }),
    });
    expect([report.verdict, report.failures]).toEqual(['valid', []]);
  });

  it.each([
    ['any-fulfilled', ['cascade']],
    ['all-fulfilled', []],
  ])(
    'gates are skipped, but not the cascade rule %s, which needs no plaintext: results %j',
    async (rule, results) => {
      const type = `sealed-${rule}`;
      await ok(world.admin.post('/v1/schemas', { ...SEALED_JOB, type, cascade: { rule } }));
      const record = await propose({ type, autoActivate: true });
      const { gate, id: completionId } = await ok(
        submit(record, await sealed.encrypt({ score: 9 })),
      );
      expect(gate.state).toBe('SKIPPED');
      expect((gate.results as Body[]).map(({ gateId }) => gateId as string)).toEqual(results);
      // It advises: the principal decides.
      await ok(
        act(sealed.principal.client, record, 'verdict', { verdict: 'accept', completionId }),
      );
      const submitted = (await sealedOf(record)).find(
        ({ entryType }) => entryType === 'COMPLETION_SUBMITTED',
      )!;
      expect(submitted['gate']).toMatchObject({
        state: 'SKIPPED',
        results: results.map((gateId) => ({ gateId, outcome: 'fail', severity: 'block' })),
      });
      const report = await verifyAuditExport(JSON.stringify(await exportOf(record)), {
        trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }),
      });
      expect([report.verdict, report.failures]).toEqual(['valid', []]);
    },
  );

  it('a proposal is accepted as it stands, and a rejection overridden', async () => {
    const record = await propose();
    expect(
      await ok(
        act(sealed.performer.client, record, 'accept', { criteriaHash: record['criteriaHash'] }),
      ),
    ).toMatchObject({ status: 'ACTIVE' });
    const completion = await ok(submit(record, await sealed.encrypt({ score: 1 })));
    await ok(
      act(sealed.principal.client, record, 'verdict', {
        verdict: 'reject',
        completionId: completion['id'],
        gateResults: [{ gateId: 'score', outcome: 'fail' }],
      }),
    );
    expect(
      await ok(
        act(sealed.principal.client, record, 'verdict', {
          verdict: 'accept',
          completionId: completion['id'],
        }),
      ),
    ).toMatchObject({ status: 'REMEDIATED' });
    expect(
      (
        await ok(
          sealed.principal.client.get(
            `/v1/records/${record['id']}/completions/${completion['id']}`,
          ),
        )
      )['verdict'],
    ).not.toHaveProperty('gateResults');
  });

  it('the performer opens a record that awaits its principal', async () => {
    const record = await ok(
      create(
        {
          criteria: await criteria(),
          principalAgentId: sealed.principal.id,
          performerAgentId: sealed.performer.id,
        },
        sealed.performer.client,
      ),
    );
    expect(await ok(act(sealed.principal.client, record, 'accept'))).toMatchObject({
      status: 'ACTIVE',
    });
  });

  it('a notarize-only type seals ciphertext at once', async () => {
    const jwe = await encryptTo([sealed.principal.key], { text: 'noted' });
    const record = await ok(create({ type: 'sealed-note', criteria: jwe }));
    expect(record).toMatchObject({ status: 'RECORDED', criteria: jwe, criteriaHash: hashOf(jwe) });
    expect((await sealedOf(record))[0]).toMatchObject({
      encryption: { recipients: [sealed.principal.key.kid] },
    });
  });

  it('a draft that its principal performs itself needs no other reader', async () => {
    const draft = await ok(
      create({ criteria: await encryptTo([sealed.principal.key], { goal: 'mine' }) }),
    );
    expect(
      await ok(act(sealed.principal.client, draft, 'transition', { action: 'activate' })),
    ).toMatchObject({ status: 'ACTIVE', performerAgentId: sealed.principal.id });
    expect(
      (
        await act(sealed.principal.client, draft, 'completions', {
          evidence: await encryptTo([sealed.principal.key], { score: 1 }),
        })
      ).status,
    ).toBe(201);
  });

  it('an auditor may be a further recipient, and is listed', async () => {
    const auditor = await decryptionKey('X25519');
    const jwe = await encryptTo([sealed.principal.key, sealed.performer.key, auditor], {
      goal: 'audited',
    });
    const record = await ok(create({ criteria: jwe, performerAgentId: sealed.performer.id }));
    expect((await sealedOf(record))[0]).toMatchObject({
      encryption: { recipients: [...both(), auditor.kid] },
    });
    expect(await decryptWith(auditor, record['criteria'])).toEqual({ goal: 'audited' });
  });
});

describe('422: content that is not a JWE, in an encrypted type', () => {
  const expectForm = (answer: Answer<Body>, keyword: string, member = 'criteria') => {
    const problem = expectProblem(answer, 422, 'SCHEMA_VALIDATION_ERROR', {
      type: '/problems/schema-validation-error',
      recordType: 'sealed-job',
      requiredFields: ['protected', 'iv', 'ciphertext', 'tag', 'recipients'],
      schemaUrl: expect.any(String),
    });
    expect(problem['errors'][0]).toMatchObject({
      keyword,
      path: expect.stringMatching(new RegExp(`^/${member}`)),
    });
    expect(problem['suggestion']).toContain('RFC 7516 section 7.2.1');
  };

  it('a plain object, wherever content is taken', async () => {
    expectForm(await create({ criteria: { goal: 'plain' } }), 'jwe');
    expectForm(
      await act(sealed.performer.client, await propose(), 'counter-propose', {
        criteria: { goal: 'plain' },
      }),
      'jwe',
    );
    expectForm(
      await act(sealed.performer.client, await propose(), 'transition', {
        action: 'counter-propose',
        criteria: { goal: 'plain' },
      }),
      'jwe',
    );
    const record = await openActive();
    expectForm(await submit(record, { score: 9 }), 'jwe', 'evidence');
    const bulk = await ok(
      sealed.principal.client.post('/v1/records/bulk', [
        { type: 'sealed-job', criteria: { goal: 'plain' } },
      ]),
    );
    expect(bulk['data'][0]).toMatchObject({
      status: 422,
      error: { code: 'SCHEMA_VALIDATION_ERROR' },
    });
    expect(await ok(sealed.principal.client.get(`/v1/records/${record['id']}`))).toMatchObject({
      latestCompletionId: null,
      version: 1,
    });
  });

  it('the flattened and the compact serialization', async () => {
    const bytes = new TextEncoder().encode('{"goal":"x"}');
    const header = { alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: sealed.principal.key.kid };
    expectForm(
      await create({
        criteria: await new FlattenedEncrypt(bytes)
          .setProtectedHeader(header)
          .encrypt(sealed.principal.key.publicKey),
      }),
      'flattened',
    );
    const compact = await new CompactEncrypt(bytes)
      .setProtectedHeader(header)
      .encrypt(sealed.principal.key.publicKey);
    expectProblem(await create({ criteria: compact }), 400, 'VALIDATION_ERROR');
    expectForm(await create({ criteria: { jwe: compact } }), 'jwe');
  });

  it('a JWE with something beside the ciphertext that is in the clear', async () => {
    const jwe = await criteria();
    expectForm(await create({ criteria: { ...jwe, note: 'plain' } }), 'additionalProperties');
    expectForm(
      await create({ criteria: { ...jwe, unprotected: { note: 'plain' } } }),
      'additionalProperties',
    );
    expectForm(await create({ criteria: { ...jwe, unprotected: { zip: 'DEF' } } }), 'zip');
  });

  it('the dry run says the same, and skips the gates', async () => {
    const validate = (body: Body) => ok(world.admin.post('/v1/schemas/sealed-job/validate', body));
    expect(await validate({ criteria: { goal: 'plain' } })).toMatchObject({ valid: false });
    expect(
      await validate({ criteria: await criteria(), evidence: await criteria() }),
    ).toMatchObject({ valid: true, gates: { state: 'SKIPPED', results: [] } });
  });
});

describe('422: content that a party cannot read', () => {
  const expectUnread = (answer: Answer<Body>, path: string, agentId: string) => {
    const problem = expectProblem(answer, 422, 'VALIDATION_ERROR');
    expect(problem['errors'].map((error: Body) => error['path'])).toEqual([path]);
    expect(problem['detail']).toContain(agentId);
  };

  it('the principal, or the performer, is not among the recipients', async () => {
    const { principal, performer } = sealed;
    expectUnread(
      await create({
        criteria: await encryptTo([performer.key], {}),
        performerAgentId: performer.id,
      }),
      '/criteria/recipients',
      principal.id,
    );
    expectUnread(
      await create({
        criteria: await encryptTo([principal.key], {}),
        performerAgentId: performer.id,
      }),
      '/criteria/recipients',
      performer.id,
    );
    expectUnread(
      await create({ type: 'sealed-note', criteria: await encryptTo([performer.key], {}) }),
      '/criteria/recipients',
      principal.id,
    );
    expectUnread(
      await act(performer.client, await propose(), 'counter-propose', {
        criteria: await encryptTo([performer.key], {}),
      }),
      '/criteria/recipients',
      principal.id,
    );
    expectUnread(
      await submit(await openActive(), await encryptTo([performer.key], {})),
      '/evidence/recipients',
      principal.id,
    );
  });

  it('a party published no key: the answer names it, and the call that publishes one', async () => {
    const keyless = await addAgent(world.admin, world.orgId, 'keyless');
    const answer = await create({ criteria: await criteria(), performerAgentId: keyless.id });
    expectUnread(answer, '/performerAgentId', keyless.id);
    expect(answer.body['suggestion']).toContain('PUT /v1/agents/{id}/encryption-key');
    expectUnread(
      await create({ criteria: await criteria() }, keyless.client),
      '/principalAgentId',
      keyless.id,
    );
  });

  it('a draft is proposed only to a performer that its criteria were encrypted to', async () => {
    const { principal, performer } = sealed;
    const transition = (draft: Body) =>
      act(principal.client, draft, 'transition', {
        action: 'propose',
        performerAgentId: performer.id,
      });
    expectUnread(
      await transition(await ok(create({ criteria: await encryptTo([principal.key], {}) }))),
      '/criteria/recipients',
      performer.id,
    );
    expect(await ok(transition(await ok(create({ criteria: await criteria() }))))).toMatchObject({
      status: 'PROPOSED',
    });
  });

  it('a key that was replaced no longer counts, and what was encrypted to it stays acceptable', async () => {
    const [buyer, seller] = [
      await encryptedAgent(world, 'X25519'),
      await encryptedAgent(world, 'X25519'),
    ];
    const offer = await encryptTo([buyer.key, seller.key], { goal: 'g' });
    const record = await ok(create({ criteria: offer, performerAgentId: seller.id }, buyer.client));
    const newKey = await decryptionKey('P-256');
    await publish(world.admin, seller.id, newKey);
    expectUnread(
      await create({ criteria: offer, performerAgentId: seller.id }, buyer.client),
      '/criteria/recipients',
      seller.id,
    );
    expect(await ok(act(seller.client, record, 'accept'))).toMatchObject({ status: 'ACTIVE' });
    const evidence = (key: typeof newKey) => encryptTo([buyer.key, key], { score: 1 });
    expectUnread(
      await act(seller.client, record, 'completions', { evidence: await evidence(seller.key) }),
      '/evidence/recipients',
      seller.id,
    );
    expect(
      (await act(seller.client, record, 'completions', { evidence: await evidence(newKey) }))
        .status,
    ).toBe(201);
  });
});

describe('a dispute', () => {
  it('takes evidence as a JWE to both parties and in no other form, and its entries list the recipients', async () => {
    const { record, completion } = await openPending();
    await ok(
      act(sealed.principal.client, record, 'verdict', {
        verdict: 'reject',
        completionId: completion['id'],
      }),
    );
    const open = (evidence: Body) =>
      act(sealed.performer.client, record, 'dispute', { grounds: 'incorrect', evidence });
    const submitEvidence = (evidence: Body) =>
      act(sealed.principal.client, record, 'dispute/evidence', { evidence });
    expectProblem(await open({ text: 'plain' }), 422, 'SCHEMA_VALIDATION_ERROR');
    expectProblem(await open(await encryptTo([sealed.performer.key], {})), 422, 'VALIDATION_ERROR');
    const jwe = await sealed.encrypt({ text: 'it was right' });
    await ok(open(jwe));
    expectProblem(await submitEvidence({ text: 'plain' }), 422, 'SCHEMA_VALIDATION_ERROR');
    const dispute = await ok(submitEvidence(await sealed.encrypt({ text: 'it was not' })));
    expect(
      await Promise.all(
        (dispute['evidence'] as Body[]).map(({ content }) =>
          decryptWith(sealed.principal.key, content),
        ),
      ),
    ).toEqual([{ text: 'it was right' }, { text: 'it was not' }]);
    const entries = (await sealedOf(record)).filter(({ entryType }) =>
      String(entryType).startsWith('DISPUTE_'),
    );
    expect(entries.map(({ entryType, encryption }) => [entryType, encryption?.recipients])).toEqual(
      [
        ['DISPUTE_OPENED', both()],
        ['DISPUTE_EVIDENCE_SUBMITTED', both()],
      ],
    );
  });
});

describe('gateResults', () => {
  it('422: in a cleartext type; for a gate that the type does not have; twice for one gate', async () => {
    const clear = await openDelivered(world);
    const verdict = { verdict: 'accept', gateResults: [{ gateId: 'score', outcome: 'pass' }] };
    expect(
      expectProblem(
        await act(world.principal.client, clear, 'verdict', {
          ...verdict,
          completionId: clear.completionId,
        }),
        422,
        'VALIDATION_ERROR',
      )['errors'][0],
    ).toMatchObject({ path: '/gateResults', keyword: 'cleartext' });
    const { record, completion } = await openPending();
    const render = (gateResults: unknown) =>
      act(sealed.principal.client, record, 'verdict', {
        ...verdict,
        completionId: completion['id'],
        gateResults,
      });
    expect(
      expectProblem(await render([{ gateId: 'other', outcome: 'pass' }]), 422, 'VALIDATION_ERROR')[
        'allowedValues'
      ],
    ).toEqual(SEALED_JOB.gates.map(({ id }) => id));
    expectProblem(
      await render([verdict.gateResults[0], verdict.gateResults[0]]),
      422,
      'VALIDATION_ERROR',
    );
    for (const bad of [
      {},
      [{ gateId: 'score' }],
      [{ gateId: 'score', outcome: 'maybe' }],
      [{ gateId: 'score', outcome: 'pass', note: 'x' }],
      Array.from({ length: 65 }, () => verdict.gateResults[0]),
    ])
      expectProblem(await render(bad), 400, 'VALIDATION_ERROR');
    expect(await ok(sealed.principal.client.get(`/v1/records/${record['id']}`))).toMatchObject({
      status: 'ACTIVE',
      awaiting: 'principal',
    });
  });
});

describe('a cleartext type', () => {
  it('422: takes no JWE, as criteria or as evidence', async () => {
    const jwe = await criteria();
    for (const type of ['note', 'job'])
      expect(
        expectProblem(await create({ type, criteria: jwe }), 422, 'SCHEMA_VALIDATION_ERROR', {
          recordType: type,
        })['errors'][0],
      ).toMatchObject({ path: '/criteria', keyword: 'cleartext' });
    const { id } = await openJob(world);
    expect(
      expectProblem(
        await world.performer.client.post(`/v1/records/${String(id)}/completions`, {
          evidence: jwe,
        }),
        422,
        'SCHEMA_VALIDATION_ERROR',
      )['errors'][0],
    ).toMatchObject({ path: '/evidence', keyword: 'cleartext' });
    expect((await deliver(world, id))['gate']).toMatchObject({ state: 'ADVISORY_PASSED' });
  });
});

describe('registration', () => {
  it('422: an encrypted type decided by gates, and examples that do not fit the schemas of the plaintext', async () => {
    const register = (extra: Body) =>
      world.admin.post('/v1/schemas', { ...SEALED_JOB, type: 'sealed-other', ...extra });
    expect(
      expectProblem(await register({ gateMode: 'auto' }), 422, 'VALIDATION_ERROR')['errors'][0],
    ).toMatchObject({ path: '/gateMode' });
    expect(
      expectProblem(
        await register({ exampleEvidence: { score: 'high' } }),
        422,
        'VALIDATION_ERROR',
      )['errors'][0],
    ).toMatchObject({ path: '/exampleEvidence/score' });
    expect(await ok(register({}))).toMatchObject({
      operatingMode: 'encrypted',
      gateMode: 'principal',
      exampleEvidence: SEALED_JOB.exampleEvidence,
    });
  });

  it('422: a new version that is in the clear again, unless compatibility is given up', async () => {
    const register = (extra: Body) =>
      world.admin.post('/v1/schemas', { ...SEALED_JOB, type: 'sealed-twice', ...extra });
    await ok(register({}));
    expect(
      expectProblem(await register({ operatingMode: 'cleartext' }), 422, 'VALIDATION_ERROR')[
        'errors'
      ][0],
    ).toMatchObject({ path: '/operatingMode' });
    expect((await register({ operatingMode: 'cleartext', compatibilityMode: 'none' })).status).toBe(
      201,
    );
  });
});

it('whatever is changed about a JWE, it is taken or refused, and never a fault of the service', async () => {
  const mutants = fc.sample(mutantOf(await encryptTo([sealed.principal.key], { a: 1 })), 150);
  for (const mutant of mutants) {
    const { status, body } = await create({ type: 'sealed-note', criteria: mutant });
    expect({ taken: [201, 400, 422].includes(status), status, body }).toMatchObject({
      taken: true,
    });
  }
});
