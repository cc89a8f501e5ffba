import { X509Certificate } from 'node:crypto';
import { Certificate } from 'pkijs';

/** One certificate, as the runtime and as the library reads it. */
export interface TokenCertificate {
  /** DER, as it stands in the token or in the file of roots. */
  readonly raw: Uint8Array;
  readonly pki: Certificate;
  readonly x509: X509Certificate;
}

/** @throws what its readers throw. */
export const certificateOf = (raw: Uint8Array): TokenCertificate => ({
  raw,
  pki: Certificate.fromBER(raw),
  x509: new X509Certificate(raw),
});
