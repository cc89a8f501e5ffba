import type { CertificateKeyPair } from '../../client/certificate.ts';
import type { CryptoKey } from '../../client/digest.ts';
import type { StoredCertificate } from './profile.ts';

type StoredKey = StoredCertificate['privateKey'];

/** A key pair that can be kept in a profile, unlike the one that the client makes: the next command signs with it. */
export const newKeyPair = async (): Promise<{ pair: CertificateKeyPair; stored: StoredKey }> => {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CertificateKeyPair;
  const { d, x } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return { pair, stored: { d: d!, x: x! } };
};

export const privateKeyOf = ({ d, x }: StoredKey): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', d, x }, 'Ed25519', false, ['sign']);
