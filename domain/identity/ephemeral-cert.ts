import type { Uuid } from '../kernel/ids.ts';
import { jwkThumbprint } from './agent-public-key.ts';
import type { Scope } from './scopes.ts';

/**
 * A short-lived credential of an agent, issued for a token of an identity provider and bound to a
 * key of the agent.
 */
export interface EphemeralCert {
  readonly id: Uuid;
  readonly issuerId: Uuid;
  readonly orgId: Uuid;
  readonly agentId: Uuid;
  readonly oidcIss: string;
  readonly oidcSub: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly scopes: readonly Scope[];
  /** ISO 8601 in whole seconds, as is `expiresAt`. */
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
}

/** A certificate has two versions: as it was issued, 1, and this one. */
export const REVOKED_CERT_VERSION = 2;

/** RFC 7638, base64url: the `cnf.jkt` of the certificate. */
export const certThumbprint = ({ publicKey }: Pick<EphemeralCert, 'publicKey'>): string =>
  jwkThumbprint({ curve: 'Ed25519', raw: publicKey });

/** The permanent holder of a public key: one subject of one identity provider, as one agent. */
export interface KeyHolder {
  readonly oidcIss: string;
  readonly oidcSub: string;
  readonly agentId: Uuid;
}
