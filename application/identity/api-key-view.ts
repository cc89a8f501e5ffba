import { Type } from 'typebox';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import { ROLES, SCOPES } from '../../domain/identity/scopes.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { IssuedKey } from './issue-key.ts';

const KEY_MEMBERS = {
  ownerType: oneOf(['agent']),
  ownerId: Uuid,
  orgId: nullable(Uuid),
  role: oneOf(ROLES),
  label: nullable(Type.String()),
  scopes: Type.Array(oneOf(SCOPES), {
    description: 'As granted; manage implies write, write implies read',
  }),
  scopeProfile: nullable(Type.String()),
  environment: oneOf(['live', 'test']),
  allowedIps: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'CIDR list; null: from anywhere',
  }),
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const ApiKeySchema = Type.Object({
  keyId: Uuid,
  ...KEY_MEMBERS,
  isActive: Type.Boolean({ description: 'The stored flag; expiry does not change it' }),
  deactivatesAt: nullable({ ...Timestamp, description: 'End of the grace after a rotation' }),
  lastUsedAt: nullable(Timestamp),
  createdByKeyId: nullable(Uuid),
  rotatedFromKeyId: nullable(Uuid),
  revokedAt: nullable(Timestamp),
  revokedByKeyId: nullable(Uuid),
  revocationReason: nullable(Type.String()),
  managedBy: nullable(oneOf(['provisioning'])),
});

/** A new key, in the one answer that shows it. */
export const MintedApiKeySchema = Type.Object({
  keyId: Uuid,
  ...KEY_MEMBERS,
  apiKey: Type.String({
    description:
      'The key itself, shown here and never again: under Idempotency-Replayed null, with a hint to rotate',
  }),
  hint: Type.Optional(Type.String()),
  ...GUIDANCE,
});

export const apiKeyView = (key: ApiKey): ViewOf<typeof ApiKeySchema> => ({
  keyId: key.id,
  ...membersOf(key),
  isActive: key.isActive,
  deactivatesAt: key.deactivatesAt,
  lastUsedAt: key.lastUsedAt,
  createdByKeyId: key.createdByKeyId,
  rotatedFromKeyId: key.rotatedFromKeyId,
  revokedAt: key.revokedAt,
  revokedByKeyId: key.revokedByKeyId,
  revocationReason: key.revocationReason,
  managedBy: key.managedBy,
});

export const mintedApiKeyView = (
  { key, apiKey }: IssuedKey,
  guide: Guide,
): ViewOf<typeof MintedApiKeySchema> => ({
  keyId: key.id,
  apiKey,
  ...membersOf(key),
  ...openDoorHint(key),
  suggestion: STORE_IT,
  nextSteps: guide.steps(
    {
      action: 'whoami',
      operation: 'getWhoami',
      input: {},
      description: 'Call with the new key, to see what it may do',
    },
    {
      action: 'list-keys',
      operation: 'listApiKeys',
      input: {},
      description: 'List the keys of the org',
    },
    {
      action: 'revoke',
      operation: 'updateApiKey',
      input: { keyId: key.id },
      description: 'Revoke the key when it is no longer needed',
    },
  ),
});

const STORE_IT = 'Store the key now; it is not shown again.';

const membersOf = (key: ApiKey): Pick<ViewOf<typeof ApiKeySchema>, keyof typeof KEY_MEMBERS> => ({
  ownerType: 'agent',
  ownerId: key.ownerId,
  orgId: key.orgId,
  role: key.role,
  label: key.label,
  scopes: key.scopes,
  scopeProfile: key.scopeProfile,
  environment: key.environment,
  allowedIps: key.allowedIps,
  expiresAt: key.expiresAt,
  createdAt: key.createdAt,
});

const openDoorHint = (key: ApiKey): { readonly hint?: string } =>
  key.role === 'platform' && (key.expiresAt === null || key.allowedIps === null)
    ? {
        hint: 'A platform key opens everything. Mint it with expiresInSeconds and allowedIps, so that a leaked one opens less and not for ever.',
      }
    : {};
