import type { Caller } from '../../domain/identity/caller.ts';

/**
 * Whom idempotency keys and cursors belong to: the agent behind the credential, so that they outlive a rotation; or
 * the subject of an identity provider, in the org that it came for.
 */
export const credentialOwner = (caller: Caller): string =>
  caller.agentId ??
  caller.apiKeyId ??
  (caller.oidc ? JSON.stringify([caller.orgId, caller.oidc.iss, caller.oidc.sub]) : caller.name);
