import type { CryptoKey } from './digest.ts';

/** A certificate of an agent, and the key that it is bound to: each call is co-signed with it. */
export interface CertificateCredential {
  /** `certJws`, as the exchange of a token answers it. */
  readonly certificate: string;
  /** Ed25519, private, and allowed to sign. */
  readonly key: CryptoKey;
}

/** An API key, the token of an administrator, or a certificate with its key. */
export type Credential = string | CertificateCredential;

/** What a client calls with: a credential, or where it comes from, asked before each attempt. */
export type CredentialSource = Credential | null | (() => Credential | Promise<Credential>);

/** The credential as a header, and the key that co-signs. */
export interface OpenedCredential {
  readonly authorization: string | null;
  readonly key: CryptoKey | null;
}

export const openCredential = async (source: CredentialSource): Promise<OpenedCredential> => {
  const credential = typeof source === 'function' ? await source() : source;
  if (credential === null) return { authorization: null, key: null };
  if (typeof credential === 'string') return { authorization: `Bearer ${credential}`, key: null };
  return { authorization: `Bearer ${credential.certificate}`, key: credential.key };
};
