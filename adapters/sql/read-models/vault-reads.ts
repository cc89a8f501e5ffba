import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type {
  CheckpointReads,
  HubIdentity,
  VaultKeyReads,
} from '../../../domain/vault/vault-store.port.ts';
import {
  rowToCheckpoint,
  rowToHub,
  rowToKeyStatement,
  rowToVaultKey,
  VAULT_CHECKPOINTS,
  VAULT_KEY_STATEMENTS,
  type CheckpointRow,
  type InstanceRow,
  type KeyStatementRow,
  type VaultKeyRow,
} from '../rows/vault-row.ts';
import { columnsOf, firstOf, type Reader } from '../session.ts';
import { HUB, VAULT_KEYS } from '../stores/vault-key-store.ts';

export class SqlVaultKeyReads implements VaultKeyReads {
  constructor(private readonly reader: Reader) {}

  async hub(): Promise<HubIdentity | null> {
    const row = firstOf(await this.reader.all<InstanceRow>(HUB, []));
    return row && rowToHub(row);
  }

  async keys(): Promise<readonly VaultKey[]> {
    return (await this.reader.all<VaultKeyRow>(VAULT_KEYS, [])).map(rowToVaultKey);
  }

  async statements(): Promise<readonly KeyStatement[]> {
    const sql = `SELECT ${columnsOf(VAULT_KEY_STATEMENTS)} FROM vault_key_statements ORDER BY chain_position`;
    return (await this.reader.all<KeyStatementRow>(sql, [])).map(rowToKeyStatement);
  }
}

export class SqlCheckpointReads implements CheckpointReads {
  constructor(private readonly reader: Reader) {}

  async ofChain(chainKey: ChainKey): Promise<readonly Checkpoint[]> {
    const sql = `SELECT ${columnsOf(VAULT_CHECKPOINTS)} FROM vault_checkpoints WHERE chain_key = ? ORDER BY log_index`;
    return (await this.reader.all<CheckpointRow>(sql, [chainKey])).map(rowToCheckpoint);
  }
}
