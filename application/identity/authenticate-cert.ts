import type { CallerCert, Caller } from '../../domain/identity/caller.ts';
import { openCertJws, type CertClaims } from '../../domain/identity/cert-jws.ts';
import type { CertReads } from '../../domain/identity/certificate-store.port.ts';
import { parseCompactJws } from '../../domain/identity/compact-jws.ts';
import { certThumbprint, type EphemeralCert } from '../../domain/identity/ephemeral-cert.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { expandScopes, type Scope } from '../../domain/identity/scopes.ts';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import type { Vault } from '../sealing/vault.ts';
import { accountDeactivated } from './account-deactivated.ts';

interface OpenCert {
  /** Of the key that signed it. */
  readonly keyId: string | null;
  readonly claims: CertClaims;
  readonly allowed: ReadonlySet<Scope>;
}

/** Characters of certificates whose signature is remembered. */
const CACHE_CHARACTERS = 16 * 1024 * 1024;

/** Who holds a certificate of this service. The signature is checked once, revocation and the agent on every request. */
export class AuthenticateCert {
  private readonly opened = new BoundedCache<OpenCert>(CACHE_CHARACTERS);

  constructor(
    private readonly certs: CertReads,
    private readonly agents: AgentReads,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly baseUrl: string,
  ) {}

  /** @throws UNAUTHORIZED, ACCOUNT_DEACTIVATED where its agent is deactivated. */
  async authenticate(text: string): Promise<Caller> {
    const { keyId, claims, allowed } = await this.open(text);
    if (this.isCompromised(keyId)) throw invalidCert();
    if (this.clock.now().getTime() >= claims.expiresAt * 1000) throw invalidCert();
    const [row, agent] = await Promise.all([
      this.certs.find(claims.certId),
      this.agents.find(claims.agentId),
    ]).catch(refuseEdited);
    // What was signed counts with the row of what was given out, and the row says that it is not revoked.
    if (!row || row.revokedAt || !isOf(claims, row) || agent?.orgId !== claims.orgId)
      throw invalidCert();
    if (agent.deactivatedAt) throw accountDeactivated(agent);
    const cert: CallerCert = {
      id: claims.certId,
      thumbprint: claims.thumbprint,
      expiresAt: new Date(claims.expiresAt * 1000).toISOString(),
      publicKey: row.publicKey,
    };
    return {
      role: 'agent',
      authType: 'ephemeral_cert',
      apiKeyId: null,
      agentId: claims.agentId,
      orgId: claims.orgId,
      name: agent.displayName,
      scopes: claims.scopes,
      allowed,
      allowedIps: null,
      cert,
      oidc: claims.oidc,
    };
  }

  private isCompromised(keyId: string | null): boolean {
    return keyId !== null && this.vault.retirements.get(keyId)?.reason === 'compromised';
  }

  private async open(text: string): Promise<OpenCert> {
    const known = this.opened.get(text);
    if (known) return known;
    const jws = parseCompactJws(text);
    const claims = jws && (await openCertJws(jws, this.baseUrl, this.vault.keyOf));
    if (!jws || !claims) throw invalidCert();
    const opened = { keyId: jws.kid, claims, allowed: expandScopes(claims.scopes) };
    this.opened.set(text, opened, text.length);
    return opened;
  }
}

/** Whether this very certificate was given out: a signature alone may be one by a key that leaked. */
const isOf = (claims: CertClaims, row: EphemeralCert): boolean =>
  row.agentId === claims.agentId &&
  row.orgId === claims.orgId &&
  row.oidcIss === claims.oidc.iss &&
  row.oidcSub === claims.oidc.sub &&
  Date.parse(row.expiresAt) === claims.expiresAt * 1000 &&
  row.scopes.length === claims.scopes.length &&
  row.scopes.every((scope, index) => scope === claims.scopes[index]) &&
  certThumbprint(row) === claims.thumbprint;

/** A row that somebody else wrote is as good as none. The store raised the alarm. */
const refuseEdited = (error: unknown): never => {
  throw isDrift(error) ? invalidCert(error) : error;
};

/** The same for one that is unknown, expired and revoked: none tells which. */
const invalidCert = (cause?: unknown): NotaryError =>
  new NotaryError(
    'UNAUTHORIZED',
    'Invalid, expired or revoked certificate.',
    { suggestion: 'Exchange a new token at POST /v1/auth/oidc/cert.' },
    { cause },
  );
