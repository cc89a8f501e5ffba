import type { Agent } from '../../../domain/identity/agent.ts';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type { Org } from '../../../domain/identity/org.ts';
import type { Role, Scope } from '../../../domain/identity/scopes.ts';
import {
  BOOLEAN,
  BYTES,
  INSTANT,
  INTEGER,
  json,
  nullable,
  oneOf,
  TEXT,
  UUID,
} from '../tables/codec.ts';
import { column, group } from '../tables/column.ts';
import type { RowOf } from '../tables/column-map.ts';
import { sealedTable } from '../tables/sealed-table.ts';
import { versionedById } from '../tables/versioned.ts';

export const ORGS = sealedTable(
  'orgs',
  {
    id: column('id', UUID),
    slug: column('slug', TEXT),
    name: column('name', TEXT),
    createdAt: column('created_at', INSTANT),
    managedBy: column('managed_by', nullable(oneOf<NonNullable<Org['managedBy']>>())),
    settings: group({
      requireCoSignature: column(
        'require_co_signature',
        oneOf<Org['settings']['requireCoSignature']>(),
      ),
    }),
    version: column('row_version', INTEGER),
  },
  versionedById,
);

export const AGENTS = sealedTable(
  'agents',
  {
    id: column('id', UUID),
    orgId: column('org_id', UUID),
    name: column('name', TEXT),
    displayName: column('display_name', TEXT),
    capabilities: column('capabilities', json<readonly string[]>()),
    deactivatedAt: column('deactivated_at', nullable(INSTANT)),
    deactivationReason: column('deactivation_reason', nullable(TEXT)),
    absences: column('absences', json<Agent['absences']>()),
    managedBy: column('managed_by', nullable(oneOf<NonNullable<Agent['managedBy']>>())),
    createdAt: column('created_at', INSTANT),
    version: column('row_version', INTEGER),
  },
  versionedById,
);

export const API_KEYS = sealedTable(
  'api_keys',
  {
    id: column('id', UUID),
    keyHash: column('key_hash', BYTES),
    role: column('role', oneOf<Role>()),
    ownerId: column('owner_id', UUID),
    orgId: column('org_id', nullable(UUID)),
    label: column('label', nullable(TEXT)),
    environment: column('environment', oneOf<ApiKey['environment']>()),
    scopes: column('scopes', json<readonly Scope[]>()),
    scopeProfile: column('scope_profile', nullable(TEXT)),
    allowedIps: column('allowed_ips', nullable(json<readonly string[]>())),
    isActive: column('is_active', BOOLEAN),
    expiresAt: column('expires_at', nullable(INSTANT)),
    hasFixedExpiry: column('has_fixed_expiry', BOOLEAN),
    createdAt: column('created_at', INSTANT),
    lastUsedAt: column('last_used_at', nullable(INSTANT)),
    createdByKeyId: column('created_by_key_id', nullable(UUID)),
    rotatedFromKeyId: column('rotated_from_key_id', nullable(UUID)),
    deactivatesAt: column('deactivates_at', nullable(INSTANT)),
    revokedAt: column('revoked_at', nullable(INSTANT)),
    revokedByKeyId: column('revoked_by_key_id', nullable(UUID)),
    revocationReason: column('revocation_reason', nullable(TEXT)),
    managedBy: column('managed_by', nullable(oneOf<NonNullable<ApiKey['managedBy']>>())),
    version: column('row_version', INTEGER),
  },
  { ...versionedById, except: ['last_used_at'] },
);

export type AgentRow = RowOf<typeof AGENTS>;
export type ApiKeyRow = RowOf<typeof API_KEYS>;
