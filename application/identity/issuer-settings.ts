import { Type } from 'typebox';
import {
  APPLIES_TO,
  MAX_TTL_SECONDS,
  MIN_TTL_SECONDS,
  PROOFS,
} from '../../domain/identity/trusted-issuer.ts';
import { CO_SIGNATURES } from '../../domain/identity/co-signature-demand.ts';
import { line, Uuid, nullable, oneOf } from '../call/schemas.ts';

const HttpsUrl = Type.String({ pattern: '^https://', minLength: 9, maxLength: 255 });

/** What may be changed of an issuer: the same in what callers send and in what they are shown. */
export const CHANGEABLE = {
  jwksUri: {
    ...nullable(HttpsUrl),
    description: 'Null: as the OpenID configuration of the issuer says',
  },
  expectedAudience: line({
    minLength: 1,
    maxLength: 255,
    description: 'Must be named by the aud of a token',
  }),
  maxCredentialTtlSeconds: Type.Integer({
    minimum: MIN_TTL_SECONDS,
    maximum: MAX_TTL_SECONDS,
    description: 'A certificate never outlives the token either',
  }),
  enabled: Type.Boolean({
    description: 'False stops new exchanges; certificates that were given live on',
  }),
  subjectAllowlist: Type.Array(line({ minLength: 1, maxLength: 255 }), {
    maxItems: 1000,
    description:
      'Subjects that are let in. Empty: for admin nobody, for agent every subject that maps to an agent of the org',
  }),
  requireProof: oneOf(
    PROOFS,
    'dpop: an exchange needs a DPoP proof (RFC 9449) by the key that the token is bound to',
  ),
  requireCoSignature: oneOf(
    CO_SIGNATURES,
    'How requests under its certificates must be signed by the bound key',
  ),
};

/** What stays as it was registered. */
export const FIXED = {
  orgId: {
    ...nullable(Uuid),
    description: 'Whose agents and admins it vouches for; null: the platform’s',
  },
  issuerUrl: { ...HttpsUrl, description: 'Equal to the iss of its tokens, character by character' },
  appliesTo: oneOf(
    APPLIES_TO,
    'agent: tokens are exchanged for certificates; admin: tokens are credentials themselves',
  ),
};

export const ClaimPlace = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The name of a claim, or a JSON Pointer to a value inside one',
});
