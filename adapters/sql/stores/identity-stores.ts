import type { Agent } from '../../../domain/identity/agent.ts';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type { AgentStore, ApiKeyStore, OrgStore } from '../../../domain/identity/identity-store.port.ts';
import type { Org } from '../../../domain/identity/org.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { LOCKS, takeLock } from '../locks.ts';
import { AGENTS, agentToRow, API_KEYS, apiKeyToRow, ORGS, orgToRow, rowToAgent, rowToApiKey, rowToOrg, type AgentRow, type ApiKeyRow, type OrgRow } from '../rows/identity-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { booleanToSql, jsonToSql, orNull, timeToSql, uuidToSql } from '../values.ts';

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
    const row = firstOf(await this.unit.all<OrgRow>(`SELECT ${columnsOf(ORGS)} FROM orgs WHERE slug = ?`, [slug]));
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
    const row = firstOf(await this.unit.all<AgentRow>(AGENT_BY_ID + this.unit.dialect.forUpdate, [uuidToSql(id)]));
    return row && rowToAgent(row);
  }

  /** @throws Error where there is no such row. */
  async update(agent: Agent): Promise<void> {
    const changed = await this.unit.run('UPDATE agents SET capabilities = ? WHERE id = ?', [jsonToSql(agent.capabilities), uuidToSql(agent.id)]);
    if (changed !== 1) throw new Error(`there is no agent ${agent.id}`);
  }
}

export class SqlApiKeyStore implements ApiKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(key: ApiKey): Promise<void> {
    this.unit.insert(API_KEYS, apiKeyToRow(key));
  }

  async lock(id: Uuid): Promise<ApiKey | null> {
    const row = firstOf(await this.unit.all<ApiKeyRow>(API_KEY_BY_ID + this.unit.dialect.forUpdate, [uuidToSql(id)]));
    return row && rowToApiKey(row);
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
    return (await this.unit.all("SELECT 1 FROM api_keys WHERE role = 'platform' LIMIT 1", [])).length > 0;
  }
}

export const ORG_BY_ID = `SELECT ${columnsOf(ORGS)} FROM orgs WHERE id = ?`;
export const AGENT_BY_ID = `SELECT ${columnsOf(AGENTS)} FROM agents WHERE id = ?`;
export const API_KEY_BY_ID = `SELECT ${columnsOf(API_KEYS)} FROM api_keys WHERE id = ?`;
