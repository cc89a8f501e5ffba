import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { CheckpointStore } from '../../../domain/vault/vault-store.port.ts';
import { LOCKS, takeLock } from '../locks.ts';
import { findOne } from '../rows/find.ts';
import { VAULT_CHECKPOINTS } from '../rows/vault-row.ts';
import type { UnitContext } from '../unit.ts';

export class SqlCheckpointStore implements CheckpointStore {
  constructor(private readonly unit: UnitContext) {}

  lockNextIndex(): Promise<number> {
    return takeLock(this.unit, LOCKS.checkpointLog);
  }

  newestOf(chainKey: ChainKey): Promise<Checkpoint | null> {
    const sql = `${VAULT_CHECKPOINTS.select} WHERE chain_key = ? ORDER BY log_index DESC LIMIT 1`;
    return findOne(this.unit, VAULT_CHECKPOINTS, sql, [chainKey]);
  }

  /** @throws Error where the index is not the next one: the caller did not hold the lock. */
  async insert(checkpoint: Checkpoint): Promise<void> {
    this.unit.insert(VAULT_CHECKPOINTS, VAULT_CHECKPOINTS.toRow(checkpoint));
    const moved = await this.unit.run('UPDATE locks SET value = ? WHERE name = ? AND value = ?', [
      checkpoint.logIndex + 1,
      LOCKS.checkpointLog,
      checkpoint.logIndex,
    ]);
    if (moved !== 1)
      throw new Error(`the checkpoint log does not go on at index ${checkpoint.logIndex}`);
  }
}
