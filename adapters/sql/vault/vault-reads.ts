import { setImmediate } from 'node:timers/promises';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { schemaChain, type ChainKey } from '../../../domain/vault/chain-key.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type {
  CheckpointReads,
  HubIdentity,
  LogWindow,
  VaultKeyReads,
} from '../../../domain/vault/vault-store.port.ts';
import { findAll, findOne } from '../tables/find.ts';
import {
  INSTANCE,
  VAULT_CHECKPOINTS,
  VAULT_KEY_STATEMENTS,
  VAULT_SIGNING_KEYS,
} from './vault-row.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { LEAVES_FROM, NEWEST_BY_KEY, NEWEST_OF_CHAIN } from './checkpoint-store.ts';
import { HUB, VAULT_KEYS } from './vault-key-store.ts';
import { uuidFromSql, uuidToSql } from '../base/values.ts';

/** Leaves of the log in one look: few enough that nobody waits for it. */
const LEAVES = 2_000;

export class SqlVaultKeyReads implements VaultKeyReads {
  constructor(private readonly reader: Reader) {}

  hub(): Promise<HubIdentity | null> {
    return findOne(this.reader, INSTANCE, HUB, []);
  }

  keys(): Promise<readonly VaultKey[]> {
    return findAll(this.reader, VAULT_SIGNING_KEYS, VAULT_KEYS, []);
  }

  statements(): Promise<readonly KeyStatement[]> {
    const sql = `${VAULT_KEY_STATEMENTS.select} ORDER BY chain_position`;
    return findAll(this.reader, VAULT_KEY_STATEMENTS, sql, []);
  }
}

export class SqlCheckpointReads implements CheckpointReads {
  constructor(private readonly reader: Reader) {}

  ofChain(chainKey: ChainKey): Promise<readonly Checkpoint[]> {
    const sql = `${VAULT_CHECKPOINTS.select} WHERE chain_key = ? ORDER BY log_index`;
    return findAll(this.reader, VAULT_CHECKPOINTS, sql, [chainKey]);
  }

  newestOf(chainKey: ChainKey): Promise<Checkpoint | null> {
    return findOne(this.reader, VAULT_CHECKPOINTS, NEWEST_OF_CHAIN, [chainKey]);
  }

  async size(): Promise<number> {
    const [newest] = await this.reader.all<{ readonly log_index: number | null }>(
      'SELECT MAX(log_index) AS log_index FROM vault_checkpoints',
      [],
    );
    const index = newest?.log_index ?? null;
    return index === null ? 0 : Number(index) + 1;
  }

  ofOrg(
    orgId: Uuid | null,
    { first, before }: LogWindow,
    limit: number,
  ): Promise<readonly Checkpoint[]> {
    const whose = orgId === null ? [] : [schemaChain(orgId), uuidToSql(orgId), uuidToSql(orgId)];
    return findAll(
      this.reader,
      VAULT_CHECKPOINTS,
      `${VAULT_CHECKPOINTS.select} WHERE log_index >= ? AND log_index < ?${orgId === null ? '' : OF_ORG} ORDER BY log_index DESC LIMIT ?`,
      [first, before, ...whose, limit],
    );
  }

  async partiesTo(chainKeys: readonly ChainKey[]): Promise<readonly Uuid[]> {
    if (chainKeys.length === 0) return [];
    const rows = await this.reader.all<{
      readonly org_id: Uint8Array;
      readonly performer_org_id: Uint8Array | null;
    }>(`${PARTIES} (${placeholders(chainKeys.length)})`, chainKeys);
    const found = rows.flatMap((row) => [row.org_id, row.performer_org_id ?? row.org_id]);
    return [...new Set(found.map(uuidFromSql))];
  }

  async withoutChain(limit: number): Promise<readonly Checkpoint[]> {
    const found: Checkpoint[] = [];
    const size = await this.size();
    for (let first = 0; first < size && found.length < limit; first += LEAVES) {
      const values = [first, first + LEAVES, limit - found.length];
      found.push(...(await findAll(this.reader, VAULT_CHECKPOINTS, WITHOUT_CHAIN, values)));
      // The whole log is looked at; on SQLite nothing else would run in between.
      await setImmediate();
    }
    return found;
  }

  newestBy(chainKey: ChainKey, signingKeyId: string): Promise<Checkpoint | null> {
    return findOne(this.reader, VAULT_CHECKPOINTS, NEWEST_BY_KEY, [chainKey, signingKeyId]);
  }

  from(logIndex: number, limit: number): Promise<readonly Checkpoint[]> {
    return findAll(this.reader, VAULT_CHECKPOINTS, LEAVES_FROM, [logIndex, limit]);
  }
}

const OF_ORG = `
  AND (chain_key = ? OR EXISTS (SELECT 1 FROM chain_entries e JOIN records r ON r.id = e.record_id
    WHERE e.chain_key = vault_checkpoints.chain_key AND e.position = 1
      AND (r.org_id = ? OR r.performer_org_id = ?)))`;

const PARTIES = `
  SELECT DISTINCT r.org_id, r.performer_org_id
  FROM chain_entries e JOIN records r ON r.id = e.record_id
  WHERE e.position = 1 AND e.chain_key IN`;

const WITHOUT_CHAIN = `
  SELECT ${VAULT_CHECKPOINTS.columns.map((name) => `c.${name}`).join(', ')}
  FROM vault_checkpoints c
  WHERE c.log_index >= ? AND c.log_index < ? AND c.position > 0
    AND NOT EXISTS (SELECT 1 FROM chain_heads h WHERE h.chain_key = c.chain_key AND h.position > 0)
    AND NOT EXISTS (SELECT 1 FROM vault_checkpoints n WHERE n.chain_key = c.chain_key AND n.log_index > c.log_index)
  ORDER BY c.log_index LIMIT ?`;
