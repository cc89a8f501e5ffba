import type { Agent } from '../../../domain/identity/agent.ts';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type { Org } from '../../../domain/identity/org.ts';
import type { Role, Scope } from '../../../domain/identity/scopes.ts';
import type { SqlValue } from '../session.ts';
import {
  booleanFromSql,
  booleanToSql,
  bytesFromSql,
  jsonFromSql,
  jsonToSql,
  orNull,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import { table } from './tables.ts';

export const ORGS = table('orgs', ['id', 'slug', 'name', 'created_at', 'managed_by']);

export interface OrgRow {
  readonly id: Uint8Array;
  readonly slug: string;
  readonly name: string;
  readonly created_at: number;
  readonly managed_by: Org['managedBy'];
}

export const orgToRow = (org: Org): readonly SqlValue[] => [
  uuidToSql(org.id),
  org.slug,
  org.name,
  timeToSql(org.createdAt),
  org.managedBy,
];

export const rowToOrg = (row: OrgRow): Org => ({
  id: uuidFromSql(row.id),
  slug: row.slug,
  name: row.name,
  createdAt: timeFromSql(row.created_at),
  managedBy: row.managed_by,
});

export const AGENTS = table('agents', [
  'id',
  'org_id',
  'name',
  'display_name',
  'capabilities',
  'deactivated_at',
  'deactivation_reason',
  'managed_by',
  'created_at',
]);

export interface AgentRow {
  readonly id: Uint8Array;
  readonly org_id: Uint8Array;
  readonly name: string;
  readonly display_name: string;
  readonly capabilities: string;
  readonly deactivated_at: number | null;
  readonly deactivation_reason: string | null;
  readonly managed_by: Agent['managedBy'];
  readonly created_at: number;
}

export const agentToRow = (agent: Agent): readonly SqlValue[] => [
  uuidToSql(agent.id),
  uuidToSql(agent.orgId),
  agent.name,
  agent.displayName,
  jsonToSql(agent.capabilities),
  orNull(agent.deactivatedAt, timeToSql),
  agent.deactivationReason,
  agent.managedBy,
  timeToSql(agent.createdAt),
];

export const rowToAgent = (row: AgentRow): Agent => ({
  id: uuidFromSql(row.id),
  orgId: uuidFromSql(row.org_id),
  name: row.name,
  displayName: row.display_name,
  capabilities: jsonFromSql<readonly string[]>(row.capabilities),
  deactivatedAt: orNull(row.deactivated_at, timeFromSql),
  deactivationReason: row.deactivation_reason,
  managedBy: row.managed_by,
  createdAt: timeFromSql(row.created_at),
});

export const API_KEYS = table('api_keys', [
  'id',
  'key_hash',
  'role',
  'owner_id',
  'org_id',
  'label',
  'environment',
  'scopes',
  'scope_profile',
  'allowed_ips',
  'is_active',
  'expires_at',
  'created_at',
  'last_used_at',
  'created_by_key_id',
  'rotated_from_key_id',
  'deactivates_at',
  'revoked_at',
  'revoked_by_key_id',
  'revocation_reason',
  'managed_by',
  'row_mac',
]);

export interface ApiKeyRow {
  readonly id: Uint8Array;
  readonly key_hash: Uint8Array;
  readonly role: Role;
  readonly owner_id: Uint8Array;
  readonly org_id: Uint8Array | null;
  readonly label: string | null;
  readonly environment: ApiKey['environment'];
  readonly scopes: string;
  readonly scope_profile: string | null;
  readonly allowed_ips: string | null;
  readonly is_active: number;
  readonly expires_at: number | null;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly created_by_key_id: Uint8Array | null;
  readonly rotated_from_key_id: Uint8Array | null;
  readonly deactivates_at: number | null;
  readonly revoked_at: number | null;
  readonly revoked_by_key_id: Uint8Array | null;
  readonly revocation_reason: string | null;
  readonly managed_by: ApiKey['managedBy'];
  readonly row_mac: Uint8Array;
}

/** In the order of API_KEYS.columns. */
export const apiKeyToRow = (key: ApiKey): readonly SqlValue[] => [
  uuidToSql(key.id),
  key.keyHash,
  key.role,
  uuidToSql(key.ownerId),
  orNull(key.orgId, uuidToSql),
  key.label,
  key.environment,
  jsonToSql(key.scopes),
  key.scopeProfile,
  orNull(key.allowedIps, jsonToSql),
  booleanToSql(key.isActive),
  orNull(key.expiresAt, timeToSql),
  timeToSql(key.createdAt),
  orNull(key.lastUsedAt, timeToSql),
  orNull(key.createdByKeyId, uuidToSql),
  orNull(key.rotatedFromKeyId, uuidToSql),
  orNull(key.deactivatesAt, timeToSql),
  orNull(key.revokedAt, timeToSql),
  orNull(key.revokedByKeyId, uuidToSql),
  key.revocationReason,
  key.managedBy,
  key.rowMac,
];

export const rowToApiKey = (row: ApiKeyRow): ApiKey => ({
  id: uuidFromSql(row.id),
  keyHash: bytesFromSql(row.key_hash),
  role: row.role,
  ownerId: uuidFromSql(row.owner_id),
  orgId: orNull(row.org_id, uuidFromSql),
  label: row.label,
  environment: row.environment,
  scopes: jsonFromSql<readonly Scope[]>(row.scopes),
  scopeProfile: row.scope_profile,
  allowedIps: orNull(row.allowed_ips, (text) => jsonFromSql<readonly string[]>(text)),
  isActive: booleanFromSql(row.is_active),
  expiresAt: orNull(row.expires_at, timeFromSql),
  createdAt: timeFromSql(row.created_at),
  lastUsedAt: orNull(row.last_used_at, timeFromSql),
  createdByKeyId: orNull(row.created_by_key_id, uuidFromSql),
  rotatedFromKeyId: orNull(row.rotated_from_key_id, uuidFromSql),
  deactivatesAt: orNull(row.deactivates_at, timeFromSql),
  revokedAt: orNull(row.revoked_at, timeFromSql),
  revokedByKeyId: orNull(row.revoked_by_key_id, uuidFromSql),
  revocationReason: row.revocation_reason,
  managedBy: row.managed_by,
  rowMac: bytesFromSql(row.row_mac),
});
