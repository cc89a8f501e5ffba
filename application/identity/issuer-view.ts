import { Type } from 'typebox';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { CHANGEABLE, ClaimPlace, FIXED } from './issuer-settings.ts';

export const TrustedIssuerSchema = Type.Object({
  id: Uuid,
  ...FIXED,
  ...CHANGEABLE,
  claimMapping: Type.Object({ scopes: ClaimPlace, agent_id: ClaimPlace, role: ClaimPlace }),
  managedBy: nullable(oneOf(['provisioning'])),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** An issuer that was registered or changed. */
export const ChangedIssuerSchema = Type.Object({ ...TrustedIssuerSchema.properties, ...GUIDANCE });

export const DeletedIssuerSchema = Type.Object({
  id: Uuid,
  deleted: Type.Literal(true),
  ...GUIDANCE,
});

/** Also in the examples of the answers, like the two below. */
export const AGENTS_NEXT =
  'Let an agent exchange a token of the issuer at POST /v1/auth/oidc/cert.';
export const DISABLED =
  'No token of the issuer is taken any more. Certificates that it gave live on until they expire; revoke-certs ends them.';
export const FORGOTTEN = 'Tokens of the issuer are refused as unknown_issuer from now on.';
const ADMINS_NEXT = 'Let an admin call with a token of the issuer as the bearer.';
const NOBODY_YET = 'Nobody gets in yet: name the subjects in subjectAllowlist.';

export const trustedIssuerView = (issuer: TrustedIssuer): ViewOf<typeof TrustedIssuerSchema> => ({
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

export const changedIssuerView = (
  issuer: TrustedIssuer,
  guide: Guide,
): ViewOf<typeof ChangedIssuerSchema> => {
  const input = { issuerId: issuer.id };
  return {
    ...trustedIssuerView(issuer),
    suggestion: suggestionFor(issuer),
    nextSteps: guide.steps(
      { action: 'view', operation: 'getTrustedIssuer', input, description: 'Read the issuer' },
      ...(issuer.enabled
        ? []
        : [
            {
              action: 'revoke-certs',
              operation: 'revokeIssuerCerts',
              input,
              description: 'Revoke every active certificate of the issuer',
            },
          ]),
    ),
  };
};

export const deletedIssuerView = (
  { id }: TrustedIssuer,
  guide: Guide,
): ViewOf<typeof DeletedIssuerSchema> => ({
  id,
  deleted: true,
  suggestion: FORGOTTEN,
  nextSteps: guide.steps({
    action: 'list',
    operation: 'listTrustedIssuers',
    input: {},
    description: 'List the issuers that are left',
  }),
});

const suggestionFor = (issuer: TrustedIssuer): string => {
  if (!issuer.enabled) return DISABLED;
  if (issuer.appliesTo === 'agent') return AGENTS_NEXT;
  return issuer.subjectAllowlist.length === 0 ? NOBODY_YET : ADMINS_NEXT;
};
