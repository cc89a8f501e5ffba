import { Type } from 'typebox';
import { PAGE_INPUT, Uuid } from '../call/schemas.ts';
import { CHANGEABLE, ClaimPlace, FIXED } from './issuer-settings.ts';

const { expectedAudience } = CHANGEABLE;

const OPTIONAL_SETTINGS = {
  jwksUri: Type.Optional(CHANGEABLE.jwksUri),
  maxCredentialTtlSeconds: Type.Optional(CHANGEABLE.maxCredentialTtlSeconds),
  enabled: Type.Optional(CHANGEABLE.enabled),
  subjectAllowlist: Type.Optional(CHANGEABLE.subjectAllowlist),
  requireProof: Type.Optional(CHANGEABLE.requireProof),
  requireCoSignature: Type.Optional(CHANGEABLE.requireCoSignature),
  claimMapping: Type.Optional(
    Type.Object(
      {
        scopes: Type.Optional(ClaimPlace),
        agent_id: Type.Optional(ClaimPlace),
        role: Type.Optional(ClaimPlace),
      },
      { additionalProperties: false },
    ),
  ),
};

export const CreateIssuerInput = Type.Object(
  {
    orgId: FIXED.orgId,
    issuerUrl: FIXED.issuerUrl,
    expectedAudience,
    appliesTo: Type.Optional(FIXED.appliesTo),
    ...OPTIONAL_SETTINGS,
  },
  { additionalProperties: false },
);

export const ListIssuersInput = Type.Object(
  { orgId: Type.Optional({ ...Uuid, description: 'Of this org' }), ...PAGE_INPUT },
  { additionalProperties: false },
);

export const IssuerInput = Type.Object({ issuerId: Uuid }, { additionalProperties: false });

/** At least one change; they stand in a member of their own, so that this can be said of them alone. */
export const UpdateIssuerInput = Type.Object(
  {
    issuerId: Uuid,
    changes: Type.Object(
      { expectedAudience: Type.Optional(expectedAudience), ...OPTIONAL_SETTINGS },
      { additionalProperties: false, minProperties: 1 },
    ),
  },
  { additionalProperties: false },
);
