import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type { HubIdentity, VaultKeyStore } from '../../../domain/vault/vault-store.port.ts';
import {
  hubToRow,
  INSTANCE,
  keyStatementToRow,
  rowToHub,
  rowToVaultKey,
  VAULT_KEY_STATEMENTS,
  VAULT_SIGNING_KEYS,
  vaultKeyToRow,
  type InstanceRow,
  type VaultKeyRow,
} from '../rows/vault-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';

export class SqlVaultKeyStore implements VaultKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async hub(): Promise<HubIdentity | null> {
    const row = firstOf(await this.unit.all<InstanceRow>(HUB, []));
    return row && rowToHub(row);
  }

  async insertHub(hub: HubIdentity): Promise<void> {
    this.unit.insert(INSTANCE, hubToRow(hub));
  }

  async insertKey(key: VaultKey, statement: KeyStatement): Promise<void> {
    this.unit.insert(VAULT_SIGNING_KEYS, vaultKeyToRow(key));
    this.unit.insert(VAULT_KEY_STATEMENTS, keyStatementToRow(statement));
  }

  async keys(): Promise<readonly VaultKey[]> {
    return (await this.unit.all<VaultKeyRow>(VAULT_KEYS, [])).map(rowToVaultKey);
  }
}

export const HUB = 'SELECT hub_id, predicate_base FROM instance WHERE id = 1';
export const VAULT_KEYS = `SELECT ${columnsOf(VAULT_SIGNING_KEYS)} FROM vault_signing_keys ORDER BY activated_at DESC, key_id DESC`;
