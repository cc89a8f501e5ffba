import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  certificateFor,
  NotaryClient,
  verifyWebhook,
  type IssuedCertificate,
} from '../../adapters/client/client.ts';
import { verify } from '../../adapters/client/verify.ts';
import { useApi } from '../support/service/api.ts';
import { useCoSigners } from '../support/clients/co-signing.ts';
import { FlakyService } from '../support/peers/flaky-service.ts';
import { OIDC_ENV, tlsFiles } from '../support/peers/oidc.ts';
import { Receiver, until } from '../support/peers/receiver.ts';
import { GOAL, ok } from '../support/service/world.ts';

const api = useApi({ ...OIDC_ENV, EGRESS_ALLOW_CIDRS_WEBHOOK: '127.0.0.0/8,::1/128' });
const SCOPE = 'records:write records:read audit:read completions:write';
const signers = useCoSigners(api, SCOPE);

const certificate = async (agentId = api.world.principal.id): Promise<IssuedCertificate> =>
  certificateFor(
    new NotaryClient({ url: api.world.url }),
    await signers.oidc.forge({ agent_id: agentId, scope: SCOPE }),
  );

describe('a client with a certificate', () => {
  let agent: NotaryClient;
  let issued: IssuedCertificate;
  beforeAll(async () => {
    issued = await certificate();
    agent = new NotaryClient({ url: api.world.url, credential: issued });
    await ok(
      api.world.platform.patch(`/v1/admin/trusted-issuers/${signers.issuerId}`, {
        requireCoSignature: 'request',
      }),
    );
  });

  it('exchanges a token for it, with a key that nobody can take out', async () => {
    expect(issued.agentId).toBe(api.world.principal.id);
    expect(Date.parse(issued.expiresAt)).toBeGreaterThan(Date.now());
    expect(issued.key.extractable).toBe(false);
    await expect(certificateFor(new NotaryClient({ url: api.world.url }), 'x.y.z')).rejects.toThrow(
      /no JWT/,
    );
  });

  it('co-signs what it writes and what it reads, and the signatures verify offline', async () => {
    const { id } = await agent.records.create({ type: 'job', criteria: GOAL, autoActivate: true });
    await agent.records.complete(id, { evidence: { score: 9, log: 'ü' } });
    expect((await agent.records.list({ type: 'job', q: "it's (ü) & more" }).first()).data).toEqual(
      [],
    );
    const file = await agent.export(id, { evidence: true });
    const document = JSON.parse(new TextDecoder().decode(file)) as {
      chain: { entries: { statement: { predicate: { coSignature?: object } } }[] };
    };
    for (const { statement } of document.chain.entries)
      expect(statement.predicate.coSignature).toMatchObject({
        coverage: 'request',
        certId: issued.id,
        method: 'POST',
      });
    const report = await verify(file, { fingerprint: api.fingerprint });
    expect([report.verdict, report.checks.coSignatures]).toEqual([
      'valid',
      { result: 'passed', count: document.chain.entries.length },
    ]);
    const other = await certificate();
    const stolen = new NotaryClient({
      url: api.world.url,
      credential: { certificate: issued.certificate, key: other.key },
    });
    await expect(stolen.whoami()).rejects.toMatchObject({ status: 401 });
    const bare = new NotaryClient({ url: api.world.url, credential: issued.certificate });
    await expect(bare.whoami()).rejects.toMatchObject({ status: 401 });
  });

  it('signs each attempt anew, for a nonce is good once', async () => {
    const network = await FlakyService.open();
    network.behave = (response) => response.destroy();
    const away = new NotaryClient({
      url: network.url,
      credential: issued,
      retry: { attempts: 3, baseMs: 1 },
    });
    await expect(away.notarize({ type: 'note', criteria: {} })).rejects.toThrow(/no answer/);
    const nonces = network.seen.map(
      ({ headers }) => /nonce="([0-9a-f]{32})"/.exec(String(headers['signature-input']))![1],
    );
    expect(new Set(nonces).size).toBe(3);
    expect(new Set(network.seen.map(({ headers }) => headers['content-digest'])).size).toBe(1);
    await network.stop();
  });
});

describe('a webhook of the service', () => {
  const open: Receiver[] = [];
  afterAll(() => Promise.all(open.map((one) => one.stop())));

  it.each(['hmac', 'ed25519'] as const)(
    'of the scheme %s is taken, and nothing else',
    async (signingAlg) => {
      const receiver = await Receiver.open({
        key: String(tlsFiles.key),
        cert: String(tlsFiles.cert),
      });
      open.push(receiver);
      const admin = new NotaryClient({ url: api.world.url, credential: api.world.admin.key });
      const audience = `${receiver.url}/hook`;
      const hook = await admin.webhooks.create({
        url: audience,
        eventTypes: ['record.recorded'],
        signingAlg,
      });
      const agent = new NotaryClient({
        url: api.world.url,
        credential: api.world.principal.client.key,
      });
      const { id } = await agent.notarize({ type: 'note', criteria: {} });
      await until(() => receiver.received.length > 0);
      const [{ headers, raw }] = receiver.received as [(typeof receiver.received)[0]];
      const trust = signingAlg === 'hmac' ? String(hook.secret) : await admin.verificationKeys();
      const event = await verifyWebhook(headers, raw, trust, { audience });
      expect(event).toMatchObject({ type: 'record.recorded', recordId: id, eventSequence: 1 });
      const changed = raw.replace(id, api.world.orgId);
      await expect(verifyWebhook(headers, changed, trust)).rejects.toMatchObject({
        reason: 'signature_invalid',
      });
      const elsewhere = { audience: 'https://other.example/' };
      await expect(verifyWebhook(headers, raw, trust, elsewhere)).rejects.toMatchObject({
        reason: 'not_for_us',
      });
      await admin.webhooks.delete(hook.id);
    },
  );
});
