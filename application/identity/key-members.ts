import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { ApiKey } from '../../domain/identity/api-key.ts';

/**
 * What the chain and the events record about a key: what it may do, but neither the key nor its
 * hash.
 */
export const keyMembers = (key: ApiKey): JsonObject => ({
  apiKeyId: key.id,
  role: key.role,
  ownerId: key.ownerId,
  scopes: [...key.scopes],
  scopeProfile: key.scopeProfile,
  allowedIps: key.allowedIps === null ? null : [...key.allowedIps],
  expiresAt: key.expiresAt,
  label: key.label,
});
