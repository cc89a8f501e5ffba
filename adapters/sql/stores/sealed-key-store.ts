import type { SealedKey, SealedKeyStore } from '../../../domain/vault/sealed-key-store.port.ts';
import {
  rowToSealedKey,
  SEALED_KEYS,
  sealedKeyToRow,
  type SealedKeyRow,
} from '../rows/vault-row.ts';
import { columnsOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';

export class SqlSealedKeyStore implements SealedKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(key: SealedKey): Promise<void> {
    this.unit.insert(SEALED_KEYS, sealedKeyToRow(key));
  }

  async load(): Promise<readonly SealedKey[]> {
    return (await this.unit.all<SealedKeyRow>(ALL_SEALED_KEYS, [])).map(rowToSealedKey);
  }
}

export const ALL_SEALED_KEYS = `SELECT ${columnsOf(SEALED_KEYS)} FROM sealed_keys ORDER BY created_at, key_id`;
