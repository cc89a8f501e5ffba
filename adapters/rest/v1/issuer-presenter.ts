import { Type } from 'typebox';
import {
  APPLIES_TO,
  CO_SIGNATURES,
  MAX_TTL_SECONDS,
  MIN_TTL_SECONDS,
  PROOFS,
  type TrustedIssuer,
} from '../../../domain/identity/trusted-issuer.ts';
import { Timestamp, Uuid, nullable, oneOf } from '../wire.ts';

const HttpsUrl = Type.String({ pattern: '^https://', minLength: 9, maxLength: 255 });
const ClaimPlace = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The name of a claim, or a JSON Pointer to a value inside one',
});

/** What may be changed of an issuer; what a body says is checked against these. */
export const CHANGEABLE = {
  jwksUri: {
    ...nullable(HttpsUrl),
    description: 'Null: as the OpenID configuration of the issuer says',
  },
  expectedAudience: Type.String({
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
  subjectAllowlist: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
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

export const ClaimMappingSchema = Type.Object({
  scopes: ClaimPlace,
  agent_id: ClaimPlace,
  role: ClaimPlace,
});
export const ClaimMappingBody = Type.Object(
  {
    scopes: Type.Optional(ClaimPlace),
    agent_id: Type.Optional(ClaimPlace),
    role: Type.Optional(ClaimPlace),
  },
  { additionalProperties: false },
);

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

export const TrustedIssuerSchema = Type.Object({
  id: Uuid,
  ...FIXED,
  ...CHANGEABLE,
  claimMapping: ClaimMappingSchema,
  managedBy: nullable(oneOf(['provisioning'])),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const presentIssuer = (issuer: TrustedIssuer): object => ({
  id: issuer.id,
  orgId: issuer.orgId,
  issuerUrl: issuer.issuerUrl,
  jwksUri: issuer.jwksUri,
  expectedAudience: issuer.expectedAudience,
  appliesTo: issuer.appliesTo,
  claimMapping: issuer.claimMapping,
  maxCredentialTtlSeconds: issuer.maxCredentialTtlSeconds,
  enabled: issuer.enabled,
  subjectAllowlist: issuer.subjectAllowlist,
  requireProof: issuer.requireProof,
  requireCoSignature: issuer.requireCoSignature,
  managedBy: issuer.managedBy,
  createdAt: issuer.createdAt,
  updatedAt: issuer.updatedAt,
});
