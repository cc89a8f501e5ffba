import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type {
  CertReads,
  TrustedIssuerReads,
} from '../../domain/identity/certificate-store.port.ts';
import { stricter, type CoSignatureDemand } from '../../domain/identity/co-signature-demand.ts';
import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import { isVerifiedIssuer } from './verified-issuer.ts';

export interface Demanded {
  readonly demand: CoSignatureDemand;
  /** Whose demand it is, as a refusal names it. */
  readonly by: 'org' | 'issuer';
}

/** How the requests of a caller must be co-signed: as its org wants it or the issuer of its certificate, the stricter. */
export class CoSignatureDemands {
  constructor(
    private readonly orgs: Pick<OrgReads, 'find'>,
    private readonly certs: CertReads,
    private readonly issuers: TrustedIssuerReads,
    private readonly keyHasher: ApiKeyHasher,
  ) {}

  async of({ orgId, cert }: Pick<Caller, 'orgId' | 'cert'>): Promise<Demanded> {
    const ofOrg = orgId === null ? 'none' : await this.ofOrg(orgId);
    const ofIssuer = cert ? await this.ofIssuer(cert.id) : 'none';
    const demand = stricter(ofOrg, ofIssuer);
    return { demand, by: demand === ofOrg ? 'org' : 'issuer' };
  }

  /** What a row that is missing demanded is not known, so the strictest demand holds; below as well. */
  private async ofOrg(orgId: string): Promise<CoSignatureDemand> {
    return (await this.orgs.find(orgId))?.settings.requireCoSignature ?? 'request';
  }

  private async ofIssuer(certId: string): Promise<CoSignatureDemand> {
    const issuerId = (await this.certs.find(certId))?.issuerId;
    const issuer = issuerId ? await this.issuers.find(issuerId) : null;
    return issuer && isVerifiedIssuer(this.keyHasher, issuer)
      ? issuer.requireCoSignature
      : 'request';
  }
}
