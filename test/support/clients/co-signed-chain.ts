import { beforeEach } from 'vitest';
import { encodeBase64, encodeBase64Url } from '../../../domain/kernel/base64.ts';
import { hashJson, sha256, toHex } from '../../../domain/kernel/digest.ts';
import { coSignedBytes, type CoSignature } from '../../../domain/identity/co-signature.ts';
import type { RecordStatePredicate } from '../../../domain/record/record-statement.ts';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { readPinnedAgentKeys } from '../../../domain/verification/keys/pinned-agent-keys.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { TestHub, webCryptoSigner, type TestChain } from '../attackers/make-export.ts';

const OIDC = { iss: 'https://idp.example', sub: 'workload' };
export const CERT = '0190f000-0000-7000-8000-000000000001';
const CERT_OF_PERFORMER = '0190f000-0000-7000-8000-000000000002';
const ISSUER = '0190f000-0000-7000-8000-000000000003';
const certOf = (side: 'principal' | 'performer'): string =>
  side === 'principal' ? CERT : CERT_OF_PERFORMER;
export const CRITERIA = { action: 'invoice.approve', amount: '120.50', lines: [1, 2, 3] };
export const EVIDENCE = { invoice: 'F-2026-118' };
export const text = (value: unknown): string => JSON.stringify(value);

export interface Asked {
  readonly path: string;
  readonly body: string;
  readonly at: string;
  readonly item?: number;
  readonly nonce?: string;
  readonly created?: number;
  readonly tag?: string;
  readonly origin?: string;
  readonly certId?: string;
}

/** A chain with the bodies of the requests that its entries came from. */
export interface Signed {
  readonly chain: TestChain;
  readonly requests: Map<number, string>;
}

export const rawKey = (signer: Signer): Uint8Array => publicKeyFromSpki(signer.publicKey).raw;

/** A hub whose operator signs what he likes beside the co-signatures of one agent; new for each test. */
export const useCoSignedChains = () => {
  let hub: TestHub;
  let agent: Signer;
  beforeEach(async () => {
    hub = await TestHub.start();
    agent = await webCryptoSigner('Ed25519');
    const at = hub.now();
    const { orgId } = hub;
    const issuer = { orgId, issuerId: ISSUER, issuerUrl: OIDC.iss };
    await hub.platformEntry('ISSUER_CREATED', issuer, at);
    for (const side of ['principal', 'performer'] as const)
      await hub.platformEntry('CERT_ISSUED', issued(side, at), at);
  });

  /** What the service seals of the certificate of an agent. */
  const issued = (side: 'principal' | 'performer', at = hub.now()) => ({
    actor: actor(side),
    orgId: hub.orgId,
    issuerId: ISSUER,
    agentId: hub[side],
    certId: certOf(side),
    issuedAt: at,
    expiresAt: '2099-01-01T00:00:00.000Z',
  });

  /** A request as an agent signs it, whole (RFC 9421). */
  const coSign = async (asked: Asked, signer = agent): Promise<CoSignature & { item?: number }> => {
    const {
      path,
      body,
      at,
      item,
      tag = 'service-cosign',
      origin = 'http://127.0.0.1:3000',
      certId = CERT,
    } = asked;
    const created = asked.created ?? Math.floor(Date.parse(at) / 1000) - 1;
    const nonce = asked.nonce ?? `nonce-${crypto.randomUUID()}`;
    const block = {
      coverage: 'request',
      certId,
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

  const coSignBody = async ({ path, body, certId = CERT }: Asked): Promise<CoSignature> => {
    const contentHash = toHex(sha256(new TextEncoder().encode(body)));
    const block = {
      coverage: 'body',
      certId,
      publicKey: encodeBase64Url(rawKey(agent)),
      method: 'POST',
      path,
      contentHash,
      signature: '',
    } as const;
    return { ...block, signature: encodeBase64(await agent.sign(coSignedBytes(block)!)) };
  };

  type Sign = typeof coSign | typeof coSignBody;

  const actor = (side: 'principal' | 'performer') => ({
    kind: 'agent' as const,
    orgId: hub.orgId,
    agentId: hub[side],
    certId: certOf(side),
    oidc: OIDC,
  });

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
    const isPerformer = members.actor?.agentId === hub.performer;
    const coSignature = await sign({
      ...asked,
      at,
      ...(isPerformer ? { certId: CERT_OF_PERFORMER } : {}),
    });
    await hub.append(chain, entryType, transition, { coSignature, ...members }, at);
    requests.set(chain.entries.length, encodeBase64(new TextEncoder().encode(asked.body)));
  };

  /** Created and delivered, both co-signed as the contract has it. */
  const delivered = async (sign: Sign = coSign): Promise<Signed> => {
    const signed: Signed = { chain: hub.chain(CRITERIA), requests: new Map() };
    const body = text({
      type: 'invoice-approval',
      criteria: CRITERIA,
      performerAgentId: hub.performer,
      autoActivate: true,
    });
    const created = { action: 'create', from: null, to: 'ACTIVE' } as const;
    const asked = { path: '/v1/records', body };
    await append(signed, 'RECORD_CREATED', created, { actor: actor('principal') }, asked, sign);
    await append(
      signed,
      'COMPLETION_SUBMITTED',
      { action: 'submit-completion', from: 'ACTIVE', to: 'ACTIVE' },
      { actor: actor('performer'), completionId: hub.id(), evidenceHash: hashJson(EVIDENCE) },
      { path: own(signed, 'completions'), body: text({ evidence: EVIDENCE }) },
      sign,
    );
    return signed;
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

  const verify = async (
    signed: Signed,
    { bodies = true, pins }: { bodies?: boolean; pins?: string } = {},
  ): Promise<VerificationReport> =>
    verifyAuditExport(JSON.stringify(await exported(signed, bodies)), {
      trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
      ...(pins === undefined ? {} : { agentKeys: readPinnedAgentKeys(pins) }),
    });

  return {
    get hub() {
      return hub;
    },
    get agent() {
      return agent;
    },
    actor,
    issued,
    append,
    coSign,
    coSignBody,
    delivered,
    exported,
    own,
    verdict,
    verify,
  };
};
