import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type { HubIdentity, VaultKeyStore } from '../../../domain/vault/vault-store.port.ts';
import { findAll, findOne } from '../tables/find.ts';
import { INSTANCE, VAULT_KEY_STATEMENTS, VAULT_SIGNING_KEYS } from './vault-row.ts';
import { firstOf } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';

export class SqlVaultKeyStore implements VaultKeyStore {
  constructor(private readonly unit: UnitContext) {}

  hub(): Promise<HubIdentity | null> {
    return findOne(this.unit, INSTANCE, HUB, []);
  }

  async insertHub(hub: HubIdentity): Promise<void> {
    this.unit.insert(INSTANCE, INSTANCE.toRow(hub));
  }

  async insertKey(key: VaultKey, statement: KeyStatement): Promise<void> {
    this.unit.insert(VAULT_SIGNING_KEYS, VAULT_SIGNING_KEYS.toRow(key));
    this.unit.insert(VAULT_KEY_STATEMENTS, VAULT_KEY_STATEMENTS.toRow(statement));
  }

  async insertPending(
    { keyId, algorithm, publicKey }: Pick<VaultKey, 'keyId' | 'algorithm' | 'publicKey'>,
    at: string,
  ): Promise<void> {
    await this.unit.run(
      `INSERT INTO vault_signing_keys (key_id, algorithm, public_key, status, activated_at) VALUES (?, ?, ?, '${PENDING}', ?)`,
      [keyId, algorithm, publicKey, Date.parse(at)],
    );
  }

  async removePending(): Promise<number> {
    await this.unit.run(
      `DELETE FROM sealed_keys WHERE key_id IN (SELECT key_id FROM vault_signing_keys WHERE status = '${PENDING}')`,
      [],
    );
    return this.unit.run(`DELETE FROM vault_signing_keys WHERE status = '${PENDING}'`, []);
  }

  lockActive(keyId: string): Promise<boolean> {
    return this.isActive(keyId, this.unit.dialect.forUpdate);
  }

  holdActive(keyId: string): Promise<boolean> {
    return this.isActive(keyId, this.unit.dialect.forShare);
  }

  async activate(keyId: string, statement: KeyStatement): Promise<void> {
    const moved = await this.unit.run(
      `UPDATE vault_signing_keys SET status = 'active', activated_at = ? WHERE key_id = ? AND status = '${PENDING}'`,
      [Date.parse(statement.createdAt), keyId],
    );
    if (moved !== 1) throw new Error(`the key ${keyId} is not pending`);
    this.unit.insert(VAULT_KEY_STATEMENTS, VAULT_KEY_STATEMENTS.toRow(statement));
  }

  async retire(keyId: string, statement: KeyStatement): Promise<void> {
    const moved = await this.unit.run(
      "UPDATE vault_signing_keys SET status = 'retired', retired_at = ? WHERE key_id = ? AND status = 'active'",
      [Date.parse(statement.createdAt), keyId],
    );
    if (moved !== 1) throw new Error(`the key ${keyId} is not active`);
    this.unit.insert(VAULT_KEY_STATEMENTS, VAULT_KEY_STATEMENTS.toRow(statement));
  }

  keys(): Promise<readonly VaultKey[]> {
    return findAll(this.unit, VAULT_SIGNING_KEYS, VAULT_KEYS, []);
  }

  private async isActive(keyId: string, lock: string): Promise<boolean> {
    const sql = `SELECT status FROM vault_signing_keys WHERE key_id = ?${lock}`;
    const row = firstOf(await this.unit.all<{ readonly status: string }>(sql, [keyId]));
    return row?.status === 'active';
  }
}

export const HUB = `${INSTANCE.select} WHERE id = 1`;
/** The status of a key that no statement activated yet. */
const PENDING = 'pending';

export const VAULT_KEYS = `${VAULT_SIGNING_KEYS.select} WHERE status <> '${PENDING}' ORDER BY activated_at DESC, key_id DESC`;
