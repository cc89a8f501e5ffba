import type { Static } from 'typebox';
import { jwkOf, type AgentPublicKey } from '../../domain/identity/agent-public-key.ts';
import { signCertJws } from '../../domain/identity/cert-jws.ts';
import { certThumbprint, type EphemeralCert } from '../../domain/identity/ephemeral-cert.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { SYSTEM_ORG_SLUG } from '../../domain/identity/org.ts';
import {
  claimAt,
  CLOCK_SKEW_SECONDS,
  isSenderConstrained,
} from '../../domain/identity/token-claims.ts';
import { MAX_TTL_SECONDS, MIN_TTL_SECONDS } from '../../domain/identity/trusted-issuer.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isUuid, type IdSource } from '../../domain/kernel/ids.ts';
import { VerifyingKeys } from '../../domain/vault/signatures.ts';
import type { PublicContext } from '../call/call-context.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { CryptoCapabilities } from '../sealing/crypto-capabilities.port.ts';
import { activeSeal } from '../sealing/active-seal.ts';
import type { Vault } from '../sealing/vault.ts';
import { accountDeactivated } from './account-deactivated.ts';
import type { ExchangeTokenInput } from './certificate-inputs.ts';
import { provenKey } from './certificate-key.ts';
import { certScopesOf } from './certificate-scopes.ts';
import { assertDpopProof } from './dpop-proof.ts';
import type { VerifiedToken, VerifyToken } from './verify-token.ts';
import { tokenRefused } from './token-refusal.ts';
import type { TokenSignatures } from './token-signatures.port.ts';

export interface IssuedCert {
  readonly cert: EphemeralCert;
  readonly certJws: string;
}

/** Gives an agent a short-lived certificate for a token of an identity provider that vouches for it. */
export class ExchangeToken {
  private readonly verifyingKeys = new VerifyingKeys();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly verifyToken: VerifyToken,
    private readonly signatures: TokenSignatures,
    private readonly agents: AgentReads,
    private readonly vault: Vault,
    private readonly capabilities: CryptoCapabilities,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly baseUrl: string,
  ) {}

  async execute(
    context: PublicContext,
    input: Static<typeof ExchangeTokenInput>,
  ): Promise<IssuedCert> {
    const { requestId, dpop } = context;
    if (!(await this.capabilities.canUse('Ed25519'))) throw cannotCertify();
    const token = await this.verifyToken.verify(input.oidcToken, 'agent');
    const key = await provenKey(input, token.subject, this.verifyingKeys);
    if (token.issuer.requireProof === 'dpop' || isSenderConstrained(token.jws.claims))
      await assertDpopProof(this.signatures, dpop, token.jws, this.clock.now());
    const cert = await this.certOf(token, key);
    const certJws = await this.unlessRaced(() =>
      this.unitOfWork.transaction(async (stores) => {
        await this.issue(stores, token, cert, requestId);
        // Last, for the key is locked behind the chain. A token is not used up where the service cannot sign.
        const { signer } = await activeSeal(stores, this.vault);
        return signCertJws(signer, this.baseUrl, cert);
      }, context),
    );
    return { cert, certJws };
  }

  private async certOf(token: VerifiedToken, key: AgentPublicKey): Promise<EphemeralCert> {
    const { issuer, jws, subject } = token;
    const scopes = certScopesOf(token);
    const claim = claimAt(jws.claims, issuer.claimMapping.agent_id);
    const agentId = typeof claim === 'string' ? claim.toLowerCase() : '';
    const agent = isUuid(agentId) ? await this.agents.find(agentId) : null;
    if (!agent || (issuer.orgId !== null && agent.orgId !== issuer.orgId)) throw agentUnknown();
    if (agent.deactivatedAt) throw accountDeactivated(agent);
    const now = Math.floor(this.clock.now().getTime() / 1000);
    if (token.expiresAt - now < MIN_TTL_SECONDS)
      throw tokenRefused(
        'ttl_too_short',
        `The token ends in less than ${MIN_TTL_SECONDS} s, which is too short for a certificate.`,
      );
    const end = Math.min(
      now + Math.min(issuer.maxCredentialTtlSeconds, MAX_TTL_SECONDS),
      Math.floor(token.expiresAt),
    );
    return {
      id: this.ids.next(),
      issuerId: issuer.id,
      orgId: agent.orgId,
      agentId: agent.id,
      oidcIss: issuer.issuerUrl,
      oidcSub: subject,
      publicKey: key.raw,
      scopes,
      issuedAt: iso(now),
      expiresAt: iso(end),
      revokedAt: null,
    };
  }

  private async issue(
    stores: Stores,
    token: VerifiedToken,
    cert: EphemeralCert,
    requestId: string,
  ): Promise<void> {
    // The same order of locks as everybody's: issuer, agent, chain.
    const issuer = await stores.trustedIssuers.lock(cert.issuerId);
    if (!issuer)
      throw tokenRefused('unknown_issuer', 'The issuer of the token is not trusted any more.');
    if (!issuer.enabled)
      throw tokenRefused('issuer_disabled', 'The issuer of the token is disabled.');
    // A change on another node is known here a moment late, and a certificate would outlive that moment by far.
    if (issuer.version !== token.issuer.version) throw issuerChanged();
    const agent = await stores.agents.lock(cert.agentId);
    if (!agent) throw agentUnknown();
    if (agent.deactivatedAt) throw accountDeactivated(agent);
    // As at the mint: whoever operates the platform does so with platform keys alone.
    if ((await stores.orgs.find(agent.orgId))?.slug === SYSTEM_ORG_SLUG) throw agentUnknown();
    const spent = spentName(token);
    if (await stores.certs.isSpent(spent)) throw replayed();
    await stores.certs.spend(spent, iso(Math.ceil(token.expiresAt) + CLOCK_SKEW_SECONDS));
    const holder = await stores.certs.keyHolder(cert.publicKey);
    if (!holder) await stores.certs.bindKey(cert.publicKey, cert);
    else if (
      holder.oidcIss !== cert.oidcIss ||
      holder.oidcSub !== cert.oidcSub ||
      holder.agentId !== cert.agentId
    )
      throw keyTaken();
    await stores.certs.insert(cert);
    const eventData = {
      certId: cert.id,
      issuerId: cert.issuerId,
      agentId: cert.agentId,
      publicKeyThumbprint: certThumbprint(cert),
      scopes: [...cert.scopes],
      issuedAt: cert.issuedAt,
      expiresAt: cert.expiresAt,
    };
    const members = {
      ...eventData,
      publicKeyJwk: { ...jwkOf({ curve: 'Ed25519', raw: cert.publicKey }) },
    };
    const actor = {
      kind: 'agent',
      agentId: cert.agentId,
      certId: cert.id,
      oidc: { iss: cert.oidcIss, sub: cert.oidcSub },
    } as const;
    await this.sealPlatform.seal(
      stores,
      { actor, requestId },
      {
        entryType: 'CERT_ISSUED',
        orgId: cert.orgId,
        rows: { [cert.id]: 1 },
        members,
        event: 'cert.issued',
        eventData,
        agentId: cert.agentId,
      },
    );
  }

  /** Of two that exchange one token, or bind one key, at once, the one that commits later starts over and sees what the other did. */
  private async unlessRaced<T>(work: () => Promise<T>, tries = 3): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
      if (error.constraint.includes('spent_tokens')) throw replayed(error);
      if (tries === 1) throw error;
      return this.unlessRaced(work, tries - 1);
    }
  }
}

/** The token as what makes it this one: its jti, or else the bytes that are signed, for the text of a signature may have twins. */
const spentName = ({ issuer, jws }: VerifiedToken): Uint8Array => {
  const { jti } = jws.claims;
  return sha256(
    new TextEncoder().encode(
      JSON.stringify(
        typeof jti === 'string'
          ? ['jti', issuer.issuerUrl, jti]
          : ['jws', issuer.issuerUrl, jws.signingInput],
      ),
    ),
  );
};

const agentUnknown = (): NotaryError =>
  tokenRefused('agent_unknown', 'The token names no agent that its issuer vouches for.');
const issuerChanged = (): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The issuer was changed while the token was being judged. The token was not used up.',
    { retryAfter: 1 },
  );
const replayed = (cause?: unknown): NotaryError =>
  tokenRefused('token_replayed', 'The token was exchanged before.', {}, { cause });
const keyTaken = (): NotaryError =>
  tokenRefused(
    'proof_invalid',
    'The key was used for another subject, issuer or agent before, and keys do not change hands.',
    { suggestion: 'Make a new key pair.' },
  );
const cannotCertify = (): NotaryError =>
  new NotaryError(
    'VALIDATION_ERROR',
    'The crypto provider of this host cannot compute Ed25519, so it gives no certificates.',
    {
      suggestion: 'Use an API key instead.',
      recoveryHint:
        'Use an API key: an admin mints it with POST /v1/admin/api-keys, and it is sent as the bearer.',
    },
  );

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
