import type { Agent } from '../../../domain/identity/agent.ts';
import type { ApiKey } from '../../../domain/identity/api-key.ts';
import type {
  AgentReads,
  ApiKeyFilter,
  ApiKeyReads,
  Credential,
  KeySelection,
  OrgReads,
} from '../../../domain/identity/identity-store.port.ts';
import type { Org } from '../../../domain/identity/org.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import { findOne } from '../tables/find.ts';
import { AGENTS, API_KEYS, ORGS, type AgentRow, type ApiKeyRow } from './identity-row.ts';
import { tableRow } from '../tables/row-seals.ts';
import { firstOf, placeholders, type SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { AGENT_BY_ID, API_KEY_BY_ID, ORG_BY_ID } from './identity-stores.ts';
import { selectedKeys } from '../vault/key-selection.ts';
import { booleanToSql, timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import {
  equalities,
  newestFirst,
  type Condition,
  type Lister,
  type Listing,
} from '../listing/keyset.ts';

export class SqlOrgReads implements OrgReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(id: Uuid): Promise<Org | null> {
    return findOne(this.reader, ORGS, ORG_BY_ID, [uuidToSql(id)]);
  }

  list(filter: { readonly id?: Uuid }, slice: SliceRequest): Promise<Slice<Org>> {
    return this.lister.slice(newestFirst(ORGS, equalities({ id: idToSql(filter.id) })), slice);
  }
}

export class SqlAgentReads implements AgentReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(id: Uuid): Promise<Agent | null> {
    return findOne(this.reader, AGENTS, AGENT_BY_ID, [uuidToSql(id)]);
  }

  list(
    filter: { readonly orgId?: Uuid; readonly name?: string; readonly deactivated?: boolean },
    slice: SliceRequest,
  ): Promise<Slice<Agent>> {
    return this.lister.slice(agentListing(filter), slice);
  }
}

/** For the suite that reads its plans, too. */
export const agentListing = (filter: {
  readonly orgId?: Uuid;
  readonly name?: string;
  readonly deactivated?: boolean;
}): Listing<AgentRow, Agent> => {
  const { deactivated } = filter;
  const named = equalities({ org_id: idToSql(filter.orgId), name: filter.name });
  const rows: Condition =
    deactivated === undefined
      ? named
      : (query) =>
          deactivated
            ? named(query).whereNotNull('deactivated_at')
            : named(query).whereNull('deactivated_at');
  return newestFirst(AGENTS, rows);
};

export class SqlApiKeyReads implements ApiKeyReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
  ) {}

  find(id: Uuid): Promise<ApiKey | null> {
    return findOne(this.reader, API_KEYS, API_KEY_BY_ID, [uuidToSql(id)]);
  }

  async findCredential(keyHashes: readonly Uint8Array[]): Promise<Credential | null> {
    const sql = `${CREDENTIAL} WHERE k.key_hash IN (${placeholders(keyHashes.length)})`;
    const found = await this.reader.verifying(
      async () => (await this.reader.all<ApiKeyRow & JoinedRow>(sql, keyHashes)).map(withOwner),
      (rows) =>
        rows.flatMap(({ key, owner }) => [tableRow(API_KEYS, key), tableRow(AGENTS, owner)]),
    );
    const row = firstOf(found);
    return row && { key: API_KEYS.fromRow(row.key), owner: AGENTS.fromRow(row.owner) };
  }

  list(filter: ApiKeyFilter, slice: SliceRequest): Promise<Slice<ApiKey>> {
    return this.lister.slice(apiKeyListing(filter), slice);
  }

  async selectIds(selection: KeySelection, limit: number): Promise<readonly Uuid[]> {
    const { sql, values } = selectedKeys(selection);
    const limited = `SELECT id FROM api_keys WHERE ${sql} LIMIT ?`;
    const rows = await this.reader.all<Pick<ApiKeyRow, 'id'>>(limited, [...values, limit]);
    return rows.map(({ id }) => uuidFromSql(id));
  }
}

const OWNER = 'owner__';
const CREDENTIAL = `SELECT ${API_KEYS.columns.map((column) => `k.${column}`).join(', ')}, ${AGENTS.columns.map((column) => `a.${column} AS ${OWNER}${column}`).join(', ')} FROM api_keys k JOIN agents a ON a.id = k.owner_id`;

type JoinedRow = Readonly<Record<string, SqlValue>>;

const withOwner = (
  row: ApiKeyRow & JoinedRow,
): { readonly key: ApiKeyRow; readonly owner: AgentRow } => ({
  key: row,
  owner: Object.fromEntries(
    AGENTS.columns.map((column) => [column, row[OWNER + column]!]),
  ) as unknown as AgentRow,
});

/** For the suite that reads its plans, too. */
export const apiKeyListing = (filter: ApiKeyFilter): Listing<ApiKeyRow, ApiKey> =>
  newestFirst(API_KEYS, apiKeyConditions(filter));

const apiKeyConditions = (filter: ApiKeyFilter): Condition => {
  const { isActive, createdBefore, lastUsedBefore, neverUsed, neverExpires } = filter;
  const equal = equalities({
    owner_id: idToSql(filter.ownerId),
    org_id: idToSql(filter.orgId),
    role: filter.role,
    is_active: isActive === undefined ? undefined : booleanToSql(isActive),
  });
  return (query) => {
    const all = equal(query);
    if (createdBefore !== undefined) void all.where('created_at', '<', timeToSql(createdBefore));
    if (lastUsedBefore !== undefined)
      void all.where('last_used_at', '<', timeToSql(lastUsedBefore));
    if (neverUsed !== undefined)
      void (neverUsed ? all.whereNull('last_used_at') : all.whereNotNull('last_used_at'));
    if (neverExpires !== undefined)
      void (neverExpires ? all.whereNull('expires_at') : all.whereNotNull('expires_at'));
    return all;
  };
};

const idToSql = (id: Uuid | undefined): Uint8Array | undefined =>
  id === undefined ? undefined : uuidToSql(id);
