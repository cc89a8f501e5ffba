import type {
  CertReads,
  TrustedIssuerReads,
} from '../../../domain/identity/certificate-store.port.ts';
import type { EphemeralCert } from '../../../domain/identity/ephemeral-cert.ts';
import type { TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import {
  rowToCert,
  rowToTrustedIssuer,
  TRUSTED_ISSUERS,
  type EphemeralCertRow,
  type TrustedIssuerRow,
} from '../rows/certificate-row.ts';
import { columnsOf, firstOf, type Reader } from '../session.ts';
import { CERT_BY_ID, ISSUER_BY_ID } from '../stores/certificate-stores.ts';
import { uuidToSql } from '../values.ts';
import { equalities, type Lister } from './keyset.ts';

export class SqlTrustedIssuerReads implements TrustedIssuerReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  async find(id: Uuid): Promise<TrustedIssuer | null> {
    const row = firstOf(await this.reader.all<TrustedIssuerRow>(ISSUER_BY_ID, [uuidToSql(id)]));
    return row && rowToTrustedIssuer(row);
  }

  async ofUrl(issuerUrl: string): Promise<readonly TrustedIssuer[]> {
    const rows = await this.reader.all<TrustedIssuerRow>(
      `SELECT ${columnsOf(TRUSTED_ISSUERS)} FROM trusted_issuers WHERE issuer_url = ? ORDER BY created_at, id`,
      [issuerUrl],
    );
    // MySQL compares text without its trailing spaces; an issuer is what it is, character by character.
    return rows.map(rowToTrustedIssuer).filter((issuer) => issuer.issuerUrl === issuerUrl);
  }

  list(filter: { readonly orgId?: Uuid }, slice: SliceRequest): Promise<Slice<TrustedIssuer>> {
    return this.lister.slice<TrustedIssuerRow, TrustedIssuer>(
      {
        table: TRUSTED_ISSUERS.name,
        columns: TRUSTED_ISSUERS.columns,
        order: { column: 'created_at', direction: 'desc' },
        walks: [{ rows: equalities({ org_id: filter.orgId && uuidToSql(filter.orgId) }) }],
        toDomain: rowToTrustedIssuer,
      },
      slice,
    );
  }
}

export class SqlCertReads implements CertReads {
  constructor(private readonly reader: Reader) {}

  async find(id: Uuid): Promise<EphemeralCert | null> {
    const row = firstOf(await this.reader.all<EphemeralCertRow>(CERT_BY_ID, [uuidToSql(id)]));
    return row && rowToCert(row);
  }
}
