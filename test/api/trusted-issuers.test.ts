import { createHash } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import {
  AUDIENCE,
  exchangeOf,
  OIDC_ENV,
  serveTls,
  startOidc,
  type Oidc,
  type TlsServer,
} from '../support/peers/oidc.ts';
import { NOBODY } from '../support/stories/problems.ts';
import { Client, ok, sleep, type Answer, type Body } from '../support/service/world.ts';
import { dataIn, signedIn } from '../support/databases/stored-values.ts';

const api = useApi(OIDC_ENV);
const PATH = '/v1/admin/trusted-issuers';
const create = (body: Body = {}) =>
  api.world.platform.post(PATH, {
    orgId: api.world.orgId,
    issuerUrl: 'https://login.example',
    expectedAudience: `aud-${Math.random()}`,
    ...body,
  });

/** Statements of the platform chain and events, of one issuer. */
const told = (
  issuerId: unknown,
  entryType: string,
  eventType: string,
): { readonly entries: number; readonly events: number } => {
  const database = new DatabaseSync(
    api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', ''),
    { readOnly: true, timeout: 5_000 },
  );
  try {
    const entries = database
      .prepare('SELECT cose_sign1 FROM chain_entries WHERE entry_type = ?')
      .all(entryType) as Body[];
    const events = database
      .prepare('SELECT data FROM outbox WHERE type = ?')
      .all(eventType) as Body[];
    return {
      entries: entries.filter((row) => Buffer.from(signedIn(row)).includes(String(issuerId)))
        .length,
      events: events.filter((row) => JSON.stringify(dataIn(row)).includes(String(issuerId))).length,
    };
  } finally {
    database.close();
  }
};

describe('a trusted issuer', () => {
  it('is registered with the defaults, sealed, told, and read back by id and in the list', async () => {
    const answer = await create({ expectedAudience: 'defaults' });
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get('location')).toBe(`${PATH}/${String(id)}`);
    const members = {
      id,
      orgId: api.world.orgId,
      issuerUrl: 'https://login.example',
      jwksUri: null,
      expectedAudience: 'defaults',
      appliesTo: 'agent',
      claimMapping: { scopes: 'scope', agent_id: 'agent_id', role: 'role' },
      maxCredentialTtlSeconds: 600,
      enabled: true,
      subjectAllowlist: [],
      requireProof: 'none',
      requireCoSignature: 'none',
      managedBy: null,
    };
    expect(answer.body).toMatchObject(members);
    expect(await ok(api.world.platform.get(`${PATH}/${String(id)}`))).toMatchObject(members);
    expect(
      (await ok(api.world.platform.get(`${PATH}?orgId=${api.world.orgId}`)))['data'][0],
    ).toMatchObject(members);
    expect(told(id, 'ISSUER_CREATED', 'issuer.created')).toEqual({ entries: 1, events: 1 });
  });

  it('is the only one with its URL and audience', async () => {
    await ok(create({ expectedAudience: 'twice' }));
    const { status, body } = await create({ expectedAudience: 'twice', appliesTo: 'admin' });
    expect([status, body['code']]).toEqual([409, 'CONFLICT']);
    const { id } = await ok(create({ expectedAudience: 'once' }));
    expect(
      (await api.world.platform.patch(`${PATH}/${String(id)}`, { expectedAudience: 'twice' }))
        .status,
    ).toBe(409);
  });

  it('is changed in what may change, member by member, and sealed again', async () => {
    const { id } = await ok(
      create({ jwksUri: 'https://login.example/keys', claimMapping: { role: '/a~1b' } }),
    );
    const changed = await ok(
      api.world.platform.patch(`${PATH}/${String(id)}`, {
        jwksUri: null,
        claimMapping: { scopes: 'scp' },
        maxCredentialTtlSeconds: 60,
        enabled: false,
        subjectAllowlist: ['a', 'b', 'a'],
        requireProof: 'dpop',
        requireCoSignature: 'body',
      }),
    );
    expect(changed).toMatchObject({
      jwksUri: null,
      claimMapping: { scopes: 'scp', agent_id: 'agent_id', role: '/a~1b' },
      maxCredentialTtlSeconds: 60,
      enabled: false,
      subjectAllowlist: ['a', 'b'],
      requireProof: 'dpop',
      requireCoSignature: 'body',
    });
    expect(await ok(api.world.platform.get(`${PATH}/${String(id)}`))).toMatchObject({
      enabled: false,
      subjectAllowlist: ['a', 'b'],
    });
    expect(told(id, 'ISSUER_UPDATED', 'issuer.updated')).toEqual({ entries: 1, events: 1 });
  });

  it.each([
    ['orgId', NOBODY],
    ['issuerUrl', 'https://other.example'],
    ['appliesTo', 'admin'],
    ['managedBy', 'provisioning'],
  ])('keeps its %s: 400', async (member, value) => {
    const { id } = await ok(create());
    expect(
      (await api.world.platform.patch(`${PATH}/${String(id)}`, { [member]: value })).status,
    ).toBe(400);
    expect((await api.world.platform.patch(`${PATH}/${String(id)}`, {})).status).toBe(400);
  });

  it.each([
    ['an http URL', { issuerUrl: 'http://login.example' }, 400],
    ['credentials in the URL', { issuerUrl: 'https://a:b@login.example' }, 422],
    ['a query in the URL', { issuerUrl: 'https://login.example/?x=1' }, 422],
    ['a fragment in jwksUri', { jwksUri: 'https://login.example/keys#x' }, 422],
    ['a lifetime below 60 s', { maxCredentialTtlSeconds: 59 }, 400],
    ['a lifetime above an hour', { maxCredentialTtlSeconds: 3601 }, 400],
    ['a pointer with a wrong escape', { claimMapping: { scopes: '/a~2' } }, 422],
    ['an org that does not exist', { orgId: NOBODY }, 422],
    ['no word about the org', { orgId: undefined }, 400],
    ['another proof', { requireProof: 'mtls' }, 400],
    [
      'a demand for proofs on tokens that are credentials themselves',
      { appliesTo: 'admin', requireProof: 'dpop' },
      422,
    ],
    [
      'a demand for co-signatures where there is no key to make them',
      { appliesTo: 'admin', requireCoSignature: 'body' },
      422,
    ],
  ])('with %s is refused', async (_what, body, status) => {
    expect((await create(body)).status).toBe(status);
  });

  it('of admins is not changed into one with demands that nothing enforces: 422', async () => {
    const { id } = await ok(create({ appliesTo: 'admin', subjectAllowlist: ['alice'] }));
    for (const body of [{ requireProof: 'dpop' }, { requireCoSignature: 'request' }])
      expect((await api.world.platform.patch(`${PATH}/${String(id)}`, body)).status).toBe(422);
    expect(
      (
        await api.world.platform.patch(`${PATH}/${String(id)}`, {
          requireProof: 'none',
          subjectAllowlist: ['bob'],
        })
      ).status,
    ).toBe(200);
  });

  it('vouches for nobody of the system org, whose agents are the platform’s operators: 422', async () => {
    const { ownerId } = await ok(api.world.platform.get('/v1/auth/me'));
    const { orgId } = await ok(api.world.platform.get(`/v1/agents/${String(ownerId)}`));
    const { status, body } = await create({
      orgId,
      appliesTo: 'admin',
      subjectAllowlist: ['alice'],
    });
    expect([status, body['errors']]).toEqual([422, [expect.objectContaining({ path: '/orgId' })]]);
  });

  it('has its list of subjects bound by the chain, whose entries are told apart by the names on it', async () => {
    const { id } = await ok(create({ subjectAllowlist: ['first'] }));
    await ok(api.world.platform.patch(`${PATH}/${String(id)}`, { subjectAllowlist: ['other'] }));
    const hashOf = (names: readonly string[]): string =>
      createHash('sha256').update(JSON.stringify(names)).digest('hex');
    expect([
      told(hashOf(['first']), 'ISSUER_CREATED', 'issuer.created').entries,
      told(hashOf(['other']), 'ISSUER_UPDATED', 'issuer.updated').entries,
    ]).toEqual([1, 1]);
  });

  it('is refused if its keys are at a private address that the operator does not allow: 422', async () => {
    const name = 'https://login.example';
    const at = 'https://10.0.0.1/realm';
    const { id } = await ok(create({ jwksUri: 'https://keys.example/' }));
    // What is fetched is judged: with a jwksUri the URL of the issuer is a name alone.
    const { id: named } = await ok(create({ issuerUrl: at, jwksUri: 'https://keys.example/' }));
    const change = (issuerId: unknown, jwksUri: string | null) =>
      api.world.platform.patch(`${PATH}/${String(issuerId)}`, { jwksUri });
    const refused: readonly [Answer, string][] = [
      [await create({ issuerUrl: name, jwksUri: at }), '/jwksUri'],
      [await create({ issuerUrl: 'https://[fd00::1]/realm' }), '/issuerUrl'],
      [await change(id, at), '/jwksUri'],
      [await change(named, null), '/issuerUrl'],
    ];
    for (const [{ status, body }, path] of refused) {
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ path }] });
      expect(body['suggestion']).toContain('EGRESS_ALLOW_CIDRS_JWKS');
    }
    await ok(change(id, 'https://127.0.0.1:4433/keys'));
  });

  it('is the platform’s business alone', async () => {
    const { id } = await ok(create());
    for (const client of [api.world.admin, api.world.principal.client]) {
      for (const [method, path] of [
        ['GET', PATH],
        ['GET', `${PATH}/${String(id)}`],
        ['DELETE', `${PATH}/${String(id)}`],
        ['POST', `${PATH}/${String(id)}/revoke-certs`],
      ] as const) {
        const { status, body } = await client.call(method, path);
        expect([status, body['detail']]).toEqual([403, expect.stringContaining('platform')]);
      }
    }
  });

  it('is forgotten only as long as it never gave a certificate', async () => {
    const { id } = await ok(create());
    expect(await ok(api.world.platform.call('DELETE', `${PATH}/${String(id)}`))).toMatchObject({
      id,
      deleted: true,
    });
    expect((await api.world.platform.get(`${PATH}/${String(id)}`)).status).toBe(404);
    expect((await api.world.platform.call('DELETE', `${PATH}/${String(id)}`)).status).toBe(404);
    expect(told(id, 'ISSUER_DELETED', 'issuer.deleted')).toEqual({ entries: 1, events: 1 });
  });

  it('of the platform gives no certificate of an operator’s agent: those hold platform keys alone', async () => {
    const oidc = await startOidc();
    await ok(create({ orgId: null, issuerUrl: oidc.issuer, expectedAudience: AUDIENCE }));
    const { ownerId } = await ok(api.world.platform.get('/v1/auth/me'));
    const exchange = async (agentId: unknown) =>
      api.world.anonymous.post(
        '/v1/auth/oidc/cert',
        exchangeOf(await oidc.forge({ agent_id: agentId })),
      );
    const { status, body } = await exchange(ownerId);
    expect([status, body['reason']]).toEqual([401, 'agent_unknown']);
    expect((await exchange(api.world.principal.id)).status).toBe(201);
    await oidc.close();
  });

  describe('that is changed while a token of it is being judged', () => {
    let oidc: Oidc;
    let gate: TlsServer;
    let opened: () => void = () => undefined;
    beforeAll(async () => {
      oidc = await startOidc();
      gate = await serveTls(
        (_incoming, outgoing) =>
          void (opened = () =>
            outgoing.writeHead(200).end(JSON.stringify({ keys: [oidc.publicJwk] }))),
      );
    });
    afterAll(() => Promise.all([oidc.close(), gate.close()]));

    it.each<[string, 'agent' | 'admin', Body, string]>([
      [
        'an exchange',
        'agent',
        { subjectAllowlist: ['somebody-else'] },
        '401 subject_not_allowlisted',
      ],
      ['an exchange', 'agent', { enabled: false }, '401 issuer_disabled'],
      [
        'an administrator',
        'admin',
        { subjectAllowlist: ['somebody-else'] },
        '401 subject_not_allowlisted',
      ],
      ['an administrator', 'admin', { enabled: false }, '401 issuer_disabled'],
    ])('%s (%s) goes by what it says then: %o', async (_what, appliesTo, change, expected) => {
      const audience = `gated-${Math.random()}`;
      const { id } = await ok(
        create({
          issuerUrl: oidc.issuer,
          jwksUri: `${gate.url}/${audience}`,
          expectedAudience: audience,
          appliesTo,
          subjectAllowlist: ['workload'],
        }),
      );
      const token = await oidc.forge({
        aud: audience,
        agent_id: api.world.principal.id,
        role: 'admin',
      });
      const before = gate.asked.length;
      const answer =
        appliesTo === 'agent'
          ? api.world.anonymous.post('/v1/auth/oidc/cert', exchangeOf(token))
          : new Client(api.world.url, token).get('/v1/auth/me');
      while (gate.asked.length === before) await sleep(5);
      await ok(api.world.platform.patch(`${PATH}/${String(id)}`, change));
      opened();
      const { status, body } = await answer;
      expect(`${status} ${String(body['reason'])}`).toBe(expected);
    });
  });

  describe('that gave a certificate', () => {
    let oidc: Oidc;
    beforeAll(async () => void (oidc = await startOidc()));
    afterAll(() => oidc.close());

    it('stays: 409 ROW_HAS_DEPENDENT_RECORDS', async () => {
      const { id } = await ok(
        create({
          issuerUrl: oidc.issuer,
          expectedAudience: AUDIENCE,
          jwksUri: `${oidc.issuer}/jwks`,
        }),
      );
      await ok(
        api.world.anonymous.post(
          '/v1/auth/oidc/cert',
          exchangeOf(await oidc.token({ agent_id: api.world.principal.id })),
        ),
      );
      expect(oidc.asked.some((path) => path.includes('openid-configuration'))).toBe(false);
      const { status, body } = await api.world.platform.call('DELETE', `${PATH}/${String(id)}`);
      expect([status, body['error'], body['reason']]).toEqual([
        409,
        'ROW_HAS_DEPENDENT_RECORDS',
        'ROW_HAS_DEPENDENT_RECORDS',
      ]);
    });

    it('lets nobody in once its row is edited behind the service', async () => {
      const exchange = async () =>
        api.world.anonymous.post(
          '/v1/auth/oidc/cert',
          exchangeOf(await oidc.token({ agent_id: api.world.principal.id })),
        );
      await ok(exchange());
      const database = new DatabaseSync(
        api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', ''),
        { timeout: 5_000 },
      );
      database
        .prepare('UPDATE trusted_issuers SET org_id = NULL WHERE issuer_url = ?')
        .run(oidc.issuer);
      database.close();
      // For less than a second the service remembers the row as it was; a certificate would live on for ten minutes.
      expect((await exchange()).status).not.toBe(201);
      await sleep(1000);
      const { status, body } = await exchange();
      expect([status, body['reason']]).toEqual([401, 'unknown_issuer']);
    });
  });
});
