import { NotaryError, type ErrorCode, type ProblemMembers } from '../../domain/kernel/errors.ts';

interface RefusalRow {
  readonly code: ErrorCode;
  readonly suggestion: string;
}

/** Why a token of an identity provider is refused (identity.md 5), and what to do about it. */
export const TOKEN_REFUSALS = {
  malformed_token: {
    code: 'VALIDATION_ERROR',
    suggestion:
      'Send the token as the identity provider gave it: a compact JWS with iss, sub, aud and exp.',
  },
  proof_invalid: {
    code: 'VALIDATION_ERROR',
    suggestion:
      'Sign service.oidc.cert.v1, a line feed and the sub of the token with the private key, and make a new key pair where the key was used by somebody else.',
  },
  unknown_issuer: {
    code: 'UNAUTHORIZED',
    suggestion:
      'Ask a platform operator to register the issuer; its issuerUrl must equal the iss of the token.',
  },
  issuer_disabled: {
    code: 'UNAUTHORIZED',
    suggestion: 'Ask a platform operator to enable the issuer.',
  },
  signature_invalid: {
    code: 'UNAUTHORIZED',
    suggestion:
      'Obtain a new token. It must be signed with RS256, PS256, ES256, ES384 or EdDSA, by a key of the key set of the issuer.',
  },
  token_expired: {
    code: 'UNAUTHORIZED',
    suggestion: 'Obtain a new token, and compare the clocks.',
  },
  token_replayed: {
    code: 'UNAUTHORIZED',
    suggestion: 'Obtain a new token: each is exchanged once.',
  },
  audience_mismatch: {
    code: 'UNAUTHORIZED',
    suggestion:
      'Obtain a token whose aud names the one audience that the issuer is registered with.',
  },
  subject_not_allowlisted: {
    code: 'UNAUTHORIZED',
    suggestion: 'Ask a platform operator to add the subject to the subjectAllowlist of the issuer.',
  },
  agent_unknown: {
    code: 'UNAUTHORIZED',
    suggestion:
      'Let the identity provider name an agent of the org in the claim that the issuer maps to agent_id.',
  },
  role_unknown: {
    code: 'UNAUTHORIZED',
    suggestion:
      'Let the identity provider assert the role platform, admin or org; platform comes only from an issuer without an org, the others only from one with an org.',
  },
  ttl_too_short: {
    code: 'UNPROCESSABLE',
    suggestion: 'Obtain a new token and exchange it at once.',
  },
  jwks_fetch_failed: {
    code: 'SERVICE_UNAVAILABLE',
    suggestion:
      'Try again after Retry-After seconds; if it persists, a platform operator should look at the key set of the issuer.',
  },
} as const satisfies Record<string, RefusalRow>;

export type TokenRefusal = keyof typeof TOKEN_REFUSALS;

export const tokenRefused = (
  reason: TokenRefusal,
  detail: string,
  members: ProblemMembers = {},
  options?: { cause?: unknown },
): NotaryError => {
  const { code, suggestion } = TOKEN_REFUSALS[reason];
  return new NotaryError(code, detail, { reason, suggestion, ...members }, options);
};
