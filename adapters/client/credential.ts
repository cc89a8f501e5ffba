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
  if (typeof credential === 'string') return { authorization: bearer(credential), key: null };
  return { authorization: bearer(credential.certificate), key: credential.key };
};

/**
 * A credential as the value of a header. What no header may hold is refused here: the runtime would say so with the whole
 * value, and errors end in logs.
 *
 * @throws TypeError which does not show it
 */
export const bearer = (credential: string): string => {
  const text = credential.trim();
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new TypeError(
      'the credential is empty, or has a space, a line end or a letter that none of ours has: it was not copied whole, or not alone',
    );
  return `Bearer ${text}`;
};
