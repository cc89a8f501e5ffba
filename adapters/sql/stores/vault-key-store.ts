import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type { HubIdentity, VaultKeyStore } from '../../../domain/vault/vault-store.port.ts';
import { findAll, findOne } from '../rows/find.ts';
import { INSTANCE, VAULT_KEY_STATEMENTS, VAULT_SIGNING_KEYS } from '../rows/vault-row.ts';
import type { UnitContext } from '../unit.ts';

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

  keys(): Promise<readonly VaultKey[]> {
    return findAll(this.unit, VAULT_SIGNING_KEYS, VAULT_KEYS, []);
  }
}

export const HUB = `${INSTANCE.select} WHERE id = 1`;
export const VAULT_KEYS = `${VAULT_SIGNING_KEYS.select} ORDER BY activated_at DESC, key_id DESC`;
