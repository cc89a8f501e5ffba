import { toHex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import {
  coseThumbprint,
  jwkOf,
  jwkThumbprint,
  type AgentPublicKey,
  type PublicJwk,
} from './agent-public-key.ts';

/**
 * The key that content for an agent is encrypted to. An agent has at most one, and a new one
 * replaces it.
 */
export interface EncryptionKey {
  readonly agentId: Uuid;
  readonly key: AgentPublicKey;
  readonly jwk: PublicJwk;
  /** RFC 7638, base64url: the kid of a JWE recipient. */
  readonly thumbprint: string;
  /** ISO 8601 with milliseconds: `at` of its ENCRYPTION_KEY_SET. */
  readonly setAt: string;
}

/**
 * A key that an agent signs with outside of this service. It stays readable when it is revoked, to
 * verify earlier signatures.
 */
export interface SigningKey {
  readonly agentId: Uuid;
  readonly key: AgentPublicKey;
  /** RFC 9679, lowercase hex: the kid of a signed statement, as text. */
  readonly thumbprint: string;
  /** The CWT issuers under which the agent signs. */
  readonly issuers: readonly string[];
  /** ISO 8601 with milliseconds: `at` of its SIGNING_KEY_ADDED. */
  readonly addedAt: string;
  readonly revokedAt: string | null;
}

/**
 * A published key has two versions, as it was published, 1, and this one, as it was revoked or replaced. The platform
 * chain seals them by the RFC 9679 thumbprint in hex.
 */
export const ENDED_KEY_VERSION = 2;

/**
 * The most signing keys that one agent has, revoked ones included, because a profile shows them
 * all.
 */
export const MAX_SIGNING_KEYS = 100;

export const encryptionKey = (
  agentId: Uuid,
  key: AgentPublicKey,
  setAt: string,
): EncryptionKey => ({ agentId, key, jwk: jwkOf(key), thumbprint: jwkThumbprint(key), setAt });

export const signingKey = (
  agentId: Uuid,
  key: AgentPublicKey,
  issuers: readonly string[],
  addedAt: string,
  revokedAt: string | null = null,
): SigningKey => ({
  agentId,
  key,
  thumbprint: toHex(coseThumbprint(key)),
  issuers,
  addedAt,
  revokedAt,
});
