import { parseCompactJws, type CompactJws } from '../../domain/identity/compact-jws.ts';
import { CLOCK_SKEW_SECONDS } from '../../domain/identity/token-claims.ts';
import { encodeBase64Url } from '../../domain/kernel/base64.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { fromHex, hashJson, sha256 } from '../../domain/kernel/digest.ts';
import type { DpopProof } from '../call/proofs.ts';
import { algorithmOf } from './verify-token.ts';
import { isUsableKey } from './token-key.ts';
import { tokenRefused } from './token-refusal.ts';
import type { TokenSignatures } from './token-signatures.port.ts';

/**
 * The DPoP proof of an exchange (RFC 9449 section 4.3): by the key that the token is bound to (`cnf.jkt`), for this
 * token, this method and this address, made just now. Its `jti` needs no memory of its own: it is bound to a token
 * that is exchanged once.
 *
 * @throws VALIDATION_ERROR with reason proof_invalid.
 */
export const assertDpopProof = async (
  signatures: TokenSignatures,
  given: DpopProof | undefined,
  token: CompactJws,
  now: Date,
): Promise<void> => {
  if (given === undefined)
    throw refused(
      'there is none',
      'Send a DPoP proof (RFC 9449) by the key that the token is bound to, with ath.',
    );
  const { proof, method, url } = given;
  const jws = parseCompactJws(proof);
  if (!jws || jws.typ !== 'dpop+jwt') throw refused('it is not a compact JWS of the typ dpop+jwt');
  const { claims } = jws;
  const jwk = jws.header['jwk'];
  const algorithm = algorithmOf(jws.alg);
  if (!isObject(jwk) || !algorithm || !isUsableKey(jwk))
    throw refused('its header needs a public jwk and an asymmetric alg');
  if (!(await signatures.verify(proof, algorithm, jwk)))
    throw refused('its signature is not by its jwk');
  if (typeof claims['jti'] !== 'string' || claims['htm'] !== method || claims['htu'] !== url)
    throw refused(`it needs a jti, the htm ${method} and the htu ${url}`);
  const { iat } = claims;
  if (typeof iat !== 'number' || Math.abs(now.getTime() / 1000 - iat) > CLOCK_SKEW_SECONDS)
    throw refused(`its iat is not within ${CLOCK_SKEW_SECONDS} s of now`);
  if (claims['ath'] !== encodeBase64Url(sha256(new TextEncoder().encode(token.text))))
    throw refused('its ath is not the SHA-256 of the token');
  const bound = token.claims['cnf'];
  if (!isObject(bound) || bound['jkt'] !== thumbprintOf(jwk))
    throw refused('the token is not bound to its key (cnf.jkt)');
};

const REQUIRED: { readonly [kty: string]: readonly string[] } = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
};

/** RFC 7638 section 3.2. */
const thumbprintOf = (jwk: JsonObject): string =>
  encodeBase64Url(
    fromHex(
      hashJson(
        Object.fromEntries(
          (REQUIRED[String(jwk['kty'])] ?? []).map((name) => [name, jwk[name] ?? null]),
        ),
      ),
    ),
  );

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (
  why: string,
  suggestion = 'Make a new DPoP proof for this token and this request.',
): Error =>
  tokenRefused(
    'proof_invalid',
    `The token, or its issuer, demands a DPoP proof, and there is none that is acceptable: ${why}.`,
    { suggestion },
  );
