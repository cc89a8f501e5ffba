import type { Uuid } from '../kernel/ids.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { Role, Scope } from './scopes.ts';

/** The certificate that a caller authenticated with. */
export interface CallerCert {
  readonly id: Uuid;
  /** RFC 7638, base64url. */
  readonly thumbprint: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Ed25519, 32 bytes. Co-signatures of the caller's requests verify under it. */
  readonly publicKey: Uint8Array;
}

/**
 * Who calls, once authenticated. Every front-end makes one and hands it to the use case.
 * `orgId` is null only for a platform credential. `agentId` is the agent that owns the credential.
 */
export interface Caller {
  readonly role: Role;
  readonly authType: 'api_key' | 'ephemeral_cert' | 'oidc';
  readonly apiKeyId: Uuid | null;
  readonly agentId: Uuid | null;
  readonly orgId: Uuid | null;
  readonly name: string;
  /** As granted. */
  readonly scopes: readonly Scope[];
  /** With everything they imply. */
  readonly allowed: ReadonlySet<Scope>;
  /** CIDR ranges that the credential is bound to; null: anywhere. */
  readonly allowedIps: readonly string[] | null;
  readonly cert: CallerCert | null;
  /** Whom an identity provider vouched for, directly or by a certificate. */
  readonly oidc: { readonly iss: string; readonly sub: string } | null;
  /** A hub of a federation, which acts for its party of a record and has no credential here. */
  readonly peerHubId?: Uuid;
  /** The service itself, which applies the provisioning files of its operator. It has no credential. */
  readonly isProvisioning?: true;
}

/**
 * What the chain records about a caller. An admin or a platform operator never appears as the agent
 * whose key it uses.
 */
export const actorOf = (caller: Caller): ActorClaim => {
  if (caller.isProvisioning) return SYSTEM_ACTOR;
  return caller.peerHubId === undefined ? localActor(caller) : peerActor(caller.peerHubId);
};

/** A peer acts as a hub: who acted there is sealed on its own chain. */
export const peerActor = (peerHubId: Uuid): ActorClaim => ({ kind: 'peer', peerHubId });

const localActor = (caller: Caller): ActorClaim => ({
  kind: caller.role,
  ...(caller.orgId ? { orgId: caller.orgId } : {}),
  ...(caller.agentId ? { agentId: caller.agentId } : {}),
  ...(caller.apiKeyId ? { apiKeyId: caller.apiKeyId } : {}),
  ...(caller.cert ? { certId: caller.cert.id } : {}),
  ...(caller.oidc ? { oidc: caller.oidc } : {}),
});

export const SYSTEM_ACTOR: ActorClaim = { kind: 'system' };
