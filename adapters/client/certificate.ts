import { encodeBase64, decodeBase64UrlStrict } from '../../domain/kernel/base64.ts';
import type { CertificateCredential } from './credential.ts';
import { bytesOf, type CryptoKey } from './digest.ts';
import type { NotaryClient } from './notary-client.ts';

/** A certificate with its key, and what the service says of it. */
export interface IssuedCertificate extends CertificateCredential {
  readonly id: string;
  readonly agentId: string;
  readonly expiresAt: string;
}

/** Ed25519. */
export interface CertificateKeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/**
 * Exchanges a token of an identity provider for a certificate of an agent, bound to a key that is made here and never
 * leaves the runtime. Give it to a client as its credential: each call is co-signed then.
 *
 * @param client of the service; it needs no credential
 * @param own a key pair for whoever keeps one; its public half can be exported
 * @throws NotaryProblem; its document has the reason, such as token_replayed
 */
export const certificateFor = async (
  client: Pick<NotaryClient, 'request'>,
  oidcToken: string,
  own?: CertificateKeyPair,
): Promise<IssuedCertificate> => {
  const pair = own ?? (await newKeyPair());
  const { kty, crv, x } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const text = `service.oidc.cert.v1\n${subjectOf(oidcToken)}`;
  const proof = await crypto.subtle.sign('Ed25519', pair.privateKey, bytesOf(text));
  const { cert, certJws } = await client.request('post', '/v1/auth/oidc/cert', {
    body: {
      oidcToken,
      publicKeyJwk: { kty, crv, x },
      proofOfPossession: encodeBase64(new Uint8Array(proof)),
    },
  });
  const { id, agentId, expiresAt } = cert;
  return { certificate: certJws, key: pair.privateKey, id, agentId, expiresAt };
};

const newKeyPair = async (): Promise<CertificateKeyPair> => {
  const pair = (await crypto.subtle.generateKey('Ed25519', false, [
    'sign',
    'verify',
  ])) as CertificateKeyPair;
  return pair;
};

/** Read, not trusted: the service verifies the token. @throws TypeError */
const subjectOf = (token: string): string => {
  const payload = decodeBase64UrlStrict(token.split('.')[1] ?? '');
  try {
    const { sub } = JSON.parse(new TextDecoder().decode(payload ?? undefined)) as { sub?: unknown };
    if (typeof sub === 'string') return sub;
  } catch {
    // Said below.
  }
  throw new TypeError('the token is no JWT with a subject');
};
