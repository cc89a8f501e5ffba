import type {
  CertReads,
  TrustedIssuerReads,
} from '../../../domain/identity/certificate-store.port.ts';
import type { EphemeralCert } from '../../../domain/identity/ephemeral-cert.ts';
import type { TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { isDrift } from '../../../domain/kernel/row-drift.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import { EPHEMERAL_CERTS, TRUSTED_ISSUERS } from './certificate-row.ts';
import { findOne } from '../tables/find.ts';
import type { Reader } from '../tables/reader.ts';
import { CERT_BY_ID, ISSUER_BY_ID } from './certificate-stores.ts';
import { uuidFromSql, uuidToSql } from '../base/values.ts';
import { equalities, newestFirst, type Lister } from '../listing/keyset.ts';

export class SqlTrustedIssuerReads implements TrustedIssuerReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(id: Uuid): Promise<TrustedIssuer | null> {
    return findOne(this.reader, TRUSTED_ISSUERS, ISSUER_BY_ID, [uuidToSql(id)]);
  }

  async ofUrl(issuerUrl: string): Promise<readonly TrustedIssuer[]> {
    const sql = 'SELECT id FROM trusted_issuers WHERE issuer_url = ? ORDER BY created_at, id';
    const rows = await this.reader.all<{ readonly id: Uint8Array }>(sql, [issuerUrl]);
    // One by one, so that an edited row does not lock out whom the others let in.
    const issuers = await Promise.all(
      rows.map(({ id }) => this.find(uuidFromSql(id)).catch(nullIfDrift)),
    );
    // MySQL ignores trailing spaces in comparisons, but an issuer must match character by
    // character.
    return issuers.flatMap((issuer) => (issuer?.issuerUrl === issuerUrl ? [issuer] : []));
  }

  list(filter: { readonly orgId?: Uuid }, slice: SliceRequest): Promise<Slice<TrustedIssuer>> {
    const rows = equalities({ org_id: filter.orgId && uuidToSql(filter.orgId) });
    return this.lister.slice(newestFirst(TRUSTED_ISSUERS, rows), slice);
  }
}

const nullIfDrift = (error: unknown): null => {
  if (isDrift(error)) return null;
  throw error;
};

export class SqlCertReads implements CertReads {
  constructor(private readonly reader: Reader) {}

  find(id: Uuid): Promise<EphemeralCert | null> {
    return findOne(this.reader, EPHEMERAL_CERTS, CERT_BY_ID, [uuidToSql(id)]);
  }
}
