import { NotaryError } from '../kernel/errors.ts';
import { OUTGOING_URL, outgoingUrl } from '../kernel/outgoing-url.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { CoSignatureDemand } from './co-signature-demand.ts';

export const APPLIES_TO = ['agent', 'admin'] as const;
export type AppliesTo = (typeof APPLIES_TO)[number];
export const PROOFS = ['none', 'dpop'] as const;

/**
 * Where a token has its scopes, agent and role: the name of a claim, or a JSON Pointer (RFC 6901)
 * to a value inside one.
 */
export interface ClaimMapping {
  readonly scopes: string;
  readonly agent_id: string;
  readonly role: string;
}

/** An identity provider whose tokens are accepted, and for what. */
export interface TrustedIssuer {
  readonly id: Uuid;
  /** The org whose agents or admins it vouches for; null: the platform. */
  readonly orgId: Uuid | null;
  /** Equal to the `iss` of its tokens, character by character. */
  readonly issuerUrl: string;
  /** Null: its OpenID configuration names it. */
  readonly jwksUri: string | null;
  readonly expectedAudience: string;
  /**
   * agent: its tokens are exchanged for certificates. admin: its tokens are credentials themselves.
   */
  readonly appliesTo: AppliesTo;
  readonly claimMapping: ClaimMapping;
  readonly maxCredentialTtlSeconds: number;
  readonly enabled: boolean;
  /**
   * The subjects that are let in. An empty list lets in no admin, but every subject that maps to an
   * agent of the org.
   */
  readonly subjectAllowlist: readonly string[];
  readonly requireProof: (typeof PROOFS)[number];
  readonly requireCoSignature: CoSignatureDemand;
  readonly managedBy: 'provisioning' | null;
  /** ISO 8601 with milliseconds, like `updatedAt`. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** From 1. Each change adds one, and its entry on the platform chain seals it. */
  readonly version: number;
}

export const DEFAULT_MAPPING: ClaimMapping = {
  scopes: 'scope',
  agent_id: 'agent_id',
  role: 'role',
};
export const DEFAULT_TTL_SECONDS = 600;
export const MIN_TTL_SECONDS = 60;
export const MAX_TTL_SECONDS = 3600;

/** Whether the subject is let in at all. The claims decide which agent or role it gets. */
export const letsIn = (issuer: TrustedIssuer, subject: string): boolean =>
  issuer.subjectAllowlist.length === 0
    ? issuer.appliesTo === 'agent'
    : issuer.subjectAllowlist.includes(subject);

/**
 * An address of an identity provider: HTTPS, without credentials, query or fragment.
 *
 * @throws UNPROCESSABLE
 */
export const assertProviderUrl = (text: string, member: 'issuerUrl' | 'jwksUri'): void => {
  if (outgoingUrl(text) && (member === 'jwksUri' || !text.includes('?'))) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    `${member} must be ${OUTGOING_URL}${member === 'issuerUrl' ? ', and without a query' : ''}.`,
    {
      errors: [{ path: `/${member}`, keyword: 'format', message: 'is not such a URL' }],
      suggestion: `Copy the ${member === 'issuerUrl' ? 'issuer' : 'jwks_uri'} from the OpenID configuration of the provider.`,
    },
  );
};
