import type { SealedKey, SealedKeyStore } from '../../../domain/vault/sealed-key-store.port.ts';
import { findAll } from '../tables/find.ts';
import { SEALED_KEYS } from './vault-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';

export class SqlSealedKeyStore implements SealedKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(key: SealedKey): Promise<void> {
    this.unit.insert(SEALED_KEYS, SEALED_KEYS.toRow(key));
  }

  load(): Promise<readonly SealedKey[]> {
    return findAll(this.unit, SEALED_KEYS, ALL_SEALED_KEYS, []);
  }

  async erase(keyId: string): Promise<void> {
    await this.unit.run('DELETE FROM sealed_keys WHERE key_id = ?', [keyId]);
  }
}

export const ALL_SEALED_KEYS = `${SEALED_KEYS.select} ORDER BY created_at, key_id`;
