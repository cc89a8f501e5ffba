import type { Caller } from '../../domain/identity/caller.ts';
import type {
  CertReads,
  TrustedIssuerReads,
} from '../../domain/identity/certificate-store.port.ts';
import { stricter, type CoSignatureDemand } from '../../domain/identity/co-signature-demand.ts';
import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import { isDrift, rowDrift } from '../../domain/kernel/row-drift.ts';

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
  ) {}

  async of({ orgId, cert }: Pick<Caller, 'orgId' | 'cert'>): Promise<Demanded> {
    const ofOrg = orgId === null ? 'none' : await this.ofOrg(orgId);
    const ofIssuer = cert ? await this.ofIssuer(cert.id) : 'none';
    const demand = stricter(ofOrg, ofIssuer);
    return { demand, by: demand === ofOrg ? 'org' : 'issuer' };
  }

  /** @throws CONFLICT with reason payload_drift where the row was edited, or is gone. */
  private async ofOrg(orgId: string): Promise<CoSignatureDemand> {
    const org = await this.orgs.find(orgId);
    if (!org) throw rowDrift('orgs', orgId);
    return org.settings.requireCoSignature;
  }

  /** What an edited row demanded before is not known, so the strictest demand holds. */
  private async ofIssuer(certId: string): Promise<CoSignatureDemand> {
    const issuerId = (await this.certs.find(certId))?.issuerId;
    const issuer = issuerId ? await this.issuers.find(issuerId).catch(noneIfEdited) : null;
    return issuer?.requireCoSignature ?? 'request';
  }
}

const noneIfEdited = (error: unknown): null => {
  if (isDrift(error)) return null;
  throw error;
};
