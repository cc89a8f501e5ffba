import { beforeEach, describe, expect, it } from 'vitest';
import { encodeBase64, encodeBase64Url } from '../../domain/kernel/base64.ts';
import { hashJson, sha256 } from '../../domain/kernel/digest.ts';
import { coSignedBytes, type CoSignature } from '../../domain/identity/co-signature.ts';
import type { RecordStatePredicate } from '../../domain/record/record-statement.ts';
import { publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import type { VerificationReport } from '../../domain/verification/report.ts';
import { trustOf } from '../../domain/verification/trust.ts';
import { verifyAuditExport } from '../../domain/verification/verify-audit-export.ts';
import { TestHub, webCryptoSigner, type TestChain } from '../support/make-export.ts';
import { childId } from '../support/lying-operator.ts';

const CERT = '0190f000-0000-7000-8000-000000000001';
const CRITERIA = { action: 'invoice.approve', amount: '120.50', lines: [1, 2, 3] };
const EVIDENCE = { invoice: 'F-2026-118' };
const text = (value: unknown): string => JSON.stringify(value);

let hub: TestHub;
let agent: Signer;
beforeEach(async () => {
  hub = await TestHub.start();
  agent = await webCryptoSigner('Ed25519');
});

interface Asked {
  readonly path: string;
  readonly body: string;
  readonly at: string;
  readonly item?: number;
  readonly nonce?: string;
  readonly created?: number;
  readonly tag?: string;
  readonly origin?: string;
}

const rawKey = (signer: Signer): Uint8Array => publicKeyFromSpki(signer.publicKey).raw;

/** A request as an agent signs it, whole (RFC 9421). */
const coSign = async (asked: Asked, signer = agent): Promise<CoSignature & { item?: number }> => {
  const { path, body, at, item, tag = 'service-cosign', origin = 'http://127.0.0.1:3000' } = asked;
  const created = asked.created ?? Math.floor(Date.parse(at) / 1000) - 1;
  const nonce = asked.nonce ?? `nonce-${crypto.randomUUID()}`;
  const block = {
    coverage: 'request',
    certId: CERT,
    publicKey: encodeBase64Url(rawKey(signer)),
    method: 'POST',
    targetUri: `${origin}${path}`,
    contentDigest: `sha-256=:${encodeBase64(sha256(new TextEncoder().encode(body)))}:`,
    signatureInput: `("@method" "@target-uri" "content-digest");created=${created};nonce="${nonce}";tag="${tag}"`,
    signature: '',
  } as const;
  const bytes = coSignedBytes(block) ?? new Uint8Array(32);
  const signature = encodeBase64(await signer.sign(bytes));
  return { ...block, signature, ...(item === undefined ? {} : { item }) };
};

type Sign = typeof coSign;

interface Signed {
  readonly chain: TestChain;
  readonly requests: Map<number, string>;
}

const actor = (side: 'principal' | 'performer') => ({ ...hub.actor(side), certId: CERT });

/** Signs one entry whose block is over the request that is given, which may ask for something else. */
const append = async (
  { chain, requests }: Signed,
  entryType: Parameters<TestHub['append']>[1],
  transition: Parameters<TestHub['append']>[2],
  members: Partial<RecordStatePredicate>,
  asked: Omit<Asked, 'at'>,
  sign: Sign = coSign,
): Promise<void> => {
  const at = hub.now();
  const coSignature = await sign({ ...asked, at });
  await hub.append(chain, entryType, transition, { coSignature, ...members }, at);
  requests.set(chain.entries.length, encodeBase64(new TextEncoder().encode(asked.body)));
};

const own = ({ chain }: Signed, path: string): string => `/v1/records/${chain.chainKey}/${path}`;

const verdict = async (
  signed: Signed,
  asked: Partial<Asked> & { readonly says?: object } = {},
  members: Partial<RecordStatePredicate> = {},
  sign: Sign = coSign,
): Promise<Signed> => {
  const completionId = signed.chain.record.latestCompletionId;
  await append(
    signed,
    'VERDICT_RENDERED',
    { action: 'render-verdict', from: 'ACTIVE', to: 'FULFILLED' },
    { actor: actor('principal'), ...members },
    {
      path: own(signed, 'verdict'),
      body: text({ verdict: 'accept', completionId, ...asked.says }),
      ...asked,
    },
    sign,
  );
  return signed;
};

const exported = async (
  { chain, requests }: Signed,
  withBodies = true,
): Promise<Record<string, never>> => {
  const document = structuredClone(await hub.export(chain)) as unknown as {
    chain: { entries: { position: number; request?: string }[] };
  };
  for (const entry of document.chain.entries) {
    const request = requests.get(entry.position);
    if (withBodies && request !== undefined) entry.request = request;
  }
  return document as never;
};

const verify = async (signed: Signed): Promise<VerificationReport> =>
  verifyAuditExport(JSON.stringify(await exported(signed)), {
    trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
  });
const expectSaid = async (signed: Signed, said: RegExp) => {
  const report = await verify(signed);
  expect(report.failures.map(({ detail }) => detail).join('\n')).toMatch(said);
  expect(report.verdict).toBe('invalid');
};
describe('what an agent co-signed, sealed as something else', () => {
  const start = (type = {}): Signed => ({ chain: hub.chain(CRITERIA, type), requests: new Map() });
  it('expiry nobody asked for', async () => {
    const s = start();
    s.chain.record.expiresAt = '2026-11-20T10:00:09.000Z';
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal') },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: hub.performer,
          autoActivate: true,
        }),
      },
    );
    await expectSaid(s, /in expiresAt/);
  });
  it('principal swapped', async () => {
    const s = start();
    await append(
      s,
      'RECORD_PROPOSED',
      { action: 'create', from: null, to: 'PROPOSED' },
      { actor: actor('performer'), awaiting: 'principal' },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: hub.performer,
        }),
      },
    );
    await expectSaid(s, /in principalAgentId/);
  });
  it('subtree of another', async () => {
    const s = start();
    Object.assign(s.chain.record, {
      parentRecordId: childId(1),
      depth: 1,
      rootRecordId: childId(1),
    });
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal') },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          parentRecordId: childId(1),
          performerAgentId: hub.performer,
          autoActivate: true,
        }),
      },
    );
    await append(
      s,
      'RECORD_CANCELLED',
      { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' },
      { actor: actor('principal'), reason: 'parent_cancelled', cancelledBy: 'principal' },
      { path: `/v1/records/${childId(7)}/cancel`, body: text({ cascade: true }) },
    );
    await expectSaid(s, /about another record/);
  });
  it('gate results flipped', async () => {
    const s = start({ operatingMode: 'encrypted', gates: [{ id: 'g', expression: 'true' }] });
    const recipients = { encryption: { recipients: ['A'.repeat(43)] } };
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal'), ...recipients },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: hub.performer,
          autoActivate: true,
        }),
      },
    );
    const at = hub.now();
    const completionId = hub.id();
    await append(
      s,
      'COMPLETION_SUBMITTED',
      { action: 'submit-completion', from: 'ACTIVE', to: 'ACTIVE' },
      {
        actor: actor('performer'),
        completionId,
        evidenceHash: hashJson(EVIDENCE),
        ...recipients,
        gate: {
          state: 'SKIPPED',
          now: new Date(Date.parse(at) + 1000).toISOString(),
          inputsDigest: 'a'.repeat(64),
          results: [],
        },
      },
      { path: own(s, 'completions'), body: text({ evidence: EVIDENCE }) },
    );
    await verdict(
      s,
      { says: { gateResults: [{ gateId: 'g', outcome: 'fail', detail: 'no' }] } },
      {
        gate: { claimedBy: 'principal', results: [{ gateId: 'g', outcome: 'pass', detail: null }] },
      },
    );
    await expectSaid(s, /in gateResults/);
  });
  it('delegate: principal', async () => {
    const s = start({ cascade: { rule: 'all-fulfilled' } });
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal') },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: hub.performer,
          autoActivate: true,
        }),
      },
    );
    const body = text({
      type: 'x',
      criteria: {},
      parentRecordId: s.chain.chainKey,
      autoActivate: true,
    });
    await append(
      s,
      'CHILD_DELEGATED',
      { action: 'delegate', from: 'ACTIVE', to: 'ACTIVE' },
      {
        actor: actor('performer'),
        children: [
          { id: childId(1), status: 'PROPOSED', headHash: 'c'.repeat(64), disputed: false },
        ],
      },
      { path: '/v1/records', body },
    );
    await expectSaid(s, /in autoActivate/);
  });
});
