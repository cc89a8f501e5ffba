import { verify } from 'node:crypto';
import {
  decodeProtectedHeader,
  importSPKI,
  jwtVerify,
  SignJWT,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
} from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { AuthenticateBearer } from '../../application/identity/authenticate-bearer.ts';
import { AuthenticateCert } from '../../application/identity/authenticate-cert.ts';
import { ExchangeToken } from '../../application/identity/exchange-token.ts';
import { TakeDump } from '../../application/vault/take-dump.ts';
import { openService } from '../../config/service.ts';
import { chainKindOf, PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { readPlatform } from '../../domain/verification/dump/read-platform.ts';
import { PlatformRegistry } from '../../domain/verification/dump/registry/platform-registry.ts';
import { RegistryCheck } from '../../domain/verification/dump/registry/registry-check.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { createHash } from 'node:crypto';
import { deactivate, publishedBy } from '../support/clients/agent-keys.ts';
import { dumpCollector, rowsOf, sourceOf } from '../support/attackers/dump-files.ts';
import { useApi } from '../support/service/api.ts';
import {
  AUDIENCE,
  certKey,
  exchangeOf,
  OIDC_ENV,
  startOidc,
  type Oidc,
} from '../support/peers/oidc.ts';
import {
  addAgent,
  Client,
  createWorld,
  ok,
  sleep,
  type Answer,
  type Body,
} from '../support/service/world.ts';

const api = useApi(OIDC_ENV);
let oidc: Oidc;
let issuerId: string;

const EXCHANGE = '/v1/auth/oidc/cert';
const exchange = (body: Body) => api.world.anonymous.post(EXCHANGE, body);
const mine = (): Body => ({ agent_id: api.world.principal.id });

const refusal = ({ status, body }: Answer<Body>): string =>
  `${status} ${String(body['reason'] ?? body['code'])}`;
const patchIssuer = (changes: Body) =>
  ok(api.world.platform.patch(`/v1/admin/trusted-issuers/${issuerId}`, changes));
const now = (): number => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  oidc = await startOidc();
  issuerId = String(
    (
      await ok(
        api.world.platform.post('/v1/admin/trusted-issuers', {
          orgId: api.world.orgId,
          issuerUrl: oidc.issuer,
          expectedAudience: AUDIENCE,
        }),
      )
    )['id'],
  );
});
afterAll(() => oidc.close());

describe('a token of a real provider', () => {
  it('becomes a certificate with exactly the scopes it asserts, and the certificate opens the service', async () => {
    const key = certKey();
    const answer = await exchange(exchangeOf(await oidc.token(mine()), key));
    expect(answer.body).toMatchObject({
      cert: {
        orgId: api.world.orgId,
        agentId: api.world.principal.id,
        oidcIss: oidc.issuer,
        oidcSub: 'workload',
        publicKeyThumbprint: key.thumbprint,
        scopes: ['records:write', 'audit:read'],
      },
      certJws: expect.any(String),
    });
    expect(answer.status).toBe(201);
    const { cert, certJws } = answer.body as { cert: Body; certJws: string };
    expect(
      Date.parse(cert['expiresAt'] as string) - Date.parse(cert['issuedAt'] as string),
    ).toBeLessThanOrEqual(600_000);
    const client = new Client(api.world.url, certJws);
    expect(await ok(client.get('/v1/auth/me'))).toMatchObject({
      authType: 'ephemeral_cert',
      role: 'agent',
      apiKeyId: null,
      ownerId: api.world.principal.id,
      ownerType: 'agent',
      orgId: api.world.orgId,
      scopes: ['records:write', 'audit:read'],
      cert: { id: cert['id'], thumbprint: key.thumbprint, expiresAt: cert['expiresAt'] },
      oidc: { iss: oidc.issuer, sub: 'workload' },
    });
    const record = await ok(client.post('/v1/records', { type: 'note', criteria: {} }));
    const [entry] = (await ok(client.get(`/v1/records/${String(record['id'])}/audit-export`)))[
      'chain'
    ].entries as Body[];
    expect(entry!['statement'].predicate.actor).toEqual({
      kind: 'agent',
      orgId: api.world.orgId,
      agentId: api.world.principal.id,
      certId: cert['id'],
      oidc: { iss: oidc.issuer, sub: 'workload' },
    });
    expect((await client.get('/v1/schemas')).status).toBe(403);
  });
});

it('an agent is named in either case', async () => {
  const agent_id = api.world.principal.id.toUpperCase();
  const { status, body } = await exchange(exchangeOf(await oidc.forge({ ...mine(), agent_id })));
  expect([status, (body['cert'] as Body)['agentId']]).toEqual([201, api.world.principal.id]);
});

it('a key that the provider rotates to is found at once', async () => {
  await oidc.rotate();
  expect((await exchange(exchangeOf(await oidc.token(mine())))).status).toBe(201);
});

describe('certJws', () => {
  it('is a JWS of the vault key that a JOSE library verifies with the published key', async () => {
    const key = certKey();
    const { cert, certJws } = await ok(exchange(exchangeOf(await oidc.forge(mine()), key)));
    const { data } = await ok(api.world.anonymous.get('/v1/verification-keys'));
    const header = decodeProtectedHeader(String(certJws));
    expect(header).toEqual({ typ: 'service-cert+jwt', alg: 'EdDSA', kid: data[0].keyId });
    const spki = `-----BEGIN PUBLIC KEY-----\n${String(data[0].publicKey)}\n-----END PUBLIC KEY-----`;
    const { payload } = await jwtVerify(String(certJws), await importSPKI(spki, 'EdDSA'), {
      issuer: api.world.url,
      audience: api.world.url,
      typ: 'service-cert+jwt',
    });
    expect(payload).toMatchObject({
      jti: cert.id,
      sub: api.world.principal.id,
      org: api.world.orgId,
      scope: 'records:write audit:read',
      cnf: { jkt: key.thumbprint },
      exp: Date.parse(cert.expiresAt) / 1000,
    });
  });

  it.each([
    [
      'another typ',
      (parts: string[]) => [b64({ ...json(parts[0]!), typ: 'jwt' }), parts[1], parts[2]],
    ],
    [
      'alg none and no signature',
      (parts: string[]) => [b64({ ...json(parts[0]!), alg: 'none' }), parts[1], ''],
    ],
    [
      'other scopes',
      (parts: string[]) => [
        parts[0],
        b64({ ...json(parts[1]!), scope: 'records:manage' }),
        parts[2],
      ],
    ],
    [
      'an unknown kid',
      (parts: string[]) => [
        b64({ ...json(parts[0]!), kid: '../../etc/passwd' }),
        parts[1],
        parts[2],
      ],
    ],
    ['a signature of zeros', (parts: string[]) => [parts[0], parts[1], 'A'.repeat(86)]],
  ])('with %s opens nothing', async (_what, change) => {
    const { certJws } = await ok(exchange(exchangeOf(await oidc.forge(mine()))));
    const { status, body, headers } = await new Client(
      api.world.url,
      change(String(certJws).split('.')).join('.'),
    ).get('/v1/auth/me');
    expect([status, body['code']]).toEqual([401, 'UNAUTHORIZED']);
    expect(headers.get('www-authenticate')).toContain('invalid_token');
  });

  it('opens nothing once it has expired', async () => {
    await patchIssuer({ maxCredentialTtlSeconds: 60 });
    const { cert, certJws } = await ok(exchange(exchangeOf(await oidc.forge(mine()))));
    await patchIssuer({ maxCredentialTtlSeconds: 600 });
    expect(Date.parse(cert.expiresAt) - Date.parse(cert.issuedAt)).toBe(60_000);
    const authenticate = api.service.container.get(AuthenticateCert) as unknown as {
      clock: { now: () => Date };
    };
    const real = authenticate.clock;
    authenticate.clock = { now: () => new Date(Date.parse(cert.expiresAt)) };
    expect((await new Client(api.world.url, String(certJws)).get('/v1/auth/me')).status).toBe(401);
    authenticate.clock = real;
    expect((await new Client(api.world.url, String(certJws)).get('/v1/auth/me')).status).toBe(200);
  });
});

describe('the lifetime of a certificate', () => {
  it('ends with the token where that ends first', async () => {
    const exp = now() + 120;
    const { cert } = await ok(exchange(exchangeOf(await oidc.forge({ ...mine(), exp }))));
    expect(cert.expiresAt).toBe(new Date(exp * 1000).toISOString());
  });

  it('a token with less than 60 s gives none, and is not used up by that', async () => {
    expect(
      refusal(await exchange(exchangeOf(await oidc.forge({ ...mine(), exp: now() + 55 })))),
    ).toBe('422 ttl_too_short');
    expect(
      refusal(await exchange(exchangeOf(await oidc.forge({ ...mine(), exp: now() - 30 })))),
    ).toBe('422 ttl_too_short');
  });
});

describe('a refused exchange says why:', () => {
  const cases: readonly (readonly [string, string, () => Promise<Body> | Body])[] = [
    ['400 malformed_token', 'a token that is none', () => exchangeOf('abc')],
    [
      '400 malformed_token',
      'without exp',
      async () => exchangeOf(await oidc.forge({ ...mine(), exp: undefined })),
    ],
    [
      '400 malformed_token',
      'without sub',
      async () => exchangeOf(await oidc.forge({ ...mine(), sub: undefined })),
    ],
    [
      '401 unknown_issuer',
      'an iss that nobody registered',
      async () => exchangeOf(await oidc.forge({ ...mine(), iss: 'https://elsewhere.example' })),
    ],
    [
      '401 unknown_issuer',
      'an iss with a slash at its end',
      async () => exchangeOf(await oidc.forge({ ...mine(), iss: `${oidc.issuer}/` })),
    ],
    [
      '401 audience_mismatch',
      'another aud',
      async () => exchangeOf(await oidc.forge({ ...mine(), aud: `${AUDIENCE}/` })),
    ],
    [
      '401 audience_mismatch',
      'no aud',
      async () => exchangeOf(await oidc.forge({ ...mine(), aud: undefined })),
    ],
    [
      '401 token_expired',
      'an exp beyond the skew',
      async () => exchangeOf(await oidc.forge({ ...mine(), exp: now() - 61 })),
    ],
    [
      '401 token_expired',
      'an nbf in the future',
      async () => exchangeOf(await oidc.forge({ ...mine(), nbf: now() + 90 })),
    ],
    [
      '401 token_expired',
      'an iat in the future',
      async () => exchangeOf(await oidc.forge({ ...mine(), iat: now() + 90 })),
    ],
    [
      '401 signature_invalid',
      'a kid that the provider does not have',
      async () => exchangeOf(await oidc.forge(mine(), { kid: 'another' })),
    ],
    ['401 agent_unknown', 'no agent', async () => exchangeOf(await oidc.forge({}))],
    [
      '401 agent_unknown',
      'an agent that does not exist',
      async () =>
        exchangeOf(await oidc.forge({ agent_id: '019c1f00-0000-7000-8000-0000000000ff' })),
    ],
    [
      '400 proof_invalid',
      'a proof for another subject',
      async () => exchangeOf(await oidc.forge(mine()), certKey(), 'another'),
    ],
    [
      '400 proof_invalid',
      'a proof by another key',
      async () => ({
        ...exchangeOf(await oidc.forge(mine())),
        publicKeyJwk: certKey().publicKeyJwk,
      }),
    ],
    [
      '400 proof_invalid',
      'a key of small order',
      async () => ({
        ...exchangeOf(await oidc.forge(mine())),
        publicKeyJwk: {
          kty: 'OKP',
          crv: 'Ed25519',
          x: Buffer.concat([Buffer.of(1), Buffer.alloc(31)]).toString('base64url'),
        },
      }),
    ],
    [
      '400 proof_invalid',
      'a private key',
      async () => ({
        ...exchangeOf(await oidc.forge(mine())),
        publicKeyJwk: { ...certKey().publicKeyJwk, d: 'x' },
      }),
    ],
    [
      '400 proof_invalid',
      'a key on another curve',
      async () => ({
        ...exchangeOf(await oidc.forge(mine())),
        publicKeyJwk: (await exportJWK((await generateKeyPair('ES256')).publicKey)) as Body,
      }),
    ],
    [
      '422 VALIDATION_ERROR',
      'no scopes',
      async () => exchangeOf(await oidc.forge({ ...mine(), scope: undefined })),
    ],
    [
      '422 VALIDATION_ERROR',
      'an unknown scope beside a known one',
      async () => exchangeOf(await oidc.forge({ ...mine(), scope: 'records:write openid' })),
    ],
    [
      '422 VALIDATION_ERROR',
      'a scope that no agent holds',
      async () => exchangeOf(await oidc.forge({ ...mine(), scope: ['admin:keys'] })),
    ],
  ];
  it.each(cases)('%s: %s', async (expected, _what, make) => {
    const answer = await exchange(await make());
    expect(refusal(answer)).toBe(expected);
    if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    if (expected.startsWith('422')) expect(answer.body['allowedValues']).toContain('records:write');
    expect(answer.body['suggestion']).toEqual(expect.any(String));
  });

  it('a proof by another key: with the thumbprint of the key that was sent, and the text to sign', async () => {
    const sent = certKey();
    const { body } = await exchange({
      ...exchangeOf(await oidc.forge(mine())),
      publicKeyJwk: sent.publicKeyJwk,
    });
    expect(body['detail']).toContain(`by publicKeyJwk, whose thumbprint is ${sent.thumbprint},`);
    expect(body['suggestion']).toBe(
      `Sign the UTF-8 bytes of ${JSON.stringify('service.oidc.cert.v1\nworkload')} with the private key.`,
    );
  });

  it('an agent of another org', async () => {
    const other = await createWorld(api.world.url, String(api.world.platform.key), 'Other');
    expect(
      refusal(await exchange(exchangeOf(await oidc.forge({ agent_id: other.principal.id })))),
    ).toBe('401 agent_unknown');
  });

  it('a disabled issuer; its certificates live on', async () => {
    const { certJws } = await ok(exchange(exchangeOf(await oidc.forge(mine()))));
    await patchIssuer({ enabled: false });
    expect(refusal(await exchange(exchangeOf(await oidc.forge(mine()))))).toBe(
      '401 issuer_disabled',
    );
    expect((await new Client(api.world.url, String(certJws)).get('/v1/auth/me')).status).toBe(200);
    await patchIssuer({ enabled: true });
  });

  it('a subject that is not in the list', async () => {
    await patchIssuer({ subjectAllowlist: ['somebody'] });
    expect(refusal(await exchange(exchangeOf(await oidc.forge(mine()))))).toBe(
      '401 subject_not_allowlisted',
    );
    await patchIssuer({ subjectAllowlist: ['somebody', 'workload'] });
    expect((await exchange(exchangeOf(await oidc.forge(mine())))).status).toBe(201);
    await patchIssuer({ subjectAllowlist: [] });
  });
});

describe('claims are found where the issuer says', () => {
  it('by the name of a claim or by a JSON Pointer, in a string or an array', async () => {
    await patchIssuer({
      claimMapping: {
        scopes: '/resource~1access/notary/roles',
        agent_id: 'https://acme.example/agent',
      },
    });
    const { cert } = await ok(
      exchange(
        exchangeOf(
          await oidc.forge({
            scope: 'openid',
            'resource/access': { notary: { roles: ['records:read', 'records:read'] } },
            'https://acme.example/agent': api.world.performer.id,
          }),
        ),
      ),
    );
    expect(cert).toMatchObject({ agentId: api.world.performer.id, scopes: ['records:read'] });
    await patchIssuer({ claimMapping: { scopes: 'scope', agent_id: 'agent_id' } });
  });
});

describe('a token is exchanged once', () => {
  it('also under another signature of the same token, and of several at once one succeeds', async () => {
    const token = await oidc.forge(mine());
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(exchangeOf(token))));
    expect(answers.map(refusal).sort()).toEqual([
      '201 undefined',
      ...Array<string>(4).fill('401 token_replayed'),
    ]);
    const jti = 'the-same';
    expect((await exchange(exchangeOf(await oidc.forge({ ...mine(), jti })))).status).toBe(201);
    expect(refusal(await exchange(exchangeOf(await oidc.forge({ ...mine(), jti }))))).toBe(
      '401 token_replayed',
    );
  });

  it('without a jti it is known by what is signed, so that the twin of its signature is no other token', async () => {
    const token = await oidc.forge({ ...mine(), jti: undefined });
    const [head, body, tail] = token.split('.') as [string, string, string];
    const signature = Buffer.from(tail, 'base64url');
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const twin = Buffer.concat([
      signature.subarray(0, 32),
      Buffer.from(
        (order - BigInt(`0x${signature.subarray(32).toString('hex')}`))
          .toString(16)
          .padStart(64, '0'),
        'hex',
      ),
    ]);
    expect((await exchange(exchangeOf(token))).status).toBe(201);
    expect(
      refusal(await exchange(exchangeOf(`${head}.${body}.${twin.toString('base64url')}`))),
    ).toBe('401 token_replayed');
  });

  it('on two nodes of one database', async () => {
    const { settings } = api.service;
    const other = await openService(
      { ...settings, PORT: 1 },
      new PinoLog('silent', { write: () => undefined }),
    );
    try {
      const nodes = [api.service.container.get(ExchangeToken), other.container.get(ExchangeToken)];
      for (let round = 0; round < 5; round++) {
        const token = await oidc.forge(mine());
        const results = await Promise.allSettled(
          nodes.map((node) =>
            node.execute(
              { requestId: 'r' },
              exchangeOf(token) as {
                oidcToken: string;
                publicKeyJwk: Body;
                proofOfPossession: string;
              },
            ),
          ),
        );
        expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
          reason: { members: { reason: 'token_replayed' } },
        });
      }
    } finally {
      await other.close();
    }
  });
});

describe('a public key', () => {
  it('belongs to one subject and agent for ever; the same holder uses it again', async () => {
    const key = certKey();
    expect((await exchange(exchangeOf(await oidc.forge(mine()), key))).status).toBe(201);
    expect((await exchange(exchangeOf(await oidc.forge(mine()), key))).status).toBe(201);
    expect(
      refusal(
        await exchange(exchangeOf(await oidc.forge({ agent_id: api.world.performer.id }), key)),
      ),
    ).toBe('400 proof_invalid');
    expect(
      refusal(
        await exchange(exchangeOf(await oidc.forge({ ...mine(), sub: 'other' }), key, 'other')),
      ),
    ).toBe('400 proof_invalid');
  });
});

describe('revocation', () => {
  const issued = async () => ok(exchange(exchangeOf(await oidc.forge(mine()))));

  it('of one certificate takes effect at once, and twice changes nothing', async () => {
    const [one, two] = [await issued(), await issued()];
    const client = new Client(api.world.url, String(one['certJws']));
    expect((await client.get('/v1/auth/me')).status).toBe(200);
    const path = `/v1/admin/ephemeral-certs/${String(one['cert'].id)}/revoke`;
    expect(await ok(api.world.platform.post(path, { reason: 'lost' }))).toMatchObject({
      ...one['cert'],
      wasRevoked: false,
      revokedAt: expect.any(String),
    });
    expect((await client.get('/v1/auth/me')).status).toBe(401);
    expect(await ok(api.world.platform.post(path))).toMatchObject({ wasRevoked: true });
    expect(
      (await new Client(api.world.url, String(two['certJws'])).get('/v1/auth/me')).status,
    ).toBe(200);
    expect((await api.world.admin.post(path)).status).toBe(403);
  });

  it('of all of an issuer counts the active ones, and is sealed with their ids', async () => {
    const [one, two] = [await issued(), await issued()];
    const path = `/v1/admin/trusted-issuers/${issuerId}/revoke-certs`;
    const { revoked } = await ok(api.world.platform.post(path));
    expect(revoked).toBeGreaterThanOrEqual(2);
    for (const { certJws } of [one, two])
      expect((await new Client(api.world.url, String(certJws)).get('/v1/auth/me')).status).toBe(
        401,
      );
    expect(await ok(api.world.platform.post(path))).toMatchObject({ revoked: 0 });
  });

  it('reaches another node within a second', async () => {
    const { cert, certJws } = await issued();
    const other = await openService(
      { ...api.service.settings, PORT: 1 },
      new PinoLog('silent', { write: () => undefined }),
    );
    try {
      const there = other.container.get(AuthenticateBearer);
      const bearer = { token: String(certJws), address: '127.0.0.1', requestId: 'test' };
      expect((await there.authenticate(bearer)).cert?.id).toBe(cert.id);
      await ok(api.world.platform.post(`/v1/admin/ephemeral-certs/${String(cert.id)}/revoke`));
      await sleep(1000);
      await expect(there.authenticate(bearer)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    } finally {
      await other.close();
    }
  });

  it('a deactivated agent gets no certificate, and those it has are refused with 403', async () => {
    const agent = await addAgent(api.world.admin, api.world.orgId, 'leaver');
    const { certJws } = await ok(exchange(exchangeOf(await oidc.forge({ agent_id: agent.id }))));
    await deactivate(api, agent.id);
    expect(refusal(await new Client(api.world.url, String(certJws)).get('/v1/auth/me'))).toBe(
      '403 ACCOUNT_DEACTIVATED',
    );
    expect(refusal(await exchange(exchangeOf(await oidc.forge({ agent_id: agent.id }))))).toBe(
      '403 ACCOUNT_DEACTIVATED',
    );
  });
});

describe('the platform chain', () => {
  it('holds the public key of every certificate, and tells it without the certificate', async () => {
    const key = certKey();
    const agent = await addAgent(api.world.admin, api.world.orgId, 'sealed');
    const { cert, certJws } = await ok(
      exchange(exchangeOf(await oidc.forge({ agent_id: agent.id }), key)),
    );
    const { entries, events } = publishedBy(api, agent.id, 'CERT_ISSUED', 'cert.issued');
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      certId: cert.id,
      issuerId,
      publicKeyJwk: key.publicKeyJwk,
      publicKeyThumbprint: key.thumbprint,
      scopes: cert.scopes,
      actor: {
        kind: 'agent',
        agentId: agent.id,
        certId: cert.id,
        oidc: { iss: oidc.issuer, sub: 'workload' },
      },
    });
    expect(events[0]).toMatchObject({
      certId: cert.id,
      actor: { kind: 'agent', agentId: agent.id },
    });
    expect(JSON.stringify([entries, events])).not.toContain(String(certJws).slice(-40));
    expect(
      verify(
        null,
        Buffer.from('service.oidc.cert.v1\nworkload'),
        { key: entries[0]!['publicKeyJwk'], format: 'jwk' },
        Buffer.from(key.proof('workload'), 'base64'),
      ),
    ).toBe(true);
  });
});

it('a token that is bound to a key takes a proof by that key, whatever the issuer demands', async () => {
  expect(
    refusal(
      await exchange(exchangeOf(await oidc.forge({ ...mine(), cnf: { jkt: 'x'.repeat(43) } }))),
    ),
  ).toBe('400 proof_invalid');
});

describe('an issuer that demands DPoP', () => {
  const bound = async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const token = await oidc.forge({ ...mine(), cnf: { jkt: await calculateJwkThumbprint(jwk) } });
    const proof = (claims: Body = {}, header: Body = {}): Promise<string> =>
      new SignJWT({
        jti: 'j',
        htm: 'POST',
        htu: `${api.world.url}${EXCHANGE}`,
        iat: now(),
        ath: createHash('sha256').update(token).digest('base64url'),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
        .sign(privateKey);
    return { token, proof };
  };

  it('takes a proof by the key that the token is bound to, and nothing else', async () => {
    await patchIssuer({ requireProof: 'dpop' });
    const { token, proof } = await bound();
    const send = (dpop?: string, text = token) =>
      api.world.anonymous.post(EXCHANGE, exchangeOf(text), dpop === undefined ? {} : { dpop });
    const other = await bound();
    const unbound = await oidc.forge(mine());
    for (const wrong of [
      undefined,
      'abc',
      await proof({ htm: 'GET' }),
      await proof({ htu: `${api.world.url}/v1/auth/me` }),
      await proof({ iat: now() - 90 }),
      await proof({ ath: 'x' }),
      await proof({ jti: undefined }),
      await proof({}, { typ: 'jwt' }),
      await other.proof(),
    ]) {
      expect(refusal(await send(wrong))).toBe('400 proof_invalid');
    }
    expect(
      refusal(
        await send(
          await proof({ ath: createHash('sha256').update(unbound).digest('base64url') }),
          unbound,
        ),
      ),
    ).toBe('400 proof_invalid');
    expect((await send(await proof())).status).toBe(201);
    await patchIssuer({ requireProof: 'none' });
  });
});

const json = (part: string): Body => JSON.parse(Buffer.from(part, 'base64url').toString()) as Body;
const b64 = (value: Body): string => Buffer.from(JSON.stringify(value)).toString('base64url');

it('a verifier of a dump knows each certificate that acted, as it was given out', async () => {
  const { write, texts } = dumpCollector();
  await api.service.container.get(TakeDump).execute({ withRound: true, write });
  const { registry } = await readPlatform(sourceOf(texts()));
  const acted: unknown[] = [];
  const checks = new Map<string, RegistryCheck>();
  for (const { chain_key: chainKey, cose_sign1: coseSign1 } of rowsOf(texts().audit_vault)) {
    const { predicate } = readEntry(Buffer.from(String(coseSign1), 'base64'))!;
    // As if the platform chain of the dump reached beyond every act.
    const check =
      checks.get(String(chainKey)) ??
      new RegistryCheck(PlatformRegistry.of(registry!), chainKindOf(String(chainKey)), () => true);
    checks.set(String(chainKey), check);
    const [fault = null] = check.faultsOf(predicate, 1);
    expect([predicate['actor'], fault]).toEqual([predicate['actor'], null]);
    const { certId } = predicate['actor'] as { readonly certId?: string };
    if (certId !== undefined && chainKey !== PLATFORM_CHAIN) acted.push(certId);
  }
  expect(acted.length).toBeGreaterThan(0);
  const trust = trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint });
  expect(await verifyDump(sourceOf(texts()), { trust })).toMatchObject({ verdict: 'valid' });
});
