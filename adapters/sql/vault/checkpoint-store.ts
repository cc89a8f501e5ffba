import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { CheckpointStore } from '../../../domain/vault/vault-store.port.ts';
import { LOCKS, takeLock } from '../tables/locks.ts';
import { findAll, findOne } from '../tables/find.ts';
import { VAULT_CHECKPOINTS } from './vault-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';

export class SqlCheckpointStore implements CheckpointStore {
  constructor(private readonly unit: UnitContext) {}

  async lockLog(): Promise<Checkpoint | null> {
    await takeLock(this.unit, LOCKS.checkpointLog);
    return findOne(this.unit, VAULT_CHECKPOINTS, NEWEST_LEAF, []);
  }

  newestOf(chainKey: ChainKey): Promise<Checkpoint | null> {
    return findOne(this.unit, VAULT_CHECKPOINTS, NEWEST_OF_CHAIN, [chainKey]);
  }

  newestBy(chainKey: ChainKey, signingKeyId: string): Promise<Checkpoint | null> {
    return findOne(this.unit, VAULT_CHECKPOINTS, NEWEST_BY_KEY, [chainKey, signingKeyId]);
  }

  from(logIndex: number, limit: number): Promise<readonly Checkpoint[]> {
    return findAll(this.unit, VAULT_CHECKPOINTS, LEAVES_FROM, [logIndex, limit]);
  }

  async insert(checkpoint: Checkpoint): Promise<void> {
    this.unit.insert(VAULT_CHECKPOINTS, VAULT_CHECKPOINTS.toRow(checkpoint));
  }
}

const NEWEST_LEAF = `${VAULT_CHECKPOINTS.select} ORDER BY log_index DESC LIMIT 1`;
export const NEWEST_OF_CHAIN = `${VAULT_CHECKPOINTS.select} WHERE chain_key = ? ORDER BY log_index DESC LIMIT 1`;
export const NEWEST_BY_KEY = `${VAULT_CHECKPOINTS.select} WHERE chain_key = ? AND signing_key_id = ? ORDER BY log_index DESC LIMIT 1`;
export const LEAVES_FROM = `${VAULT_CHECKPOINTS.select} WHERE log_index >= ? ORDER BY log_index LIMIT ?`;
