import type { Agent } from '../../../domain/identity/agent.ts';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type {
  AgentStore,
  ApiKeyStore,
  KeySelection,
  OrgStore,
} from '../../../domain/identity/identity-store.port.ts';
import type { Org } from '../../../domain/identity/org.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { LOCKS, takeLock } from '../locks.ts';
import {
  AGENTS,
  agentToRow,
  API_KEYS,
  apiKeyToRow,
  ORGS,
  orgToRow,
  rowToAgent,
  rowToApiKey,
  rowToOrg,
  type AgentRow,
  type ApiKeyRow,
  type OrgRow,
} from '../rows/identity-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { booleanToSql, jsonToSql, orNull, timeToSql, uuidFromSql, uuidToSql } from '../values.ts';
import { selectedKeys } from './key-selection.ts';

export class SqlOrgStore implements OrgStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(org: Org): Promise<void> {
    this.unit.insert(ORGS, orgToRow(org));
  }

  async find(id: Uuid): Promise<Org | null> {
    const row = firstOf(await this.unit.all<OrgRow>(ORG_BY_ID, [uuidToSql(id)]));
    return row && rowToOrg(row);
  }

  async findBySlug(slug: string): Promise<Org | null> {
    const row = firstOf(
      await this.unit.all<OrgRow>(`SELECT ${columnsOf(ORGS)} FROM orgs WHERE slug = ?`, [slug]),
    );
    return row && rowToOrg(row);
  }
}

export class SqlAgentStore implements AgentStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(agent: Agent): Promise<void> {
    this.unit.insert(AGENTS, agentToRow(agent));
  }

  async find(id: Uuid): Promise<Agent | null> {
    const row = firstOf(await this.unit.all<AgentRow>(AGENT_BY_ID, [uuidToSql(id)]));
    return row && rowToAgent(row);
  }

  async lock(id: Uuid): Promise<Agent | null> {
    const row = firstOf(
      await this.unit.all<AgentRow>(AGENT_BY_ID + this.unit.dialect.forUpdate, [uuidToSql(id)]),
    );
    return row && rowToAgent(row);
  }

  /** @throws Error where there is no such row. */
  async update(agent: Agent): Promise<void> {
    const changed = await this.unit.run(
      'UPDATE agents SET capabilities = ?, deactivated_at = ?, deactivation_reason = ? WHERE id = ?',
      [
        jsonToSql(agent.capabilities),
        orNull(agent.deactivatedAt, timeToSql),
        agent.deactivationReason,
        uuidToSql(agent.id),
      ],
    );
    if (changed !== 1) throw new Error(`there is no agent ${agent.id}`);
  }
}

export class SqlApiKeyStore implements ApiKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(key: ApiKey): Promise<void> {
    this.unit.insert(API_KEYS, apiKeyToRow(key));
  }

  async lock(id: Uuid): Promise<ApiKey | null> {
    const row = firstOf(
      await this.unit.all<ApiKeyRow>(API_KEY_BY_ID + this.unit.dialect.forUpdate, [uuidToSql(id)]),
    );
    return row && rowToApiKey(row);
  }

  async rehash(key: ApiKey): Promise<void> {
    await this.unit.run('UPDATE api_keys SET key_hash = ?, row_mac = ? WHERE id = ?', [
      key.keyHash,
      key.rowMac,
      uuidToSql(key.id),
    ]);
  }

  /** @throws Error where there is no such row. */
  async update(key: ApiKey): Promise<void> {
    const changed = await this.unit.run(
      'UPDATE api_keys SET is_active = ?, deactivates_at = ?, revoked_at = ?, revoked_by_key_id = ?, revocation_reason = ? WHERE id = ?',
      [
        booleanToSql(key.isActive),
        orNull(key.deactivatesAt, timeToSql),
        orNull(key.revokedAt, timeToSql),
        orNull(key.revokedByKeyId, uuidToSql),
        key.revocationReason,
        uuidToSql(key.id),
      ],
    );
    if (changed !== 1) throw new Error(`there is no API key ${key.id}`);
  }

  async anyPlatformKey(): Promise<boolean> {
    await takeLock(this.unit, LOCKS.platformKeys);
    return (
      (await this.unit.all("SELECT 1 FROM api_keys WHERE role = 'platform' LIMIT 1", [])).length > 0
    );
  }

  async lockSelected(selection: KeySelection, limit: number): Promise<readonly ApiKey[]> {
    const { sql, values } = selectedKeys(selection);
    const rows = await this.unit.all<ApiKeyRow>(
      `SELECT ${columnsOf(API_KEYS)} FROM api_keys WHERE ${sql} ORDER BY id LIMIT ?${this.unit.dialect.forUpdate}`,
      [...values, limit],
    );
    return rows.map(rowToApiKey);
  }

  async governedBy(selection: KeySelection, now: Date): Promise<readonly (Uuid | null)[]> {
    await takeLock(this.unit, LOCKS.adminDoors);
    const { sql, values } = selectedKeys(selection);
    const time = now.getTime();
    const rows = await this.unit.all<Pick<ApiKeyRow, 'org_id'>>(
      `SELECT DISTINCT org_id FROM api_keys WHERE ${GOVERNS} AND ${sql}`,
      [time, time, ...values],
    );
    return rows.map(({ org_id: orgId }) => orNull(orgId, uuidFromSql));
  }

  async isGovernedBeside(orgId: Uuid | null, selection: KeySelection, now: Date): Promise<boolean> {
    const { sql, values } = selectedKeys(selection);
    const time = now.getTime();
    // A comparison with NULL is NULL: then the row is not of the selection.
    const beside = `SELECT 1 FROM api_keys WHERE ${GOVERNS} AND ${orgId === null ? 'org_id IS NULL' : 'org_id = ?'} AND COALESCE((${sql}), 0) = 0 LIMIT 1`;
    return (
      (
        await this.unit.all(beside, [
          time,
          time,
          ...(orgId === null ? [] : [uuidToSql(orgId)]),
          ...values,
        ])
      ).length > 0
    );
  }
}

/** A key that can be used and mints others, of an owner who is active. */
const GOVERNS = `role IN ('admin', 'platform') AND is_active = 1 AND (expires_at IS NULL OR expires_at > ?) AND (deactivates_at IS NULL OR deactivates_at > ?) AND scopes LIKE '%"admin:keys"%' AND NOT EXISTS (SELECT 1 FROM agents WHERE agents.id = api_keys.owner_id AND agents.deactivated_at IS NOT NULL)`;

export const ORG_BY_ID = `SELECT ${columnsOf(ORGS)} FROM orgs WHERE id = ?`;
export const AGENT_BY_ID = `SELECT ${columnsOf(AGENTS)} FROM agents WHERE id = ?`;
export const API_KEY_BY_ID = `SELECT ${columnsOf(API_KEYS)} FROM api_keys WHERE id = ?`;
