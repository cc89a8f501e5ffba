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
import { exists, findAll, findOne } from '../tables/find.ts';
import { AGENTS, API_KEYS, ORGS, type ApiKeyRow } from './identity-row.ts';
import { LOCKS, takeLock } from '../tables/locks.ts';
import { placeholders } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { orNull, uuidFromSql, uuidToSql } from '../base/values.ts';
import { changesOf, reseal } from '../tables/reseal.ts';
import { selectedKeys } from '../vault/key-selection.ts';

export class SqlOrgStore implements OrgStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(org: Org): Promise<void> {
    this.unit.insert(ORGS, ORGS.toRow(org));
  }

  find(id: Uuid): Promise<Org | null> {
    return findOne(this.unit, ORGS, ORG_BY_ID, [uuidToSql(id)]);
  }

  lock(id: Uuid): Promise<Org | null> {
    return findOne(this.unit, ORGS, ORG_BY_ID + this.unit.dialect.forUpdate, [uuidToSql(id)]);
  }

  /** @throws Error where there is no such row. */
  async update(org: Org): Promise<void> {
    const row = ['id = ?', uuidToSql(org.id)] as const;
    const changed = await reseal(this.unit, ORGS, row, changesOf(ORG_CHANGES, org));
    if (changed !== 1) throw new Error(`there is no org ${org.id}`);
  }

  findBySlug(slug: string): Promise<Org | null> {
    return findOne(this.unit, ORGS, `${ORGS.select} WHERE slug = ?`, [slug]);
  }
}

export class SqlAgentStore implements AgentStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(agent: Agent): Promise<void> {
    this.unit.insert(AGENTS, AGENTS.toRow(agent));
  }

  find(id: Uuid): Promise<Agent | null> {
    return findOne(this.unit, AGENTS, AGENT_BY_ID, [uuidToSql(id)]);
  }

  findAll(ids: readonly Uuid[]): Promise<readonly Agent[]> {
    const sql = `${AGENTS.select} WHERE id IN (${placeholders(ids.length)})`;
    return findAll(this.unit, AGENTS, sql, ids.map(uuidToSql));
  }

  lock(id: Uuid): Promise<Agent | null> {
    return findOne(this.unit, AGENTS, AGENT_BY_ID + this.unit.dialect.forUpdate, [uuidToSql(id)]);
  }

  /** @throws Error where there is no such row. */
  async update(agent: Agent): Promise<void> {
    const row = ['id = ?', uuidToSql(agent.id)] as const;
    const changed = await reseal(this.unit, AGENTS, row, changesOf(AGENT_CHANGES, agent));
    if (changed !== 1) throw new Error(`there is no agent ${agent.id}`);
  }
}

export class SqlApiKeyStore implements ApiKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(key: ApiKey): Promise<void> {
    this.unit.insert(API_KEYS, API_KEYS.toRow(key));
  }

  lock(id: Uuid): Promise<ApiKey | null> {
    const sql = API_KEY_BY_ID + this.unit.dialect.forUpdate;
    return findOne(this.unit, API_KEYS, sql, [uuidToSql(id)]);
  }

  async rehash(key: ApiKey): Promise<void> {
    const row = ['id = ?', uuidToSql(key.id)] as const;
    await reseal(this.unit, API_KEYS, row, changesOf(NEW_HASH, key));
  }

  /** @throws Error where there is no such row. */
  async update(key: ApiKey): Promise<void> {
    const row = ['id = ?', uuidToSql(key.id)] as const;
    const changed = await reseal(this.unit, API_KEYS, row, changesOf(API_KEY_CHANGES, key));
    if (changed !== 1) throw new Error(`there is no API key ${key.id}`);
  }

  async anyPlatformKey(): Promise<boolean> {
    await takeLock(this.unit, LOCKS.platformKeys);
    return exists(this.unit, "SELECT 1 FROM api_keys WHERE role = 'platform' LIMIT 1", []);
  }

  async lockSelected(selection: KeySelection, limit: number): Promise<readonly ApiKey[]> {
    const { sql: selected, values } = selectedKeys(selection);
    const sql = `${API_KEYS.select} WHERE ${selected} ORDER BY id LIMIT ?${this.unit.dialect.forUpdate}`;
    return findAll(this.unit, API_KEYS, sql, [...values, limit]);
  }

  async governedBy(selection: KeySelection, now: Date): Promise<readonly (Uuid | null)[]> {
    await takeLock(this.unit, LOCKS.adminAccess);
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
    // A comparison with NULL gives NULL, so such a row is not selected.
    const beside = `SELECT 1 FROM api_keys WHERE ${GOVERNS} AND ${orgId === null ? 'org_id IS NULL' : 'org_id = ?'} AND COALESCE((${sql}), 0) = 0 LIMIT 1`;
    const org = orgId === null ? [] : [uuidToSql(orgId)];
    return exists(this.unit, beside, [time, time, ...org, ...values]);
  }
}

/** A usable key of an active owner that may mint other keys. */
const GOVERNS = `role IN ('admin', 'platform') AND is_active = 1 AND (expires_at IS NULL OR expires_at > ?) AND (deactivates_at IS NULL OR deactivates_at > ?) AND scopes LIKE '%"admin:keys"%' AND NOT EXISTS (SELECT 1 FROM agents WHERE agents.id = api_keys.owner_id AND agents.deactivated_at IS NOT NULL)`;

export const ORG_BY_ID = `${ORGS.select} WHERE id = ?`;
export const AGENT_BY_ID = `${AGENTS.select} WHERE id = ?`;
export const API_KEY_BY_ID = `${API_KEYS.select} WHERE id = ?`;

const ORG_CHANGES = ORGS.only('settings', 'version');

const AGENT_CHANGES = AGENTS.only(
  'capabilities',
  'deactivatedAt',
  'deactivationReason',
  'absences',
  'version',
);

const NEW_HASH = API_KEYS.only('keyHash');

const API_KEY_CHANGES = API_KEYS.only(
  'isActive',
  'deactivatesAt',
  'revokedAt',
  'revokedByKeyId',
  'revocationReason',
  'version',
);
