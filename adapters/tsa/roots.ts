import { X509Certificate } from 'node:crypto';
import { TimestampRootsError } from '../../domain/vault/timestamp-checker.port.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file, DER each. What stands between them is left alone.
 *
 * @throws TimestampRootsError where there is none, or one cannot be read.
 */
export const rootsIn = (pem: string): readonly Uint8Array[] => {
  const texts = pem.match(CERTIFICATE) ?? [];
  if (texts.length === 0) throw new TimestampRootsError('there is no PEM certificate in it');
  return texts.map((text, index) => {
    try {
      return new Uint8Array(new X509Certificate(text).raw);
    } catch (cause) {
      throw new TimestampRootsError(`its certificate ${index + 1} cannot be read`, { cause });
    }
  });
};
