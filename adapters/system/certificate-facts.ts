import { createPrivateKey, X509Certificate } from 'node:crypto';

export interface CertificateFacts {
  readonly from: Date;
  readonly until: Date;
  /** Whether the private key is the one of the certificate. */
  readonly isItsKey: boolean;
}

/** Of the first certificate in PEM. @throws Error where one of the two cannot be read. */
export const certificateFacts = (cert: string, key: string): CertificateFacts => {
  const read = new X509Certificate(cert);
  return {
    from: new Date(read.validFrom),
    until: new Date(read.validTo),
    isItsKey: read.checkPrivateKey(createPrivateKey(key)),
  };
};
