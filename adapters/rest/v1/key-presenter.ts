import { Type } from 'typebox';
import type { IssuedKey } from '../../../application/identity/issue-key.ts';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import { ROLES, SCOPES } from '../../../domain/identity/scopes.ts';
import type { View } from '../../http/route.ts';
import { stepsTo } from '../guidance.ts';
import { GUIDANCE, Timestamp, Uuid, nullable, oneOf } from '../wire.ts';

const KEY_MEMBERS = {
  keyId: Uuid,
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

export const KeyRowSchema = Type.Object({
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

export const ChangedKeySchema = Type.Object({
  ...KeyRowSchema.properties,
  hint: Type.Optional(Type.String()),
  ...GUIDANCE,
});

export const MintedKeySchema = Type.Object({
  ...KEY_MEMBERS,
  apiKey: nullable(
    Type.String({
      description: 'The key itself, shown here and never again; null in a replayed answer',
    }),
  ),
  hint: Type.Optional(Type.String()),
  ...GUIDANCE,
});

export const RotatedKeySchema = Type.Object({
  ...MintedKeySchema.properties,
  previousKeyId: Uuid,
  previousKeyDeactivatesAt: Timestamp,
});

export const presentKeyRow = (key: ApiKey): object => ({
  keyId: key.id,
  ...members(key),
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

export const presentMintedKey = ({ key, apiKey }: IssuedKey, view: View): object => ({
  keyId: key.id,
  apiKey,
  ...members(key),
  ...openDoorHint(key),
  suggestion: 'Store the key now; it is not shown again.',
  nextSteps: stepsTo(
    view,
    ['whoami', 'getWhoami', 'Call with the new key, to see what it may do'],
    ['list-keys', 'listApiKeys', 'List the keys of the org'],
    ['revoke', 'updateApiKey', 'Revoke the key when it is no longer needed', { keyId: key.id }],
  ),
});

const members = (key: ApiKey): object => ({
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

const openDoorHint = (key: ApiKey): object =>
  key.role === 'platform' && (key.expiresAt === null || key.allowedIps === null)
    ? {
        hint: 'A platform key opens everything. Mint it with expiresInSeconds and allowedIps, so that a leaked one opens less and not for ever.',
      }
    : {};
