import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { bodyHeaders, useCoSigners, type Holder } from '../support/clients/co-signing.ts';
import { certKey, OIDC_ENV } from '../support/peers/oidc.ts';
import { chainOf, GOAL, ok, type Answer, type Body } from '../support/service/world.ts';

const api = useApi(OIDC_ENV);
const signers = useCoSigners(api, 'records:write records:read audit:read completions:write');
const NOTE = JSON.stringify({ type: 'note', criteria: { text: 'ü' } });
const refusal = ({ status, body }: Answer<Body>): string => `${status} ${String(body['reason'])}`;
const holder = (): Promise<Holder> => signers.holder();

/** The block that the first entry of a record seals. */
const sealedOf = async (agent: Holder, id: unknown): Promise<Body> =>
  (await chainOf(agent.client, id))[0]!['statement'].predicate.coSignature;

describe('the alg parameter of a signature over the request (RFC 9421 section 2.3)', () => {
  it('that fits the key is taken', async () => {
    const agent = await holder();
    const { id } = await ok(signers.send(agent, 'POST', '/v1/records', NOTE, { alg: 'ed25519' }));
    expect((await sealedOf(agent, id))['signatureInput']).toContain('alg="ed25519"');
  });

  it.each(['hmac-sha256', 'ecdsa-p256-sha256', 'rsa-pss-sha512', 'ED25519', ''])(
    'that does not is 401: %j',
    async (alg) => {
      const agent = await holder();
      const headers = await signers.requestHeaders(agent, 'POST', '/v1/records', NOTE, {
        alg: alg === '' ? 'ed25519' : alg,
      });
      if (alg === '')
        headers['signature-input'] = headers['signature-input']!.replace('"ed25519"', '""');
      const answer = await agent.client.call('POST', '/v1/records', NOTE, headers);
      expect(refusal(answer)).toBe('401 co_signature_invalid');
      expect(answer.body['detail']).toContain('alg parameter');
    },
  );
});

describe('both forms in one request', () => {
  const both = async (agent: Holder, body: Record<string, string>): Promise<Answer<Body>> =>
    agent.client.call('POST', '/v1/records', NOTE, {
      ...(await signers.requestHeaders(agent, 'POST', '/v1/records', NOTE)),
      ...body,
    });

  it('are verified, and the one over the request is sealed', async () => {
    const agent = await holder();
    const { id } = await ok(both(agent, bodyHeaders(agent, NOTE)));
    expect(await sealedOf(agent, id)).toMatchObject({ coverage: 'request' });
  });

  it.each<[string, (agent: Holder) => Record<string, string>]>([
    ['of another key', () => bodyHeaders({ key: certKey() }, NOTE)],
    ['of another body', (agent) => bodyHeaders(agent, `${NOTE} `)],
    [
      'without its hash',
      (agent) => ({ 'x-agent-signature': bodyHeaders(agent, NOTE)['x-agent-signature']! }),
    ],
  ])(
    'a wrong X-Agent-Signature beside a right one over the request is 401: %s',
    async (_, wrong) => {
      const agent = await holder();
      expect(refusal(await both(agent, wrong(agent)))).toBe('401 co_signature_invalid');
    },
  );

  it('a refusal of the one spends no nonce of the other', async () => {
    const agent = await holder();
    const headers = await signers.requestHeaders(agent, 'POST', '/v1/records', NOTE);
    const wrong = { ...headers, ...bodyHeaders({ key: certKey() }, NOTE) };
    expect((await agent.client.call('POST', '/v1/records', NOTE, wrong)).status).toBe(401);
    expect((await agent.client.call('POST', '/v1/records', NOTE, headers)).status).toBe(201);
  });
});

describe('a nonce', () => {
  it('is taken once on the hub: another agent cannot seal it under a key of its own', async () => {
    const [first, second] = [await holder(), await signers.holder(api.world.performer.id)];
    const nonce = crypto.randomUUID();
    await ok(signers.send(first, 'POST', '/v1/records', NOTE, { nonce }));
    const answer = await signers.send(second, 'POST', '/v1/records', NOTE, { nonce });
    expect(refusal(answer)).toBe('401 co_signature_invalid');
  });
});

describe('the path of a co-signed request', () => {
  const upper = (id: unknown): string => String(id).toUpperCase();
  const openJob = async (agent: Holder): Promise<string> => {
    const body = JSON.stringify({ type: 'job', criteria: GOAL, autoActivate: true });
    return String((await ok(signers.send(agent, 'POST', '/v1/records', body)))['id']);
  };

  it('is sealed in one spelling, ids in lower case, where the body alone is signed', async () => {
    const agent = await holder();
    const id = await openJob(agent);
    const body = JSON.stringify({ reason: 'over' });
    await ok(
      agent.client.call(
        'POST',
        `/v1/%72ecords/${upper(id)}/cancel`,
        body,
        bodyHeaders(agent, body),
      ),
    );
    const [, cancelled] = await chainOf(agent.client, id);
    expect(cancelled!['statement'].predicate.coSignature.path).toBe(`/v1/records/${id}/cancel`);
  });

  it('in another spelling is 401 under a signature over the request, and the refusal shows the right one', async () => {
    const agent = await holder();
    const id = await openJob(agent);
    for (const path of [`/v1/records/${upper(id)}/cancel`, `/v1/%72ecords/${id}/cancel`]) {
      const answer = await signers.send(agent, 'POST', path, '{}');
      expect(refusal(answer)).toBe('401 co_signature_invalid');
      if (!path.includes('%')) expect(answer.body['detail']).toContain(`/v1/records/${id}/cancel`);
    }
    await ok(signers.send(agent, 'POST', `/v1/records/${id}/cancel`, '{}'));
    const [, cancelled] = await chainOf(agent.client, id);
    expect(cancelled!['statement'].predicate.coSignature.targetUri).toBe(
      `${api.world.url}/v1/records/${id}/cancel`,
    );
  });
});

describe('an issuer that demands request', () => {
  const demand = (requireCoSignature: string) =>
    ok(
      api.world.platform.patch(`/v1/admin/trusted-issuers/${signers.issuerId}`, {
        requireCoSignature,
      }),
    );
  afterAll(() => demand('none'));

  it('demands it of reads as of writes, and of every item of a bulk; a read seals nothing', async () => {
    const agent = await holder();
    const { id } = await ok(signers.send(agent, 'POST', '/v1/records', NOTE));
    const before = await chainOf(agent.client, id);
    await demand('request');
    const path = `/v1/records/${String(id)}`;
    for (const method of ['GET', 'HEAD'])
      expect((await agent.client.call(method, path)).status).toBe(401);
    expect(refusal(await agent.client.get(path))).toBe('401 co_signature_required');
    expect(refusal(await agent.client.get('/lifecycle'))).toBe('401 co_signature_required');
    const bulk = JSON.stringify([JSON.parse(NOTE)]);
    const unsigned = await agent.client.call(
      'POST',
      '/v1/records/bulk',
      bulk,
      bodyHeaders(agent, bulk),
    );
    expect(refusal(unsigned)).toBe('401 co_signature_required');
    expect((await signers.send(agent, 'GET', path)).body['id']).toBe(id);
    const nonce = crypto.randomUUID();
    expect((await signers.send(agent, 'GET', path, undefined, { nonce })).status).toBe(200);
    expect((await signers.send(agent, 'GET', path, undefined, { nonce })).status).toBe(401);
    await demand('none');
    expect(await chainOf(agent.client, id)).toEqual(before);
  });

  it('body: refuses a bulk, whose body names no record', async () => {
    const agent = await holder();
    await demand('body');
    const bulk = JSON.stringify([JSON.parse(NOTE)]);
    const answer = await agent.client.call(
      'POST',
      '/v1/records/bulk',
      bulk,
      bodyHeaders(agent, bulk),
    );
    expect(refusal(answer)).toBe('400 co_signature_unbound');
    expect((await signers.send(agent, 'POST', '/v1/records/bulk', bulk)).status).toBe(207);
  });
});
