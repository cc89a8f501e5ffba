import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isClaimPlace } from '../../domain/identity/token-claims.ts';
import {
  DEFAULT_MAPPING,
  type ClaimMapping,
  type TrustedIssuer,
} from '../../domain/identity/trusted-issuer.ts';
import { DuplicateError } from '../ports/unit-of-work.port.ts';

/**
 * What the chain and the events record about an issuer: everything that decides whom it lets in.
 */
export const issuerMembers = (issuer: TrustedIssuer): JsonObject => ({
  issuerId: issuer.id,
  issuerUrl: issuer.issuerUrl,
  jwksUri: issuer.jwksUri,
  expectedAudience: issuer.expectedAudience,
  appliesTo: issuer.appliesTo,
  claimMapping: { ...issuer.claimMapping },
  maxCredentialTtlSeconds: issuer.maxCredentialTtlSeconds,
  enabled: issuer.enabled,
  // The list itself may be longer than a statement.
  subjectAllowlistSize: issuer.subjectAllowlist.length,
  subjectAllowlistHash: hashJson(issuer.subjectAllowlist),
  requireProof: issuer.requireProof,
  requireCoSignature: issuer.requireCoSignature,
});

/** @throws UNPROCESSABLE where a member is neither the name of a claim nor a JSON Pointer. */
export const mappingOf = (
  given: Partial<ClaimMapping> | undefined,
  before: ClaimMapping = DEFAULT_MAPPING,
): ClaimMapping => {
  const mapping = { ...before, ...given };
  for (const [member, place] of Object.entries(mapping)) {
    if (!isClaimPlace(place))
      throw new NotaryError(
        'UNPROCESSABLE',
        `claimMapping.${member} is neither the name of a claim nor a JSON Pointer (RFC 6901).`,
        {
          errors: [
            {
              path: `/claimMapping/${member}`,
              keyword: 'format',
              message: 'is neither a claim name nor a JSON Pointer',
            },
          ],
          suggestion:
            'Write the name of the claim, such as scope, or a pointer, such as /resource_access/notary/roles.',
        },
      );
  }
  return mapping;
};

/**
 * An admin's token is itself the credential and is bound to no key, so no caller could meet a
 * demand for a proof or a co-signature.
 *
 * @throws UNPROCESSABLE
 */
export const assertEnforceable = ({
  appliesTo,
  requireProof,
  requireCoSignature,
}: Pick<TrustedIssuer, 'appliesTo' | 'requireProof' | 'requireCoSignature'>): void => {
  if (appliesTo === 'agent') return;
  const member = requireProof === 'none' ? 'requireCoSignature' : 'requireProof';
  if (requireProof === 'none' && requireCoSignature === 'none') return;
  throw new NotaryError(
    'UNPROCESSABLE',
    `An issuer that applies to admin cannot demand ${member}: its tokens are credentials themselves and are bound to no key.`,
    {
      allowedValues: ['none'],
      errors: [{ path: `/${member}`, keyword: 'enum', message: 'is none for an issuer of admins' }],
      suggestion: `Leave ${member} out, and let the identity provider give tokens that live for minutes.`,
    },
  );
};

/** The refusal of a second issuer with the same URL and audience. */
export const unlessDuplicate = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DuplicateError) || !error.constraint.includes('trusted_issuers'))
      throw error;
    throw new NotaryError(
      'CONFLICT',
      'Another trusted issuer has this issuerUrl and expectedAudience.',
      {
        suggestion:
          'Change the one that is there, or agree with the identity provider on another audience.',
      },
      { cause: error },
    );
  }
};
