import { sign } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { bodyHeaders, sha256, useCoSigners, type Holder } from '../support/clients/co-signing.ts';
import { certKey, OIDC_ENV } from '../support/peers/oidc.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import { chainOf, Client, GOAL, ok, type Answer, type Body } from '../support/service/world.ts';

const api = useApi(OIDC_ENV);
const signers = useCoSigners(api, 'records:write records:read audit:read completions:write');
const { holder } = signers;
const requestHeaders = (...asked: Parameters<typeof signers.requestHeaders>) =>
  signers.requestHeaders(...asked);

const refusal = ({ status, body }: Answer<Body>): string => `${status} ${String(body['reason'])}`;

const NOTE = JSON.stringify({ type: 'note', criteria: { text: 'ü' } });

describe('a co-signature over the body', () => {
  it('is sealed with everything that it takes to check it again', async () => {
    const agent = await holder();
    const { id } = await ok(
      agent.client.call('POST', '/v1/records', NOTE, bodyHeaders(agent, NOTE)),
    );
    const [entry] = await chainOf(agent.client, id);
    const { coSignature, actor } = entry!['statement'].predicate;
    expect(coSignature).toEqual({
      coverage: 'body',
      certId: agent.certId,
      publicKey: agent.key.publicKeyJwk['x'],
      method: 'POST',
      path: '/v1/records',
      contentHash: sha256(NOTE).toString('hex'),
      signature: expect.any(String),
    });
    expect(actor.certId).toBe(agent.certId);
  });

  it('stands on the entry that a call writes, and on none of the service', async () => {
    const agent = await holder();
    const { id } = await ok(
      agent.client.post('/v1/records', { type: 'job', criteria: GOAL, autoActivate: true }),
    );
    const body = JSON.stringify({ reason: 'over' });
    await ok(agent.client.call('POST', `/v1/records/${id}/cancel`, body, bodyHeaders(agent, body)));
    const chain = await chainOf(agent.client, id);
    expect(
      chain.map((entry) => [
        entry['entryType'],
        entry['statement'].predicate.coSignature !== undefined,
      ]),
    ).toEqual([
      ['RECORD_CREATED', false],
      ['RECORD_CANCELLED', true],
      ['SIGNAL_EMITTED', false],
    ]);
  });

  it.each<[string, (agent: Holder) => Record<string, string>]>([
    ['of another body', (agent) => bodyHeaders(agent, `${NOTE} `)],
    ['of another key', () => ({ ...bodyHeaders({ key: certKey() }, NOTE) })],
    [
      'without the hash',
      (agent) => ({ 'x-agent-signature': bodyHeaders(agent, NOTE)['x-agent-signature']! }),
    ],
    [
      'without the signature',
      (agent) => ({
        'x-agent-signature-content-hash': bodyHeaders(agent, NOTE)[
          'x-agent-signature-content-hash'
        ]!,
      }),
    ],
    [
      'with the hash in capitals',
      (agent) => ({
        ...bodyHeaders(agent, NOTE),
        'x-agent-signature-content-hash': sha256(NOTE).toString('hex').toUpperCase(),
      }),
    ],
    [
      'that is not base64',
      (agent) => ({ ...bodyHeaders(agent, NOTE), 'x-agent-signature': '*'.repeat(88) }),
    ],
    [
      'over the hash in hex',
      (agent) => ({
        ...bodyHeaders(agent, NOTE),
        'x-agent-signature': sign(
          null,
          Buffer.from(sha256(NOTE).toString('hex')),
          agent.key.privateKey,
        ).toString('base64'),
      }),
    ],
  ])('%s is 401, and nothing is written', async (_what, headers) => {
    const agent = await holder();
    expect(refusal(await agent.client.call('POST', '/v1/records', NOTE, headers(agent)))).toBe(
      '401 co_signature_invalid',
    );
  });

  it('is over the body that was sent, also where the route takes none', async () => {
    const agent = await holder(api.world.principal.id, certKey(), 'agents:write');
    const path = `/v1/agents/${api.world.principal.id}/signing-keys/${'0'.repeat(64)}`;
    const call = async (sent: string | undefined, signed: string) =>
      refusal(await agent.client.call('DELETE', path, sent, bodyHeaders(agent, signed)));
    expect(await call('{"a":1}', '')).toBe('401 co_signature_invalid');
    expect(await call('{"a":1}', '{"a":1}')).toBe('404 undefined');
    expect(await call(undefined, '')).toBe('404 undefined');
  });

  it('with an API key is 401: it is bound to no key', async () => {
    const agent = await holder();
    expect(
      refusal(
        await api.world.principal.client.call(
          'POST',
          '/v1/records',
          NOTE,
          bodyHeaders(agent, NOTE),
        ),
      ),
    ).toBe('401 co_signature_invalid');
  });
});

describe('a co-signature over the request', () => {
  it('is sealed whole, and verified again offline', async () => {
    const agent = await holder();
    const { id } = await ok(
      agent.client.call(
        'POST',
        '/v1/records',
        NOTE,
        await requestHeaders(agent, 'POST', '/v1/records', NOTE),
      ),
    );
    const document = await ok(agent.client.get(`/v1/records/${id}/audit-export`));
    const { coSignature } = document['chain'].entries[0].statement.predicate;
    expect(coSignature).toMatchObject({
      coverage: 'request',
      certId: agent.certId,
      method: 'POST',
      targetUri: `${api.world.url}/v1/records`,
      signatureInput: expect.stringContaining('tag="service-cosign"'),
    });
    const report = await verifyAuditExport(JSON.stringify(document), {
      trust: trustOf({ kind: 'none' }),
      trustEmbedded: true,
    });
    expect({ failures: report.failures, coSignatures: report.checks.coSignatures }).toEqual({
      failures: [],
      coSignatures: { result: 'passed', count: 1 },
    });
  });

  it('is taken once', async () => {
    const agent = await holder();
    const headers = await requestHeaders(agent, 'POST', '/v1/records', NOTE);
    const answers = await Promise.all(
      [1, 2, 3].map(() => agent.client.call('POST', '/v1/records', NOTE, headers)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  });

  it('is taken once by its key, not once by each certificate that the key is bound to', async () => {
    const key = certKey();
    const [first, second] = [
      await holder(api.world.principal.id, key),
      await holder(api.world.principal.id, key),
    ];
    const headers = await requestHeaders(first, 'POST', '/v1/records', NOTE);
    expect((await first.client.call('POST', '/v1/records', NOTE, headers)).status).toBe(201);
    expect(refusal(await second.client.call('POST', '/v1/records', NOTE, headers))).toBe(
      '401 co_signature_invalid',
    );
  });

  it.each<[string, (agent: Holder) => Promise<Record<string, string>>]>([
    ['of another method', (agent) => requestHeaders(agent, 'PUT', '/v1/records', NOTE)],
    ['of another path', (agent) => requestHeaders(agent, 'POST', '/v1/records/bulk', NOTE)],
    ['of another query', (agent) => requestHeaders(agent, 'POST', '/v1/records?x=1', NOTE)],
    ['of another body', (agent) => requestHeaders(agent, 'POST', '/v1/records', '{}')],
    [
      'made long ago',
      (agent) =>
        requestHeaders(agent, 'POST', '/v1/records', NOTE, {
          created: new Date(Date.now() - 241_000),
        }),
    ],
    [
      'that its maker let end',
      (agent) =>
        requestHeaders(agent, 'POST', '/v1/records', NOTE, {
          created: new Date(Date.now() - 20_000),
          expires: new Date(Date.now() - 10_000),
        }),
    ],
    [
      'made in the future',
      (agent) =>
        requestHeaders(agent, 'POST', '/v1/records', NOTE, {
          created: new Date(Date.now() + 90_000),
        }),
    ],
    [
      'with no tag',
      async (agent) => {
        const headers = await requestHeaders(agent, 'POST', '/v1/records', NOTE);
        const [input] = Object.keys(headers).filter((name) => /^signature-input$/i.test(name));
        return { ...headers, [input!]: headers[input!]!.replace(/;tag="[^"]*"/, '') };
      },
    ],
    [
      'twice, under two names',
      async (agent) => together(await requestHeaders(agent, 'POST', '/v1/records', NOTE), 'other'),
    ],
    [
      'whose label another one takes over',
      async (agent) =>
        beside(await requestHeaders(agent, 'POST', '/v1/records', NOTE), (own) => {
          const label = /^[^=]+/.exec(own)![0];
          return `${own}, ${label}=("@authority");created=1;tag="web-bot-auth"`;
        }),
    ],
    [
      'whose tag another one takes over',
      async (agent) =>
        beside(
          await requestHeaders(agent, 'POST', '/v1/records', NOTE),
          (own) => `${own};tag="web-bot-auth"`,
        ),
    ],
    [
      'in a field that is no dictionary',
      async (agent) => ({
        ...(await requestHeaders(agent, 'POST', '/v1/records', NOTE)),
        'signature-input': '("@method")',
      }),
    ],
    [
      'with a short nonce',
      (agent) => requestHeaders(agent, 'POST', '/v1/records', NOTE, { nonce: 'abc' }),
    ],
    [
      'that leaves out the body',
      (agent) =>
        requestHeaders(agent, 'POST', '/v1/records', NOTE, { fields: ['@method', '@target-uri'] }),
    ],
    [
      'without its signature',
      async (agent) => ({
        ...(await requestHeaders(agent, 'POST', '/v1/records', NOTE)),
        signature: '',
      }),
    ],
  ])('%s is 401', async (_what, headers) => {
    const agent = await holder();
    expect(
      refusal(await agent.client.call('POST', '/v1/records', NOTE, await headers(agent))),
    ).toBe('401 co_signature_invalid');
  });
});

/** The headers with another Signature-Input. */
const beside = (
  headers: Record<string, string>,
  edit: (own: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [
      key,
      /^signature-input$/i.test(key) ? edit(value) : value,
    ]),
  );

/** The headers with a second signature: the same one again, under this name. */
const together = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [
      key,
      /^signature/i.test(key) ? `${value}, ${value.replace(/^[^=]+/, name)}` : value,
    ]),
  );

describe('the signature of another party', () => {
  const sealedBlock = async (client: Holder['client'], id: unknown): Promise<unknown> => {
    const document = await ok(client.get(`/v1/records/${String(id)}/audit-export`));
    return document['chain'].entries[0].statement.predicate.coSignature;
  };
  // A signature of Web Bot Auth (draft-meunier-web-bot-auth-architecture) covers other components.
  const BOT_INPUT =
    'bot=("@authority" "signature-agent";key="a");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"';
  const BOT = { 'signature-input': BOT_INPUT, signature: 'bot=:AAAA:' };

  it('alone is not a co-signature, and the call is made without one', async () => {
    const agent = await holder();
    const { status, body } = await agent.client.call('POST', '/v1/records', NOTE, BOT);
    expect(status).toBe(201);
    expect(await sealedBlock(agent.client, body['id'])).toBeUndefined();
  });

  it.each(['before', 'behind'])('travels along %s the co-signature', async (where) => {
    const agent = await holder();
    const headers = await requestHeaders(agent, 'POST', '/v1/records', NOTE);
    const own = (name: string): string =>
      Object.entries(headers).find(([key]) => key.toLowerCase() === name)![1];
    const both = (['signature-input', 'signature'] as const).map((name) => {
      const members = [own(name), BOT[name]];
      return [name, (where === 'before' ? members.toReversed() : members).join(', ')] as const;
    });
    const sent = {
      ...Object.fromEntries(both),
      'content-digest': own('content-digest'),
    };
    const { status, body } = await agent.client.call('POST', '/v1/records', NOTE, sent);
    expect(status).toBe(201);
    expect(await sealedBlock(agent.client, body['id'])).toMatchObject({
      coverage: 'request',
      signatureInput: expect.stringContaining('tag="service-cosign"'),
    });
  });
});

describe('an issuer that demands co-signatures', () => {
  const demand = (requireCoSignature: string) =>
    ok(
      api.world.platform.patch(`/v1/admin/trusted-issuers/${signers.issuerId}`, {
        requireCoSignature,
      }),
    );
  afterAll(() => demand('none'));

  it('body: refuses what is not signed, and a body that names neither its record nor its completion', async () => {
    const agent = await holder();
    await demand('body');
    expect(refusal(await agent.client.call('POST', '/v1/records', NOTE))).toBe(
      '401 co_signature_required',
    );
    const open = JSON.stringify({ type: 'job', criteria: GOAL, autoActivate: true });
    const creation = await agent.client.call('POST', '/v1/records', open, bodyHeaders(agent, open));
    expectProblem(creation, 400, 'VALIDATION_ERROR', { reason: 'co_signature_unbound' });
    expect(creation.body['detail']).toContain('the body of a creation names no record yet');
    const { id } = await ok(signers.send(agent, 'POST', '/v1/records', open));
    const cancel = `/v1/records/${id}/cancel`;
    const unbound = JSON.stringify({ reason: 'over' });
    expectProblem(
      await agent.client.call('POST', cancel, unbound, bodyHeaders(agent, unbound)),
      400,
      'VALIDATION_ERROR',
      { reason: 'co_signature_unbound' },
    );
    // The same record in another spelling of its path, and a completion's id in a place where nobody looks for it.
    for (const path of [
      `/v1/records/%${id.charCodeAt(0).toString(16)}${String(id).slice(1)}/cancel`,
      `/v1/%72ecords/${id}/cancel`,
    ]) {
      const answer = refusal(
        await agent.client.call('POST', path, unbound, bodyHeaders(agent, unbound)),
      );
      expect({ path, answer }).toEqual({ path, answer: '400 co_signature_unbound' });
    }
    const hidden = JSON.stringify({ reason: 'over', extensions: { completionId: NOBODY } });
    expectProblem(
      await agent.client.call('POST', cancel, hidden, bodyHeaders(agent, hidden)),
      400,
      'VALIDATION_ERROR',
      { reason: 'co_signature_unbound' },
    );
    const bound = JSON.stringify({ reason: `record ${id} is over` });
    expect((await agent.client.call('POST', cancel, bound, bodyHeaders(agent, bound))).status).toBe(
      200,
    );
    for (const method of ['GET', 'HEAD'])
      expect([method, (await agent.client.call(method, `/v1/records/${id}`)).status]).toEqual([
        method,
        200,
      ]);
  });

  it('demands them still where its row is edited behind the service', async () => {
    const agent = await holder();
    await demand('request');
    const edit = (value: string): void => {
      const database = new DatabaseSync(
        api.service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', ''),
        { timeout: 5_000 },
      );
      database
        .prepare('UPDATE trusted_issuers SET require_co_signature = ? WHERE org_id IS NOT NULL')
        .run(value);
      database.close();
    };
    edit('none');
    const answer = await agent.client.call('POST', '/v1/records', NOTE);
    edit('request');
    expect(refusal(answer)).toBe('401 co_signature_required');
  });

  it('request: refuses a signature over the body alone', async () => {
    const agent = await holder();
    await demand('request');
    expect(
      refusal(await agent.client.call('POST', '/v1/records', NOTE, bodyHeaders(agent, NOTE))),
    ).toBe('401 co_signature_required');
    expect(
      (
        await agent.client.call(
          'POST',
          '/v1/records',
          NOTE,
          await requestHeaders(agent, 'POST', '/v1/records', NOTE),
        )
      ).status,
    ).toBe(201);
  });
});

describe('a subject token', () => {
  const asSubject = async (client: Client, claims: Body): Promise<Answer<Body>> =>
    client.call('POST', '/v1/records', NOTE, {
      'x-service-subject-token': await signers.oidc.forge({ sub: 'alice', ...claims }),
    });
  const performer = () => api.world.performer;

  it('proves for whom the agent acts, and through whom, outermost first; a claim of the caller gives way to it', async () => {
    const act = {
      sub: performer().id,
      act: { sub: 'gateway', iss: 'https://gateway.example', secret: 'no' },
    };
    const body = JSON.stringify({
      type: 'note',
      criteria: {},
      onBehalfOf: { subject: { iss: 'https://forged.example', sub: 'mallory' } },
    });
    const { id, onBehalfOf } = await ok(
      performer().client.call('POST', '/v1/records', body, {
        'x-service-subject-token': await signers.oidc.forge({ sub: 'alice', act }),
      }),
    );
    const sealed = {
      subject: { iss: signers.oidc.issuer, sub: 'alice' },
      validated: true,
      provenance: 'token_exchange',
      act: [
        { iss: signers.oidc.issuer, sub: performer().id },
        { iss: 'https://gateway.example', sub: 'gateway' },
      ],
    };
    expect(onBehalfOf).toEqual(sealed);
    expect((await chainOf(performer().client, id))[0]!['statement'].predicate.onBehalfOf).toEqual(
      sealed,
    );
  });

  it('is sealed with every act, not with a creation alone', async () => {
    const { id } = await ok(
      performer().client.post('/v1/records', { type: 'job', criteria: GOAL, autoActivate: true }),
    );
    await ok(
      performer().client.call('POST', `/v1/records/${id}/cancel`, undefined, {
        'x-service-subject-token': await signers.oidc.forge({
          sub: 'alice',
          act: { agent_id: performer().id, sub: 'svc' },
        }),
      }),
    );
    const chain = await chainOf(performer().client, id);
    expect(chain.map((entry) => entry['statement'].predicate.onBehalfOf?.subject.sub)).toEqual([
      undefined,
      'alice',
      undefined,
    ]);
  });

  it.each<[string, () => Body, string]>([
    ['without act', () => ({}), '400 malformed_token'],
    ['whose act is another agent', () => ({ act: { sub: NOBODY } }), '401 agent_unknown'],
    [
      'whose inner act alone is the agent',
      () => ({ act: { sub: NOBODY, act: { sub: performer().id } } }),
      '401 agent_unknown',
    ],
    [
      'whose act names the agent at another issuer',
      () => ({ act: { sub: performer().id, iss: 'https://elsewhere.example' } }),
      '401 agent_unknown',
    ],
    [
      'nine deep',
      () => ({
        act: Array.from({ length: 8 }).reduce<Body>(
          (inner) => ({ sub: performer().id, act: inner }),
          { sub: performer().id },
        ),
      }),
      '400 malformed_token',
    ],
    [
      'for another audience',
      () => ({ act: { sub: performer().id }, aud: 'https://elsewhere.example' }),
      '401 audience_mismatch',
    ],
    [
      'that has expired',
      () => ({ act: { sub: performer().id }, exp: Math.floor(Date.now() / 1000) - 120 }),
      '401 token_expired',
    ],
    [
      'of an issuer nobody knows',
      () => ({ act: { sub: performer().id }, iss: 'https://unknown.example' }),
      '401 unknown_issuer',
    ],
  ])('%s is refused', async (_what, claims, expected) => {
    expect(refusal(await asSubject(performer().client, claims()))).toBe(expected);
  });

  it('of an issuer that another org trusts is refused', async () => {
    const org = await ok(
      api.world.platform.post('/v1/admin/orgs', { name: 'Elsewhere', bootstrapAdmin: true }),
    );
    const admin = new Client(api.world.url, String(org['bootstrapKey'].apiKey));
    await ok(admin.post('/v1/schemas', { type: 'note', completionSchema: {} }));
    expect(
      refusal(await asSubject(admin, { act: { sub: String(org['bootstrapKey'].ownerId) } })),
    ).toBe('401 unknown_issuer');
  });
});
