import { encodeBase64Url } from '../kernel/base64.ts';
import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { isUuid, type Uuid } from '../kernel/ids.ts';
import type { VaultAlgorithm } from '../vault/algorithm.ts';
import type { KeyLookup } from '../vault/open-entry.ts';
import { holds } from '../vault/signatures.ts';
import type { Signer } from '../vault/signer.port.ts';
import type { CompactJws } from './compact-jws.ts';
import { certThumbprint, type EphemeralCert } from './ephemeral-cert.ts';
import { isScope, type Scope } from './scopes.ts';

export const CERT_TYP = 'service-cert+jwt';

/** Every certificate begins with this: the first member of its header, in base64url. */
export const CERT_PREFIX = encodeBase64Url(new TextEncoder().encode(`{"typ":"${CERT_TYP}","`));

/** RFC 8037 section 3.1, RFC 7518 section 3.4. */
const JWS_ALG: { readonly [algorithm in VaultAlgorithm]: string } = {
  Ed25519: 'EdDSA',
  ES256: 'ES256',
};

/** What a certificate says, verified. */
export interface CertClaims {
  readonly certId: Uuid;
  readonly orgId: Uuid;
  readonly agentId: Uuid;
  readonly scopes: readonly Scope[];
  /** RFC 7638. */
  readonly thumbprint: string;
  readonly oidc: { readonly iss: string; readonly sub: string };
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The certificate as a bearer token: a compact JWS by the vault key. `typ` comes first in its
 * header, so the signed bytes have a beginning that nothing else signed by this key has.
 */
export const signCertJws = async (
  signer: Signer,
  baseUrl: string,
  cert: EphemeralCert,
): Promise<string> => {
  const header = { typ: CERT_TYP, alg: JWS_ALG[signer.algorithm], kid: signer.keyId };
  const claims = {
    iss: baseUrl,
    aud: baseUrl,
    sub: cert.agentId,
    jti: cert.id,
    org: cert.orgId,
    scope: cert.scopes.join(' '),
    cnf: { jkt: certThumbprint(cert) },
    oidc: { iss: cert.oidcIss, sub: cert.oidcSub },
    iat: seconds(cert.issuedAt),
    exp: seconds(cert.expiresAt),
  };
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${encodeBase64Url(await signer.sign(utf8.encode(input)))}`;
};

/**
 * The claims of a certificate. Null unless a key of this service signed it, with the algorithm of
 * that key, for this service.
 */
export const openCertJws = async (
  { alg, kid, typ, claims, signingInput, signature }: CompactJws,
  baseUrl: string,
  keyOf: KeyLookup,
): Promise<CertClaims | null> => {
  const key = kid === null ? undefined : await keyOf(kid);
  if (
    typ !== CERT_TYP ||
    !key ||
    alg !== JWS_ALG[key.algorithm] ||
    claims['iss'] !== baseUrl ||
    claims['aud'] !== baseUrl
  )
    return null;
  const valid = await holds(key.algorithm, key.cryptoKey, signature, utf8.encode(signingInput));
  return valid ? claimsOf(claims) : null;
};

const claimsOf = (claims: JsonObject): CertClaims | null => {
  const { sub, jti, org, scope, exp } = claims;
  const thumbprint = textAt(claims['cnf'], 'jkt');
  const [iss, subject] = [textAt(claims['oidc'], 'iss'), textAt(claims['oidc'], 'sub')];
  if (
    !isId(sub) ||
    !isId(jti) ||
    !isId(org) ||
    typeof scope !== 'string' ||
    typeof exp !== 'number' ||
    thumbprint === null ||
    iss === null ||
    subject === null
  )
    return null;
  return {
    certId: jti,
    orgId: org,
    agentId: sub,
    scopes: scope.split(' ').filter(isScope),
    thumbprint,
    oidc: { iss, sub: subject },
    expiresAt: exp,
  };
};

const isId = (value: JsonValue | undefined): value is Uuid =>
  typeof value === 'string' && isUuid(value);
const textAt = (value: JsonValue | undefined, name: string): string | null => {
  const text =
    typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
  return typeof text === 'string' ? text : null;
};

const utf8 = new TextEncoder();
const part = (value: JsonObject): string => encodeBase64Url(utf8.encode(JSON.stringify(value)));
const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
